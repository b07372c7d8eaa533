/** Tests of messages and queries: roots, headers, limits, and refusals. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { XmlWriteError } from '#core/xml/index.ts'
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
} from '#records/sii/index.ts'
import { setTo } from '../../put.ts'
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
    const { Cabecera }: Loose = made.value
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
    const dua = recordOf(receivedRecord(received([line(1, 21)], setTo('issue_data/is_dua', true))))
    const other = { name: 'OTRA SL', nif: 'A58818501' }
    expect(itemsOf(message({ book: 'RECEIVED', holder: other, records: [dua] }))).toEqual([
      'sii.holder_mismatch /records/0/IDFactura/IDEmisorFactura/NIF',
    ])
  })

  it('may have two invoices of one number from different suppliers, and several payments of one invoice', () => {
    const bill = (supplier: object, more = {}) =>
      received([line(1, 21, more)], (one) => {
        Object.assign(one.supplier, supplier)
      })
    const suppliers = [
      {},
      { tax_id: 'A58818501' },
      { tax_id: 'DE136695976', country_code: 'DE' },
      { tax_id: 'FR40303265045', country_code: 'FR' },
    ]
    const bills = suppliers.map((supplier) => recordOf(receivedRecord(bill(supplier))))
    expect(itemsOf(message({ book: 'RECEIVED', records: bills }))).toEqual([])
    expect(itemsOf(message({ book: 'RECEIVED', records: [...bills, bills[3]] }))).toEqual([
      'sii.duplicate_record /records/4/IDFactura',
    ])
    const collection = recordOf(collectionRecord(issued([line(1, 21, CASH)]), payment))
    expect(itemsOf(message({ operation: 'COBROS', records: [collection, collection] }))).toEqual([])
    const paid = recordOf(paymentRecord(bill({}, CASH), payment))
    expect(itemsOf(message({ book: 'RECEIVED', operation: 'PAGOS', records: [paid, paid] }))).toEqual([])
  })

  it('needs a holder with a NIF, and a representative for a minor', () => {
    expect(itemsOf(message({ holder: { name: 'X', nif: '123' } }))).toEqual(['sii.holder_nif /holder/nif'])
    expect(itemsOf(message({ holder: { name: 'X' } as never }))).toEqual(['sii.holder_nif /holder/nif'])
    const extraOf = (holder: object) => (message({ holder: holder as never }) as Loose).items[0].extra
    expect(extraOf({ name: 'X', nif: '123' })).toEqual({ received: '123' })
    expect(extraOf({ ...HOLDER, representative: 'unknown' })).toEqual({ received: 'unknown' })
    const representative = { ...HOLDER, representative: '12345678Z' }
    const made: Loose = messageOf(message({ holder: representative })).value
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
  const filterOf = (result: ReturnType<typeof siiQuery>) => (messageOf(result).value as Loose).FiltroConsulta

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
    const page = { NumSerieFacturaEmisor: 'F-9', FechaExpedicionFacturaEmisor: '09-03-2026' }
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
    const common = {
      PeriodoLiquidacion: { Ejercicio: '2026', Periodo: '03' },
      FechaPresentacion: { Desde: '11-03-2026', Hasta: '12-03-2026' },
      FacturaModificada: 'S',
      EstadoCuadre: '3',
    }
    const invoice = { NumSerieFacturaEmisor: 'F-1', FechaExpedicionFacturaEmisor: '10-03-2026' }
    expect(filterOf(issuedQuery)).toEqual({
      ...common,
      IDFactura: invoice,
      Contraparte: { NombreRazon: 'CLIENTE UNO SA', NIF: 'A58818501' },
      ClavePaginacion: { IDEmisorFactura: { NIF: HOLDER.nif }, ...page },
    })
    expect(filterOf(receivedQuery)).toEqual({
      ...common,
      IDFactura: {
        IDEmisorFactura: { NombreRazon: 'ACME', IDOtro: { CodigoPais: 'US', IDType: '04', ID: '987654321' } },
        ...invoice,
      },
      ClavePaginacion: { IDEmisorFactura: { NombreRazon: 'ACME', NIF: 'A58818501' }, ...page },
    })
  })

  it('takes each filter alone', () => {
    const PeriodoLiquidacion = { Ejercicio: '2026', Periodo: '03' }
    const vat = { type: '02', number: 'DE136695976' }
    const filters: [object, object][] = [
      [{ number: 'F-1' }, { IDFactura: { NumSerieFacturaEmisor: 'F-1' } }],
      [{ issue_date: '2026-03-10' }, { IDFactura: { FechaExpedicionFacturaEmisor: '10-03-2026' } }],
      [{ presented: { from: '2026-03-11' } }, { FechaPresentacion: { Desde: '11-03-2026' } }],
      [{ presented: { to: '2026-03-12' } }, { FechaPresentacion: { Hasta: '12-03-2026' } }],
      [{ presented: {} }, {}],
      [{ modified: false }, { FacturaModificada: 'N' }],
      [{ reconciliation: '5' }, { EstadoCuadre: '5' }],
      [
        { counterparty: { name: 'KUNDE', id: vat } },
        { Contraparte: { NombreRazon: 'KUNDE', IDOtro: { IDType: '02', ID: 'DE136695976' } } },
      ],
    ]
    for (const [filter, expected] of filters)
      expect(filterOf(siiQuery({ ...base, ...filter }))).toEqual({ PeriodoLiquidacion, ...expected })
  })

  it('names only the holder, even if it is a minor', () => {
    const holder = { name: 'Niño', nif: 'K1234567L' }
    for (const one of [holder, { ...holder, representative: '12345678Z' }])
      expect((messageOf(siiQuery({ ...base, holder: one })).value as Loose).Cabecera.Titular).toEqual({
        NombreRazon: 'Niño',
        NIF: 'K1234567L',
      })
    expect(itemsOf(siiQuery({ ...base, holder: { name: 'X', nif: '1' } }))).toEqual([
      'sii.holder_nif /holder/nif',
    ])
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
