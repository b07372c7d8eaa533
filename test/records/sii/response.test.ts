/** Tests of the tax authority's responses: lines, states, faults, queries, and unrelated texts. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { writeXml } from '#core/xml/index.ts'
import {
  NEXT_STEPS,
  readQueryResponse,
  readResponse,
  readSii,
  SII_ERROR_CODES,
  statusOf,
} from '#records/sii/index.ts'
import { vocabulary } from '#records/sii/model/sii-vocabulary.ts'
import { HOLDER, itemsOf, type Loose } from './invoices.ts'
import { samples } from './schema.ts'

const HEADER = { IDVersionSii: '1.1', Titular: { NombreRazon: HOLDER.name, NIF: HOLDER.nif } }
const ID = {
  IDEmisorFactura: { NIF: 'B12345674' },
  NumSerieFacturaEmisor: 'F-1',
  FechaExpedicionFacturaEmisor: '10-03-2026',
}

/** Returns a response with one line. */
const answer = (
  line: object,
  root = 'RespuestaLRFacturasEmitidas',
  operation: string | null = 'A0',
  state = 'Incorrecto',
) =>
  writeXml(
    vocabulary(),
    root,
    {
      Cabecera: operation === null ? HEADER : { ...HEADER, TipoComunicacion: operation },
      EstadoEnvio: state,
      RespuestaLinea: [{ IDFactura: ID, ...line }],
    },
    { soap: true },
  )

const responseOf = (xml: string, options = {}): Loose => {
  const read = readResponse(xml, options)
  if (!read.ok) throw new Error(JSON.stringify(read.items))
  return read.response
}
const next = (xml: string): string => responseOf(xml).lines[0].next

describe('the timestamp of a response', () => {
  const timestamp = '10-03-2026 09:05:59'
  const xml = writeXml(vocabulary(), 'RespuestaLRFacturasEmitidas', {
    CSV: 'A-1',
    DatosPresentacion: { NIFPresentador: 'B12345674', TimestampPresentacion: timestamp },
    Cabecera: { ...HEADER, TipoComunicacion: 'A0' },
    EstadoEnvio: 'Correcto',
    RespuestaLinea: [{ IDFactura: ID, EstadoRegistro: 'Correcto' }],
  })
  const presented = (other: string) => responseOf(xml.replace(timestamp, other)).presented_at

  it('is a calendar day and a time, or null', () => {
    expect(presented('10-03-2026 09:05:59')).toBe('2026-03-10T09:05:59')
    const wrongs = [
      ...['31-02-2026 09:05:59', '10-03-2026 9:05', '10-03-2026T09:05:59', '10-03-2026x 09:05:59'],
      ...['10-03-2026 09:05:59.5', '10-03-2026', 'x', ' '],
    ]
    for (const wrong of wrongs) expect(presented(wrong), wrong).toBeNull()
  })
})

