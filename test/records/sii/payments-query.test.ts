/** Tests of queries of collections and payments and of their responses. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { writeXml } from '#core/xml/index.ts'
import { toFecha, toImporte } from '#records/fiscal/literals.ts'
import {
  paymentsQuery,
  readPaymentsResponse,
  readSii,
  type SiiPaymentsQueryInput,
  siiXml,
} from '#records/sii/index.ts'
import { vocabulary } from '#records/sii/model/sii-vocabulary.ts'
import { HOLDER, itemsOf, type Loose, messageOf } from './invoices.ts'
import { officialSchema } from './schema.ts'

const invoice = { holder: HOLDER, number: 'F2026/0001', issue_date: '2026-03-10' }
const collections: SiiPaymentsQueryInput = { book: 'ISSUED', ...invoice }
const payments: SiiPaymentsQueryInput = {
  book: 'RECEIVED',
  ...invoice,
  counterparty: { name: 'PROVEEDOR SA', nif: 'A58818501' },
}
const HEADER = { IDVersionSii: '1.1', Titular: { NombreRazon: HOLDER.name, NIF: HOLDER.nif } }
const ID = { NumSerieFacturaEmisor: 'F2026/0001', FechaExpedicionFacturaEmisor: '10-03-2026' }

const valid = (xml: string) => {
  if (officialSchema) expect(officialSchema()(xml)).toEqual([])
}

describe('paymentsQuery', () => {
  it('queries the collections of an invoice of the holder', () => {
    expect(messageOf(paymentsQuery(collections))).toEqual({
      root: 'ConsultaCobros',
      value: {
        Cabecera: HEADER,
        FiltroConsultaCobros: { IDFactura: { IDEmisorFactura: { NIF: HOLDER.nif }, ...ID } },
      },
    })
  })

  it('queries the payments of a supplier’s invoice, by NIF or another identifier, and further pages', () => {
    const id = { country: 'US', type: '04', number: '987654321' }
    const queries = [
      collections,
      payments,
      { ...collections, page_after: '10000' },
      { ...payments, counterparty: { name: 'ACME', id }, page_after: '10000' },
    ]
    for (const query of queries) {
      const made = messageOf(paymentsQuery(query))
      const xml = siiXml(made, { soap: true })
      valid(xml)
      expect(readSii(xml)).toMatchObject({ ok: true, ...made, items: [] })
    }
    expect((messageOf(paymentsQuery(required(queries[3]))).value as Loose).FiltroConsultaPagos).toEqual({
      IDFactura: {
        IDEmisorFactura: { NombreRazon: 'ACME', IDOtro: { CodigoPais: 'US', IDType: '04', ID: '987654321' } },
        ...ID,
      },
      ClavePaginacion: '10000',
    })
  })

  it('refuses what the schema refuses, and throws for invalid input', () => {
    expect(itemsOf(paymentsQuery({ ...collections, number: 'x'.repeat(61) }))).toEqual([
      'sii.schema /FiltroConsultaCobros/IDFactura/NumSerieFacturaEmisor',
    ])
    expect(itemsOf(paymentsQuery({ ...collections, holder: { name: 'X', nif: '1' } }))).toEqual([
      'sii.holder_nif /holder/nif',
    ])
    const wrong: [object, RegExp][] = [
      [{ book: 'toString' }, /book is "toString"/],
      [{ number: undefined }, /needs the invoice/],
      [{ issue_date: undefined }, /needs the invoice/],
      [{ issue_date: '10-03-2026' }, /"issue_date"/],
      [{ book: 'RECEIVED' }, /needs "counterparty"/],
      [{ counterparty: payments.counterparty }, /needs "counterparty"/],
      [{ ...payments, counterparty: { name: 'X' } }, /"id" of "counterparty" is undefined/],
      [{ page_after: 7 }, /"page_after"/],
    ]
    for (const [change, message] of wrong)
      expect(() => paymentsQuery({ ...collections, ...change })).toThrow(message)
  })
})

interface Stored {
  readonly date: string
  readonly cents: number
  readonly means: string
  readonly account: string | undefined
}

const SHAPES = {
  ISSUED: ['RespuestaConsultaCobros', 'RegistroRespuestaConsultaCobros', 'DatosCobro'],
  RECEIVED: ['RespuestaConsultaPagos', 'RegistroRespuestaConsultaPagos', 'DatosPago'],
} as const

/** Returns a response of the authority that matches its schema. */
function answer(book: 'ISSUED' | 'RECEIVED', stored: readonly Stored[], page?: string): string {
  const [root, record, data] = SHAPES[book]
  const records = stored.map(({ date, cents, means, account }) => ({
    [data]: {
      Fecha: toFecha(date),
      Importe: toImporte(cents),
      Medio: means,
      ...(account === undefined ? {} : { Cuenta_O_Medio: account }),
    },
    DatosPresentacion: {
      NIFPresentador: HOLDER.nif,
      TimestampPresentacion: '15-04-2026 10:00:00',
      CSV: 'A-1234567890123456',
    },
  }))
  const named = book === 'RECEIVED' ? { NombreRazon: 'PROVEEDOR SA' } : {}
  return writeXml(
    vocabulary(),
    root,
    {
      Cabecera: HEADER,
      IDFactura: { IDEmisorFactura: { ...named, NIF: 'A58818501' }, ...ID },
      IndicadorPaginacion: page === undefined ? 'N' : 'S',
      ResultadoConsulta: records.length > 0 ? 'ConDatos' : 'SinDatos',
      ...(records.length > 0 ? { [record]: records } : {}),
      ...(page === undefined ? {} : { ClavePaginacion: page }),
    },
    { soap: true },
  )
}

