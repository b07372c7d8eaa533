/** Tests of messages and queries: roots, headers, limits, and refusals. */
import { describe, expect, it } from 'vitest'
import { required } from '../../src/errors/index.ts'
import {
  collectionRecord,
  deletionRecord,
  issuedRecord,
  MAX_SII_RECORDS,
  paymentRecord,
  readSii,
  receivedRecord,
  type SubmissionInput,
  siiQuery,
  siiXml,
  submission,
} from '../../src/sii/index.ts'
import { XmlWriteError } from '../../src/xml/index.ts'
import { HOLDER, issued, itemsOf, type Loose, line, messageOf, received, recordOf } from './invoices.ts'
import { officialSchema } from './schema.ts'

const CASH = { tax_regime_key: '07' }
const record = recordOf(issuedRecord(issued([line(1, 21)])))
const payment = [{ date: '2026-04-01', amount: 1 }]

const message = (more: Partial<SubmissionInput> = {}) =>
  submission({ book: 'ISSUED', operation: 'A0', holder: HOLDER, records: [record], ...more })

const valid = (xml: string) => {
  if (officialSchema) expect(officialSchema()(xml)).toEqual([])
}

describe('submission', () => {
  const received1 = received([line(1, 21)])
  const cases: [string, Partial<SubmissionInput>][] = [
    ['SuministroLRFacturasEmitidas', { operation: 'A0' }],
    ['SuministroLRFacturasEmitidas', { operation: 'A1' }],
    ['SuministroLRFacturasEmitidas', { operation: 'A4' }],
    [
      'BajaLRFacturasEmitidas',
      { operation: 'BAJA', records: [recordOf(deletionRecord(issued([line(1, 21)])))] },
    ],
    [
      'SuministroLRCobrosEmitidas',
      { operation: 'COBROS', records: [recordOf(collectionRecord(issued([line(1, 21, CASH)]), payment))] },
    ],
    [
      'SuministroLRFacturasRecibidas',
      { book: 'RECEIVED', operation: 'A1', records: [recordOf(receivedRecord(received1))] },
    ],
    [
      'BajaLRFacturasRecibidas',
      { book: 'RECEIVED', operation: 'BAJA', records: [recordOf(deletionRecord(received1))] },
    ],
    [
      'SuministroLRPagosRecibidas',
      {
        book: 'RECEIVED',
        operation: 'PAGOS',
        records: [recordOf(paymentRecord(received([line(1, 21, CASH)]), payment))],
      },
    ],
  ]

  it.each(cases)('builds %s, valid with and without the envelope', (root, more) => {
    const made = messageOf(message(more))
    expect(made.root).toBe(root)
    const { Cabecera } = made.value as Loose
    const communication = ['A0', 'A1', 'A4'].includes(required(more.operation)) ? more.operation : undefined
    expect(Cabecera.TipoComunicacion).toBe(communication)
    for (const soap of [false, true]) {
      const xml = siiXml(made, { soap })
      expect(xml.includes('<soapenv:Envelope')).toBe(soap)
      expect(readSii(xml)).toMatchObject({ ok: true, ...made, items: [] })
      valid(xml)
    }
  })

  it('throws for an invalid combination and lists the valid ones', () => {
    expect(() => message({ operation: 'PAGOS' })).toThrow(/ISSUED has A0, A1, .*COBROS/)
    expect(() => message({ book: 'RECEIVED', operation: 'COBROS' })).toThrow(TypeError)
    expect(() => message({ book: 'OTHER' as never })).toThrow(TypeError)
  })

  it('holds 1 to 10,000 records', () => {
    expect(itemsOf(message({ records: [] }))).toEqual(['sii.record_count /records'])
    const many = Array.from({ length: MAX_SII_RECORDS }, (_, i) => ({
      ...record,
      IDFactura: { ...record.IDFactura, NumSerieFacturaEmisor: `F-${i}` },
    }))
    expect(message({ records: many }).ok).toBe(true)
    expect(itemsOf(message({ records: [...many, record] }))).toEqual(['sii.record_count /records'])
  })

  it('has one holder, and each invoice once', () => {
    const foreign = { ...record, IDFactura: { ...record.IDFactura, IDEmisorFactura: { NIF: 'A58818501' } } }
    expect(itemsOf(message({ records: [record, foreign] }))).toEqual([
      'sii.holder_mismatch /records/1/IDFactura/IDEmisorFactura/NIF',
    ])
    expect(itemsOf(message({ records: [record, record] }))).toEqual([
      'sii.duplicate_record /records/1/IDFactura',
    ])
    const dua = recordOf(
      receivedRecord(
        received([line(1, 21)], (one) => {
          one.issue_data.is_dua = true
        }),
      ),
    )
    const other = { name: 'OTRA SL', nif: 'A58818501' }
    expect(itemsOf(message({ book: 'RECEIVED', holder: other, records: [dua] }))).toEqual([
      'sii.holder_mismatch /records/0/IDFactura/IDEmisorFactura/NIF',
    ])
  })

  it('needs a holder with a NIF, and a representative for a minor', () => {
    expect(itemsOf(message({ holder: { name: 'X', nif: '123' } }))).toEqual(['sii.holder_nif /holder/nif'])
    const representative = { ...HOLDER, representative: '12345678Z' }
    const made = messageOf(message({ holder: representative })).value as Loose
    expect(made.Cabecera.Titular).toEqual({
      NombreRazon: HOLDER.name,
      NIFRepresentante: '12345678Z',
      NIF: HOLDER.nif,
    })
    for (const wrong of [HOLDER.nif, 'unknown'])
      expect(itemsOf(message({ holder: { ...HOLDER, representative: wrong } }))).toEqual([
        'sii.representative /holder/representative',
      ])
    expect(itemsOf(message({ holder: { name: 'Niño', nif: 'K1234567L' }, records: [] }))).toContain(
      'sii.representative /holder/representative',
    )
  })

  it('refuses a record of another book', () => {
    const items = itemsOf(message({ records: [recordOf(deletionRecord(issued([line(1, 21)])))] }))
    expect(items).toContain('sii.schema /RegistroLRFacturasEmitidas/0/FacturaExpedida')
    expect(itemsOf(message({ records: ['x' as never] }))).toEqual([
      'sii.schema /RegistroLRFacturasEmitidas/0',
    ])
    expect(() => siiXml({ root: 'SuministroLRFacturasEmitidas', value: {} })).toThrow(XmlWriteError)
  })
})