describe('next step', () => {
  const rejected = (code?: string, more = {}) => ({
    EstadoRegistro: 'Incorrecto',
    ...(code === undefined ? {} : { CodigoErrorRegistro: code }),
    ...more,
  })

  it('is known for a registration', () => {
    expect(next(answer({ EstadoRegistro: 'Correcto' }))).toBe('none')
    expect(next(answer({ EstadoRegistro: 'AceptadoConErrores', CodigoErrorRegistro: '2011' }))).toBe('modify')
    expect(next(answer(rejected('1105')))).toBe('resend')
    expect(next(answer(rejected()))).toBe('resend')
    expect(next(answer(rejected('3000', { RegistroDuplicado: { EstadoRegistro: 'Correcta' } })))).toBe(
      'adopt',
    )
    expect(next(answer(rejected('3000')))).toBe('adopt')
    expect(next(answer(rejected('3500')))).toBe('retry')
  })

  it('resends a refused deletion unless the record is already deleted', () => {
    const deleted = (code: string) => next(answer(rejected(code), 'RespuestaLRBajaFacturasEmitidas', null))
    expect(deleted('3001')).toBe('done')
    for (const code of ['3000', '3002', '1105']) expect(deleted(code), code).toBe('resend')
  })

  it('is known for a modification and a deletion', () => {
    expect(next(answer(rejected('3002'), 'RespuestaLRFacturasEmitidas', 'A1'))).toBe('register')
    expect(next(answer(rejected('3002')))).toBe('resend')
    const deletion = (code: string) => next(answer(rejected(code), 'RespuestaLRBajaFacturasEmitidas', null))
    expect(deletion('3001')).toBe('done')
    expect(deletion('3002')).toBe('resend')
  })

  it('is known for every code of the authority and every operation', () => {
    const retry = Object.fromEntries(
      ['3500', '3501', '3502', '4103', '4107', '4112', '4113', '4115'].map((code) => [code, 'retry']),
    )
    const operations: [string, string | null, object][] = [
      ['RespuestaLRFacturasEmitidas', 'A0', { 3000: 'adopt', ...retry }],
      ['RespuestaLRFacturasEmitidas', 'A1', { 3000: 'adopt', 3002: 'register', ...retry }],
      ['RespuestaLRCobrosEmitidas', null, { 3000: 'adopt', 3002: 'register', ...retry }],
      ['RespuestaLRBajaFacturasEmitidas', null, { 3001: 'done', ...retry }],
    ]
    for (const [root, operation, expected] of operations) {
      const steps = SII_ERROR_CODES.map(({ code }) => [
        code,
        next(answer(rejected(String(code)), root, operation)),
      ])
      expect(Object.fromEntries(steps.filter(([, step]) => step !== 'resend')), root).toEqual(expected)
    }
  })

  it('adopts the state of a duplicate whatever the code of its line', () => {
    const duplicate = rejected('1100', { RegistroDuplicado: { EstadoRegistro: 'Correcta' } })
    expect(next(answer(duplicate))).toBe('adopt')
  })

  it('needs no action for a record that the response calls deleted', () => {
    expect(
      next(answer(rejected()).replace('<siiR:EstadoRegistro>Incorrecto', '<siiR:EstadoRegistro>Anulada')),
    ).toBe('none')
  })

  it('has a text in both languages', () => {
    const xml = answer({ EstadoRegistro: 'Correcto' })
    expect(responseOf(xml).lines[0].next_text).toBe(NEXT_STEPS.none.en)
    expect(responseOf(xml, { locale: 'es' }).lines[0].next_text).toBe(NEXT_STEPS.none.es)
    for (const { en, es } of Object.values(NEXT_STEPS)) expect(en).not.toBe(es)
  })
})

