/** Tests of queries to the authority and of their responses. */
import { describe, expect, it } from 'vitest'
import {
  checkQuery,
  queryXml,
  type RespuestaConsulta,
  readRecordsResponse,
  readVerifactu,
  recordsQuery,
} from '#records/verifactu/index.ts'
import { officialSchema } from './schema.ts'

const issuer = { name: 'Papelería Nube, S.L.', nif: 'B23456783' }
const key = {
  IDEmisorFactura: 'B23456783',
  NumSerieFactura: 'WEB-000041',
  FechaExpedicionFactura: '05-03-2026',
}

describe('a query', () => {
  it.each([
    ['of a month', {}],
    ['of one invoice', { number: 'WEB-000041', external_ref: 'A1' }],
    ['from a day on', { issued: { from: '2026-03-05' } }],
    ['until a day', { issued: { to: '2026-03-31' } }],
    ['for the next page', { issued: { from: '2026-03-01', to: '2026-03-31' }, page_after: key }],
  ])('%s is what the schema and the authority want', (_, more) => {
    const query = recordsQuery({ issuer, month: '2026-03', ...more })
    expect(checkQuery(query)).toEqual([])
    const xml = queryXml(query)
    if (officialSchema) expect(officialSchema()(xml)).toEqual([])
    expect(readVerifactu(xml).document).toEqual({ root: 'ConsultaFactuSistemaFacturacion', value: query })
  })

  it('has each filter that was asked for, and no other', () => {
    const filter = (more: object) => recordsQuery({ issuer, month: '2026-03', ...more }).FiltroConsulta
    const PeriodoImputacion = { Ejercicio: '2026', Periodo: '03' }
    for (const nothing of [{}, { issued: {} }]) expect(filter(nothing)).toEqual({ PeriodoImputacion })
    const issued = (range: object) => ({ FechaExpedicionFactura: { RangoFechaExpedicion: range } })
    expect(filter({ issued: { from: '2026-03-05' } })).toEqual({
      PeriodoImputacion,
      ...issued({ Desde: '05-03-2026' }),
    })
    expect(filter({ issued: { to: '2026-03-31' } })).toEqual({
      PeriodoImputacion,
      ...issued({ Hasta: '31-03-2026' }),
    })
    const all = { number: 'WEB-000041', external_ref: 'A1', page_after: key }
    expect(filter({ ...all, issued: { from: '2026-03-01', to: '2026-03-31' } })).toEqual({
      PeriodoImputacion,
      NumSerieFactura: 'WEB-000041',
      ...issued({ Desde: '01-03-2026', Hasta: '31-03-2026' }),
      RefExterna: 'A1',
      ClavePaginacion: key,
    })
  })

  it('with invalid input throws', () => {
    const ask = (input: object) => () => recordsQuery(input as never)
    expect(ask({ issuer })).toThrow(/needs its month/)
    expect(ask({ issuer, month: '2026-13' })).toThrow(/a month YYYY-MM/)
    expect(ask({ issuer, month: '2026-03', issued: { from: '5-3-2026' } })).toThrow(/a date YYYY-MM-DD/)
    expect(ask({ issuer, month: '2026-03', series: 'A' })).toThrow(/has no "series"/)
    expect(ask({ issuer: 'B23456783', month: '2026-03' })).toThrow(/an object/)
  })
})

const row = (state: string, code?: string) => ({
  IDFactura: key,
  DatosRegistroFacturacion: { RefExterna: 'A1', Huella: 'F'.repeat(64) },
  DatosPresentacion: {
    NIFPresentador: 'B23456783',
    TimestampPresentacion: '2026-03-05T10:00:00+01:00',
    IdPeticion: '77',
  },
  EstadoRegistro: {
    TimestampUltimaModificacion: '2026-03-06T10:00:00+01:00',
    EstadoRegistro: state,
    ...(code ? { CodigoErrorRegistro: code, DescripcionErrorRegistro: 'La huella no es correcta.' } : {}),
  },
})
const answer = (rows: readonly object[], more: object = {}) =>
  readRecordsResponse({
    PeriodoImputacion: { Ejercicio: '2026', Periodo: '03' },
    IndicadorPaginacion: 'N',
    ResultadoConsulta: 'ConDatos',
    RegistroRespuestaConsultaFactuSistemaFacturacion: rows,
    ...more,
  } as unknown as RespuestaConsulta)

describe('a response', () => {
  it('has the current state of each invoice, in either spelling, with the hash of its record', () => {
    const states = ['Correcto', 'Correcta', 'AceptadoConErrores', 'Anulado', 'Anulada', 'Otro']
    expect(answer(states.map((state) => row(state))).lines.map(({ state }) => state)).toEqual([
      'accepted',
      'accepted',
      'accepted_with_errors',
      'cancelled',
      'cancelled',
      'unknown',
    ])
    expect(answer([row('AceptadoConErrores', '2000')]).lines).toMatchObject([
      {
        nif: 'B23456783',
        num_serie: 'WEB-000041',
        fecha_expedicion: '05-03-2026',
        code: 2000,
        description: 'La huella no es correcta.',
        explanation: expect.stringContaining('Huella'),
        huella: 'F'.repeat(64),
        external_ref: 'A1',
        presented_at: '2026-03-05T10:00:00+01:00',
        modified_at: '2026-03-06T10:00:00+01:00',
        request_id: '77',
      },
    ])
  })

  it('gives the start of the next page, even if it follows only from the last record', () => {
    const other = { ...key, NumSerieFactura: 'WEB-000099' }
    expect(answer([row('Correcto')]).page_after).toBeNull()
    expect(answer([row('Correcto')], { IndicadorPaginacion: 'S' }).page_after).toEqual(key)
    const said = answer([row('Correcto')], { IndicadorPaginacion: 'S', ClavePaginacion: other })
    expect(said.page_after).toEqual(other)
    expect(answer([], { IndicadorPaginacion: 'S' }).page_after).toBeNull()
    const again = recordsQuery({ issuer, month: '2026-03', page_after: said.page_after ?? key })
    expect(again.FiltroConsulta.ClavePaginacion).toEqual(other)
  })

  it('without members that the schema requires is read as far as possible, and a text is an error', () => {
    expect(answer([{}])).toEqual({
      month: '2026-03',
      lines: [
        {
          nif: '',
          num_serie: '',
          fecha_expedicion: '',
          state: 'unknown',
          code: null,
          description: null,
          explanation: null,
          huella: null,
          external_ref: null,
          presented_at: null,
          modified_at: null,
          request_id: null,
          record: null,
        },
      ],
      page_after: null,
    })
    expect(answer([], { PeriodoImputacion: { Ejercicio: '2026' } }).month).toBeNull()
    expect(readRecordsResponse({} as RespuestaConsulta)).toEqual({ month: null, lines: [], page_after: null })
    expect(() => readRecordsResponse('<a/>' as never)).toThrow(TypeError)
  })
})