describe('siiQuery', () => {
  const base = { book: 'ISSUED' as const, holder: HOLDER, period: '2026-03' }

  it('without a period is an exception', () => {
    expect(() => siiQuery({ ...base, period: undefined } as never)).toThrow(
      'a query needs its period, YYYY-MM',
    )
  })

  it('needs only a period', () => {
    expect(messageOf(siiQuery(base))).toEqual({
      root: 'ConsultaLRFacturasEmitidas',
      value: {
        Cabecera: { IDVersionSii: '1.1', Titular: { NombreRazon: HOLDER.name, NIF: HOLDER.nif } },
        FiltroConsulta: { PeriodoLiquidacion: { Ejercicio: '2026', Periodo: '03' } },
      },
    })
  })

  it('is valid with every filter in both books, and reads back equal', () => {
    const filters = {
      number: 'F-1',
      issue_date: '2026-03-10',
      presented: { from: '2026-03-11', to: '2026-03-12' },
      reconciliation: '3' as const,
      modified: true,
      counterparty: { name: 'CLIENTE UNO SA', nif: 'A58818501' },
    }
    const page = {
      NumSerieFacturaEmisor: 'F-9',
      FechaExpedicionFacturaEmisor: '09-03-2026',
    }
    const issuedQuery = siiQuery({
      ...base,
      ...filters,
      page_after: { IDEmisorFactura: { NIF: HOLDER.nif }, ...page },
    })
    const id = { country: 'US', type: '04', number: '987654321' }
    const receivedQuery = siiQuery({
      ...base,
      ...filters,
      book: 'RECEIVED',
      counterparty: { name: 'ACME', id },
      page_after: { IDEmisorFactura: { NombreRazon: 'ACME', NIF: 'A58818501' }, ...page },
    })
    for (const result of [issuedQuery, receivedQuery]) {
      const made = messageOf(result)
      const xml = siiXml(made, { soap: true })
      valid(xml)
      expect(readSii(xml)).toMatchObject({ ok: true, ...made })
    }
    expect((messageOf(receivedQuery).value as Loose).FiltroConsulta.IDFactura.IDEmisorFactura.IDOtro.ID).toBe(
      '987654321',
    )
    expect((messageOf(issuedQuery).value as Loose).FiltroConsulta.Contraparte.NIF).toBe('A58818501')
  })

  it('refuses what the schema refuses, and throws for wrong months, days and books', () => {
    expect(itemsOf(siiQuery({ ...base, number: 'x'.repeat(61) }))).toEqual([
      'sii.schema /FiltroConsulta/IDFactura/NumSerieFacturaEmisor',
    ])
    expect(() => siiQuery({ ...base, period: '2026' })).toThrow(TypeError)
    expect(() => siiQuery({ ...base, period: undefined as never })).toThrow(TypeError)
    expect(() => siiQuery({ ...base, issue_date: '10-03-2026' })).toThrow(TypeError)
    expect(() => siiQuery({ ...base, book: 'X' as never })).toThrow(TypeError)
  })
})