describe('states', () => {
  it('are read in either grammatical gender', () => {
    expect(['Correcto', 'Correcta'].map(statusOf)).toEqual(['accepted', 'accepted'])
    expect(['AceptadoConErrores', 'AceptadaConErrores'].map(statusOf)).toEqual([
      'accepted_with_errors',
      'accepted_with_errors',
    ])
    expect(['Incorrecto', 'Anulada', 'Otra'].map(statusOf)).toEqual(['rejected', 'deleted', 'unknown'])
    const feminine = answer({ EstadoRegistro: 'Correcto' }).replace('>Correcto<', '>Correcta<')
    expect(responseOf(feminine).lines[0]).toMatchObject({
      aeat_record_state: 'Correcta',
      item_status: 'accepted',
    })
  })

  it('of a message are the literal and one of three values', () => {
    expect(responseOf(answer({ EstadoRegistro: 'Correcto' }, undefined, 'A0', 'Correcto'))).toMatchObject({
      aeat_state: 'Correcto',
      global_status: 'accepted',
    })
    expect(responseOf(answer({ EstadoRegistro: 'Incorrecto' })).global_status).toBe('rejected')
  })

  it('of a message that does not state one follow from its lines', () => {
    const silent = (states: readonly string[]) => {
      const xml = writeXml(vocabulary(), 'RespuestaLRFacturasEmitidas', {
        Cabecera: { ...HEADER, TipoComunicacion: 'A0' },
        EstadoEnvio: 'Correcto',
        RespuestaLinea: states.map((EstadoRegistro) => ({ IDFactura: ID, EstadoRegistro })),
      })
      const { aeat_state, global_status } = responseOf(
        xml.replace(/<siiR:EstadoEnvio>.*<\/siiR:EstadoEnvio>/, ''),
      )
      expect(aeat_state).toBeNull()
      return global_status
    }
    expect(silent(['Correcto', 'Correcto'])).toBe('accepted')
    expect(silent(['AceptadoConErrores'])).toBe('partially_accepted')
    expect(silent(['Correcto', 'Incorrecto'])).toBe('partially_accepted')
    expect(silent(['Incorrecto', 'AceptadoConErrores'])).toBe('partially_accepted')
    expect(silent(['Incorrecto', 'Incorrecto'])).toBe('rejected')
  })

  it('books and operations follow from the root element', () => {
    const line = { EstadoRegistro: 'Correcto' }
    const kind = (root: string, operation: string | null, more = {}) => {
      const { book_type, operation_type } = responseOf(answer({ ...line, ...more }, root, operation))
      return `${book_type} ${operation_type}`
    }
    expect(kind('RespuestaLRFacturasEmitidas', 'A1')).toBe('ISSUED A1')
    expect(kind('RespuestaLRFacturasRecibidas', 'A0')).toBe('RECEIVED A0')
    expect(kind('RespuestaLRBajaFacturasEmitidas', null)).toBe('ISSUED BAJA')
    expect(kind('RespuestaLRCobrosEmitidas', null)).toBe('ISSUED COBROS')
    const named = { IDFactura: { ...ID, IDEmisorFactura: { NombreRazon: 'X', NIF: 'B65410011' } } }
    expect(kind('RespuestaLRBajaFacturasRecibidas', null, named)).toBe('RECEIVED BAJA')
    expect(kind('RespuestaLRPagosRecibidas', null, named)).toBe('RECEIVED PAGOS')
  })
})

describe('the summary of a response', () => {
  it('has the message, and each line with its invoice, state, error and duplicate', () => {
    const foreign = {
      ...ID,
      IDEmisorFactura: { IDOtro: { CodigoPais: 'US', IDType: '04', ID: '987654321' } },
    }
    const xml = writeXml(vocabulary(), 'RespuestaLRFacturasRecibidas', {
      CSV: 'A-1',
      DatosPresentacion: { NIFPresentador: 'A58818501', TimestampPresentacion: '10-03-2026 09:05:59' },
      Cabecera: { ...HEADER, TipoComunicacion: 'A0' },
      EstadoEnvio: 'ParcialmenteCorrecto',
      RespuestaLinea: [
        { IDFactura: foreign, RefExterna: 'PED-1', EstadoRegistro: 'Correcto', CSV: 'A-2' },
        {
          IDFactura: { ...ID, IDEmisorFactura: { NIF: 'B65410011' } },
          EstadoRegistro: 'Incorrecto',
          CodigoErrorRegistro: '3000',
          DescripcionErrorRegistro: 'Factura duplicada',
          RegistroDuplicado: {
            EstadoRegistro: 'AceptadaConErrores',
            CodigoErrorRegistro: '2011',
            DescripcionErrorRegistro: 'NIF no censado',
          },
        },
      ],
    })
    expect(readResponse(xml)).toEqual({
      ok: true,
      items: [],
      response: {
        root: 'RespuestaLRFacturasRecibidas',
        book_type: 'RECEIVED',
        operation_type: 'A0',
        global_status: 'partially_accepted',
        aeat_state: 'ParcialmenteCorrecto',
        csv: 'A-1',
        presenter_nif: 'A58818501',
        presented_at: '2026-03-10T09:05:59',
        holder: HOLDER,
        error_code: null,
        error_description: null,
        lines: [
          {
            issuer_id: '987654321',
            invoice_number: 'F-1',
            issue_date: '2026-03-10',
            external_ref: 'PED-1',
            aeat_record_state: 'Correcto',
            item_status: 'accepted',
            error_code: null,
            error_description: null,
            csv: 'A-2',
            duplicate: null,
            next: 'none',
            next_text: NEXT_STEPS.none.en,
          },
          {
            issuer_id: 'B65410011',
            invoice_number: 'F-1',
            issue_date: '2026-03-10',
            external_ref: null,
            aeat_record_state: 'Incorrecto',
            item_status: 'rejected',
            error_code: '3000',
            error_description: 'Factura duplicada',
            csv: null,
            duplicate: {
              aeat_record_state: 'AceptadaConErrores',
              item_status: 'accepted_with_errors',
              error_code: '2011',
              error_description: 'NIF no censado',
            },
            next: 'adopt',
            next_text: NEXT_STEPS.adopt.en,
          },
        ],
        next: null,
        next_text: null,
      },
    })
  })

  it('is empty for a response without lines, and reads blank elements as missing', () => {
    const xml = answer({ EstadoRegistro: 'Correcto', CSV: 'A-2' })
    const bare = xml.replace(/<siiR:RespuestaLinea>.*<\/siiR:RespuestaLinea>/s, '')
    expect(responseOf(bare).lines).toEqual([])
    expect(responseOf(xml.replace('>A-2<', '> <')).lines[0].csv).toBeNull()
    expect(responseOf(xml.replace('>A-2<', '> A-2 <')).lines[0].csv).toBe('A-2')
  })
})