describe('readPaymentsResponse', () => {
  it('reads date, amount, means and account of any stored payment', () => {
    const day = fc
      .date({ min: new Date('2017-07-01'), max: new Date('2035-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10))
    const one = fc.record({
      date: day,
      cents: fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }),
      means: fc.constantFrom('01', '02', '03', '04', '05'),
      account: fc.option(
        fc.stringMatching(/^[A-Z0-9](?:[A-Z0-9 ñÑ&<]{0,32}[A-Z0-9])?$/).filter((text) => text.length <= 34),
        { nil: undefined },
      ),
    })
    const check = officialSchema?.()
    fc.assert(
      fc.property(
        fc.constantFrom('ISSUED' as const, 'RECEIVED' as const),
        fc.array(one, { maxLength: 5 }),
        (book, stored) => {
          const xml = answer(book, stored)
          if (check) expect(check(xml)).toEqual([])
          const read = readPaymentsResponse(xml)
          expect(read).toMatchObject({
            ok: true,
            items: [],
            response: { book_type: book, issuer_id: 'A58818501', issue_date: '2026-03-10', page_after: null },
          })
          expect(read.ok && read.response.payments).toEqual(
            stored.map(({ date, cents, means, account }) => ({
              date,
              amount: cents / 100,
              means,
              account: account ?? null,
              csv: 'A-1234567890123456',
              presented_at: '2026-04-15T10:00:00',
            })),
          )
        },
      ),
      { numRuns: 50 },
    )
  })

  it('returns the start of the next page', () => {
    const stored = { date: '2026-04-15', cents: 100, means: '01', account: undefined }
    const read = readPaymentsResponse(answer('ISSUED', [stored], '10000'))
    expect(read.ok && read.response.page_after).toBe('10000')
    const last = answer('ISSUED', [stored], '10000').replace('Paginacion>S<', 'Paginacion>N<')
    expect(readPaymentsResponse(last)).toMatchObject({ ok: true, response: { page_after: null } })
    expect(messageOf(paymentsQuery({ ...collections, page_after: '10000' })).root).toBe('ConsultaCobros')
  })

  it('gives items for a response to another message, a fault, and any other text', () => {
    const other = messageOf(paymentsQuery(collections))
    expect(itemsOf(readPaymentsResponse(siiXml(other)))).toEqual(['sii.not_a_response '])
    expect(itemsOf(readPaymentsResponse('<html/>'))).toEqual(['xml.no_record '])
    const fault = `<e:Fault xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><faultcode>Client</faultcode>
      <faultstring>Codigo[3503].La factura no existe</faultstring></e:Fault>`
    expect(itemsOf(readPaymentsResponse(fault))).toEqual(['sii.not_a_response '])
  })

  it('gives null for invalid amounts and dates', () => {
    const xml = answer('ISSUED', [{ date: '2026-04-15', cents: 100, means: '01', account: undefined }])
    const read = readPaymentsResponse(xml.replace('>1.00<', '>1,00<').replace('>15-04-2026<', '>31-02-2026<'))
    expect(read.ok && read.response.payments[0]).toMatchObject({ date: null, amount: null, means: '01' })
  })
})