describe('faults', () => {
  const envelope = 'http://schemas.xmlsoap.org/soap/envelope/'
  const fault = (text: string, code = 'env:Client') =>
    `<?xml version="1.0"?><env:Envelope xmlns:env="${envelope}"><env:Body><env:Fault><faultcode>${code}</faultcode><faultstring>${text}</faultstring><detail><callstack>x</callstack></detail></env:Fault></env:Body></env:Envelope>`

  it('have the code of the tax authority', () => {
    expect(
      responseOf(fault('Codigo[4102].XML no cumple el esquema. Falta informar campo obligatorio.: Cabecera')),
    ).toEqual({
      root: 'Fault',
      book_type: null,
      operation_type: null,
      global_status: 'error',
      aeat_state: null,
      csv: null,
      presenter_nif: null,
      presented_at: null,
      holder: null,
      error_code: '4102',
      error_description: 'XML no cumple el esquema. Falta informar campo obligatorio.: Cabecera',
      lines: [],
      next: 'resend',
      next_text: NEXT_STEPS.resend.en,
    })
    expect(responseOf(fault('Codigo[4103].Error inesperado')).next).toBe('retry')
    expect(responseOf(fault('Codigo[3501].Error técnico')).next).toBe('retry')
  })

  it('may lack a code', () => {
    expect(responseOf(fault('Certificado no válido'))).toMatchObject({
      error_code: null,
      error_description: 'Certificado no válido',
      next: 'resend',
    })
    expect(responseOf(fault('Fuera de servicio', 'env:Server')).next).toBe('retry')
    expect(readSii(fault('Codigo[4102]'))).toMatchObject({
      root: 'Fault',
      value: { code: 4102, text: '', client: true },
    })
  })
})

describe('texts that are not responses', () => {
  const xml = answer({ EstadoRegistro: 'Correcto' })

  it('give items with line and column, never an exception', () => {
    const texts = [
      '',
      'x',
      '<html><body>503 Service Unavailable</body></html>',
      '<a',
      xml.slice(0, 400),
      `<!DOCTYPE x [<!ENTITY a "b">]>${xml.replace(/<\?xml.*?\?>/, '')}`,
      xml.replace('UTF-8', 'ISO-8859-1'),
      xml.replace('Correcto', '&unknown;'),
      '<a>'.repeat(500),
    ]
    for (const text of texts)
      for (const read of [readSii(text), readResponse(text), readQueryResponse(text)]) {
        expect(read.ok, text.slice(0, 60)).toBe(false)
        const items = read.ok ? [] : read.items
        expect(items[0]?.code).toMatch(/^xml\.(malformed|doctype|encoding|no_record|limit)$/)
        expect(items[0]?.extra).toMatchObject({ line: expect.any(Number), column: expect.any(Number) })
        expect(items[0]?.severity).toBe('error')
      }
  })

  it('every prefix of a response is refused, and no missing character causes an exception', () => {
    for (let at = 0; at < xml.length - 1; at += 7) expect(readResponse(xml.slice(0, at)).ok).toBe(false)
    for (let at = 0; at < xml.length; at++) readResponse(xml.slice(0, at) + xml.slice(at + 1))
  })

  it('a message is refused as a response, and so is the response to another message', () => {
    const message = samples['issued-f1-domestic']
    if (message) expect(itemsOf(readResponse(message))).toEqual(['sii.not_a_response '])
    expect(itemsOf(readQueryResponse(xml))).toEqual(['sii.not_a_response '])
  })

  it('unknown elements are tolerated, with a warning', () => {
    const read = readResponse(
      xml.replace('<siiR:EstadoEnvio>', '<siiR:Nuevo>1</siiR:Nuevo><siiR:EstadoEnvio>'),
    )
    expect(read.ok).toBe(true)
    expect(read.items).toMatchObject([{ code: 'xml.unknown_element', severity: 'warning' }])
  })

  it('an incomplete response is read as far as possible', () => {
    const root = 'RespuestaLRFacturasEmitidas'
    const namespace = required(vocabulary().roots.get(root)).namespace
    expect(responseOf(`<r:${root} xmlns:r="${namespace}"><r:RespuestaLinea/></r:${root}>`)).toMatchObject({
      csv: null,
      holder: { name: null, nif: null },
      global_status: 'rejected',
      lines: [
        {
          issuer_id: null,
          invoice_number: null,
          issue_date: null,
          aeat_record_state: '',
          item_status: 'unknown',
        },
      ],
    })
  })
})

describe('queries', () => {
  const stored = (number: string, more = {}) => ({
    IDFactura: { ...ID, NumSerieFacturaEmisor: number },
    DatosFacturaEmitida: {
      TipoFactura: 'F1',
      ClaveRegimenEspecialOTrascendencia: '01',
      DescripcionOperacion: 'x',
      TipoDesglose: { DesgloseFactura: { NoSujeta: { ImporteTAIReglasLocalizacion: '1.00' } } },
      Cobros: 'N',
    },
    DatosPresentacion: {
      NIFPresentador: HOLDER.nif,
      TimestampPresentacion: '12-03-2026 10:15:30',
      CSV: 'C1',
    },
    EstadoFactura: {
      EstadoCuadre: '3',
      TimestampUltimaModificacion: '13-03-2026 08:00:00',
      EstadoRegistro: 'AceptadaConErrores',
      CodigoErrorRegistro: '2011',
      ...more,
    },
  })
  const page = (more: 'S' | 'N', records: object[]) =>
    writeXml(vocabulary(), 'RespuestaConsultaLRFacturasEmitidas', {
      Cabecera: HEADER,
      PeriodoLiquidacion: { Ejercicio: '2026', Periodo: '03' },
      IndicadorPaginacion: more,
      ResultadoConsulta: records.length > 0 ? 'ConDatos' : 'SinDatos',
      ...(records.length > 0 ? { RegistroRespuestaConsultaLRFacturasEmitidas: records } : {}),
    })

  it('list the stored records, with states, dates and the matching', () => {
    const read = readQueryResponse(page('N', [stored('F-1'), stored('F-2', { EstadoRegistro: 'Anulada' })]))
    expect(read).toMatchObject({
      ok: true,
      response: {
        book_type: 'ISSUED',
        period: '2026-03',
        page_after: null,
        records: [
          {
            invoice_number: 'F-1',
            issue_date: '2026-03-10',
            aeat_record_state: 'AceptadaConErrores',
            item_status: 'accepted_with_errors',
            error_code: '2011',
            csv: 'C1',
            presented_at: '2026-03-12T10:15:30',
            modified_at: '2026-03-13T08:00:00',
            reconciliation: '3',
            record: { TipoFactura: 'F1' },
          },
          { invoice_number: 'F-2', item_status: 'deleted' },
        ],
      },
    })
  })

  it('return the start of the next page', () => {
    const read = readQueryResponse(page('S', [stored('F-1'), stored('F-2')]))
    expect(read.ok && read.response.page_after).toEqual({ ...ID, NumSerieFacturaEmisor: 'F-2' })
    const empty = readQueryResponse(page('N', []))
    expect(empty).toMatchObject({ ok: true, response: { records: [], page_after: null } })
  })

  it('of the received book return the start of the next page with the name of the issuer', () => {
    const supplier = { NombreRazon: 'PROVEEDOR SL', NIF: 'B65410011' }
    const bill = {
      ...stored('A-77'),
      IDFactura: { ...ID, IDEmisorFactura: { NIF: supplier.NIF }, NumSerieFacturaEmisor: 'A-77' },
      DatosFacturaEmitida: undefined,
      DatosFacturaRecibida: {
        TipoFactura: 'F1',
        ClaveRegimenEspecialOTrascendencia: '01',
        DescripcionOperacion: 'x',
        DesgloseFactura: { DesgloseIVA: { DetalleIVA: [{ BaseImponible: '1.00' }] } },
        Contraparte: supplier,
        FechaRegContable: '11-03-2026',
        CuotaDeducible: '0.00',
        Pagos: 'N',
      },
    }
    const xml = writeXml(vocabulary(), 'RespuestaConsultaLRFacturasRecibidas', {
      Cabecera: HEADER,
      PeriodoLiquidacion: { Ejercicio: '2026', Periodo: '03' },
      IndicadorPaginacion: 'S',
      ResultadoConsulta: 'ConDatos',
      RegistroRespuestaConsultaLRFacturasRecibidas: [bill],
    })
    expect(readQueryResponse(xml)).toEqual({
      ok: true,
      items: [],
      response: {
        book_type: 'RECEIVED',
        period: '2026-03',
        records: [
          {
            issuer_id: 'B65410011',
            invoice_number: 'A-77',
            issue_date: '2026-03-10',
            aeat_record_state: 'AceptadaConErrores',
            item_status: 'accepted_with_errors',
            error_code: '2011',
            error_description: null,
            csv: 'C1',
            presented_at: '2026-03-12T10:15:30',
            modified_at: '2026-03-13T08:00:00',
            reconciliation: '3',
            record: bill.DatosFacturaRecibida,
          },
        ],
        page_after: { ...ID, IDEmisorFactura: supplier, NumSerieFacturaEmisor: 'A-77' },
      },
    })
    const unnamed = readQueryResponse(xml.replace(/<\w+:Contraparte>.*?<\/\w+:Contraparte>/s, ''))
    expect(unnamed.ok && unnamed.response.page_after).toMatchObject({
      IDEmisorFactura: { NombreRazon: '', NIF: 'B65410011' },
    })
  })

  it('that arrive incomplete are read as far as possible', () => {
    const xml = page('S', [stored('F-1')])
    const without = (name: string): Loose => {
      const read = readQueryResponse(xml.replace(new RegExp(`<(\\w+:${name})>.*</\\1>`, 's'), ''))
      if (!read.ok) throw new Error(JSON.stringify(read.items))
      return read.response
    }
    expect(without('Ejercicio').period).toBeNull()
    expect(without('Periodo').period).toBeNull()
    expect(without('DatosFacturaEmitida').records[0].record).toBeNull()
    expect(without('RegistroRespuestaConsultaLRFacturasEmitidas')).toMatchObject({
      records: [],
      page_after: null,
    })
  })
})
