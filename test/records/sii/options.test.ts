/** Tests of caller errors: unknown names and wrong types of arguments are exceptions. */

import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import * as sii from '#records/sii/index.ts'
import { messageOf } from '../../narrow.ts'
import { HOLDER, issued, type Loose, line, received, recordOf } from './invoices.ts'

/** The functions as callers without types use them. */
const untyped: Loose = sii
const CASH = { tax_regime_key: '07' }
const sale: Loose = issued([line(1000, 21, CASH)])
const purchase: Loose = received([line(1000, 21, CASH)])
const payment = [{ date: '2026-04-15', amount: 605 }]
const query = { book: 'ISSUED', holder: HOLDER, period: '2026-03' }
const paymentsOf = { book: 'ISSUED', holder: HOLDER, number: 'F-1', issue_date: '2026-03-10' } as const
const message = untyped.siiQuery(query)
const record = recordOf(sii.issuedRecord(sale))
const submission = { book: 'ISSUED', operation: 'A0', holder: HOLDER, records: [record] }
const event = { book: 'ISSUED', issue_date: '2026-03-10' }

/** Every function with options; some take them in their only argument. */
const CALLS: Readonly<Record<string, (options: Loose) => unknown>> = {
  issuedRecord: (options) => sii.issuedRecord(sale, options),
  receivedRecord: (options) => sii.receivedRecord(purchase, options),
  deletionRecord: (options) => sii.deletionRecord(sale, options),
  collectionRecord: (options) => sii.collectionRecord(sale, payment, options),
  paymentRecord: (options) => sii.paymentRecord(purchase, payment, options),
  deadlineOf: (options) => untyped.deadlineOf(event, options),
  deadlineOfInvoice: (options) => sii.deadlineOfInvoice(sale, options),
  readSii: (options) => sii.readSii('<a/>', options),
  readResponse: (options) => sii.readResponse('<a/>', options),
  readQueryResponse: (options) => sii.readQueryResponse('<a/>', options),
  readPaymentsResponse: (options) => sii.readPaymentsResponse('<a/>', options),
  siiXml: (options) => untyped.siiXml(message.message, options),
  submission: (options) => sii.submission(options && { ...submission, ...options }),
  siiQuery: (options) => sii.siiQuery(options && { ...query, ...options }),
  paymentsQuery: (options) => sii.paymentsQuery(options && { ...paymentsOf, ...options }),
}
const names = Object.keys(CALLS)

const CLEAR = /^cuadra: /
const thrown = (call: () => unknown): string => {
  try {
    call()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    expect(messageOf(error)).toMatch(CLEAR)
    return messageOf(error)
  }
  throw new Error('nothing was thrown')
}

describe('options', () => {
  it.each(names)('%s names an unknown option', (name) => {
    expect(thrown(() => required(CALLS[name])({ foo: 1 }))).toMatch(/has no "foo"; it has \w+/)
    expect(CALLS[name]?.({})).toBeDefined()
  })

  it.each(names)('%s rejects null and a text as options', (name) => {
    for (const wrong of [null, 'es', ['x']])
      expect(thrown(() => required(CALLS[name])(wrong))).toContain('cuadra: ')
  })

  it.each(names.filter((name) => !['siiXml', 'deadlineOf', 'deadlineOfInvoice'].includes(name)))(
    '%s speaks en and es',
    (name) => {
      expect(thrown(() => required(CALLS[name])({ locale: 'fr' }))).toMatch(/"locale" of .+ is "fr"/)
    },
  )

  it('wrong types are named with the expected type', () => {
    const { issuedRecord: issue, receivedRecord: receive, submission: send, siiQuery: ask }: Loose = CALLS
    const wrong: [(options: Loose) => unknown, object, RegExp][] = [
      [issue, { third_party: 'yes' }, /"third_party" of options is "yes"; pass true or false/],
      [issue, { without_recipient: 1 }, /"without_recipient".*true or false/],
      [issue, { replaces: {} }, /"replaces".*pass an array/],
      [issue, { corrects: [{ number: 'A' }] }, /corrects\[0\] has no "number"/],
      [issue, { corrected_surcharge_amount: Number.NaN }, /"corrected_surcharge_amount"/],
      [issue, { fields: 'x' }, /"fields".*an object/],
      [receive, { type: 'F1' }, /"type" of options is "F1"; pass one of F6, LC/],
      [receive, { deduct_in: 7 }, /"deduct_in"/],
      [send, { records: null }, /"records"/],
      [send, { holder: null }, /"holder"/],
      [send, { holder: { nif: 'B12345674' } }, /"name" of the holder is undefined/],
      [send, { holder: { name: 'X', nif: 5 } }, /"nif" of the holder is 5; pass a text/],
      [send, { holder: { ...HOLDER, representative: 5 } }, /"representative" of the holder is 5/],
      [send, { book: 'OTHER' }, /no message for operation "A0" of book "OTHER"; ISSUED has A0, A1/],
      [send, { operation: 'toString' }, /no message for operation "toString" of book "ISSUED"/],
      [ask, { book: 'toString' }, /book is "toString"; pass "ISSUED" or "RECEIVED"/],
      [ask, { holder: undefined }, /"holder" is undefined/],
      [ask, { presented: { since: '2026-01-01' } }, /"presented" has no "since"/],
      [ask, { counterparty: { name: 'X' } }, /"id" of "counterparty" is undefined/],
      [ask, { modified: 'S' }, /"modified"/],
      [required(CALLS.siiXml), { soap: 1 }, /"soap"/],
      [required(CALLS.deadlineOf), { holidays: '2026-01-01' }, /"holidays"/],
      [required(CALLS.deletionRecord), { type: 'F9' }, /"type"/],
    ]
    for (const [call, options, pattern] of wrong) expect(thrown(() => call(options))).toMatch(pattern)
  })

  it('undefined counts as omitted; a deletion accepts the options of the record', () => {
    expect(untyped.issuedRecord(sale, { third_party: undefined }).ok).toBe(true)
    const options = { pro_rata: 80, registration_date: '2026-04-02' }
    expect(sii.receivedRecord(purchase, options).ok).toBe(true)
    expect(sii.deletionRecord(purchase, options).ok).toBe(true)
  })

  it('a pro rata is a whole percentage', () => {
    for (const wrong of [0.8, 79.5, -1, 101, Number.NaN, '80', null])
      expect(thrown(() => untyped.receivedRecord(purchase, { pro_rata: wrong }))).toContain('pro_rata')
    expect(thrown(() => sii.receivedRecord(purchase, { pro_rata: 0.8 }))).toContain('probably means 80')
    expect(thrown(() => sii.receivedRecord(purchase, { pro_rata: 0.795 }))).toContain('probably means 80')
    for (const wrong of [1.5, -0.5])
      expect(thrown(() => sii.receivedRecord(purchase, { pro_rata: wrong }))).not.toContain('probably')
    for (const right of [0, 1, 100]) expect(sii.receivedRecord(purchase, { pro_rata: right }).ok).toBe(true)
  })

  it('fields accepts only members that no invoice has', () => {
    for (const name of ['ImporteTotal', 'TipoDesglose', 'cupon', 'toString'])
      expect(thrown(() => sii.issuedRecord(sale, { fields: { [name]: 'S' } }))).toContain(`"${name}"`)
    for (const name of ['CuotaDeducible', 'Cupon'])
      expect(thrown(() => sii.receivedRecord(purchase, { fields: { [name]: 'S' } }))).toContain(`"${name}"`)
    const made = recordOf(untyped.issuedRecord(sale, { fields: { Cupon: undefined } }))
    expect('Cupon' in made.FacturaExpedida).toBe(false)
  })
})

describe('invoices named in options', () => {
  const codes = (result: Loose) => result.items.map(({ code, path }: Loose) => `${code} ${path}`)

  it('are refused one by one if number or date is wrong, in both books', () => {
    const corrects: Loose = [
      { invoice_number: ' ', issue_date: '2026-01-01' },
      { invoice_number: 'A-1' },
      null,
    ]
    const expected = ['0/invoice_number', '1/issue_date', '2/invoice_number', '2/issue_date'].map(
      (place) => `sii.reference /corrects/${place}`,
    )
    const change = ({ header }: Loose) => {
      header.invoice_type_code = '03'
      header.corrective = {
        reason_code: '01',
        correction_type: 'D',
        invoice_number: 'A-0',
        invoice_issue_date: '2026-02-01',
      }
    }
    const line_ = [line(-100, 21)]
    expect(codes(sii.issuedRecord(issued(line_, change), { corrects }))).toEqual(expected)
    expect(codes(sii.receivedRecord(received(line_, change), { corrects }))).toEqual(expected)
    const [item] = untyped.issuedRecord(issued(line_, change), { corrects, locale: 'es' }).items
    expect(item.message).toBe(
      'Las opciones indican una factura con invoice_number « ». Pase el número de la factura con su serie, y la fecha como AAAA-MM-DD. (art. 15 RD 1619/2012)',
    )
  })

  it('are refused if the invoice corrects none', () => {
    const corrects = [{ invoice_number: 'A-1', issue_date: '2026-01-01' }]
    for (const made of [sii.issuedRecord(sale, { corrects }), sii.receivedRecord(purchase, { corrects })])
      expect(codes(made)).toEqual(['sii.option /corrects'])
    expect(codes(sii.receivedRecord(purchase, { corrected_surcharge_amount: 1 }))).toEqual([
      'sii.option /corrected_surcharge_amount',
    ])
  })
})

describe('the result of validate', () => {
  const answer = (data: Loose, errors: Loose[] = []): Loose => ({
    is_valid: errors.length === 0,
    errors,
    data,
  })
  const error = { code: 'tax_rate_unknown', path: '/invoice/lines/0', severity: 'error' }
  const calls: [(invoice: Loose) => Loose, Loose][] = [
    [(invoice) => sii.issuedRecord(invoice), sale],
    [(invoice) => sii.receivedRecord(invoice), purchase],
    [(invoice) => sii.deletionRecord(invoice), sale],
    [(invoice) => sii.collectionRecord(invoice, payment), sale],
    [(invoice) => sii.paymentRecord(invoice, payment), purchase],
  ]

  it('gives the same record as its data, even with warnings', () => {
    for (const [call, data] of calls) {
      const made = call(answer(data, [{ ...error, severity: 'warning' }]))
      expect(made.ok).toBe(true)
      expect(made).toEqual(call(data))
    }
  })

  it('gives no record if it has errors', () => {
    for (const [call, data] of calls) {
      const { ok, items } = call(answer(data, [error]))
      expect([ok, items[0].code, items[0].extra]).toEqual([
        false,
        'sii.invalid_invoice',
        { count: 1, first: 'tax_rate_unknown /invoice/lines/0' },
      ])
      expect(call(answer(null)).items[0].code).toBe('sii.invalid_invoice')
    }
  })
})

describe('events', () => {
  it('have the members of their book', () => {
    const wrong: [object, RegExp][] = [
      [{ ...event, self_biled: true }, /an event of ISSUED has no "self_biled"/],
      [{ ...event, issued_by_other: 'yes' }, /"issued_by_other".*true or false/],
      [{ book: 'RECEIVED', receipt_date: '2026-03-10', corrective: true }, /has no "corrective"/],
      [{ book: 'PAYMENTS', date: '2026-03-10', receipt_date: '2026-03-10' }, /has no "receipt_date"/],
      [{ ...event, known_date: '2026-03-11' }, /an event with known_date has no "issue_date"/],
      [{ book: 'COLLECTIONS', known_date: '2026-03-11' }, /an event of COLLECTIONS has no "known_date"/],
      [{ book: 'PAYMENTS', known_date: '2026-03-11' }, /an event of PAYMENTS has no "known_date"/],
      [{ book: 'OTHER', issue_date: '2026-03-11' }, /book is "OTHER"; pass ISSUED, RECEIVED, COLLECTIONS or/],
      [{ book: 'ISSUED', known_date: undefined }, /"known_date" is undefined/],
    ]
    for (const [one, pattern] of wrong) expect(thrown(() => untyped.deadlineOf(one))).toMatch(pattern)
    for (const nothing of [null, undefined, 'x', []])
      expect(thrown(() => untyped.deadlineOf(nothing))).toContain('the event is')
  })
})

describe('missing arguments', () => {
  const absent: readonly Loose[] = [null, undefined, 'x', 7, []]

  it('a missing invoice gives an item or an exception', () => {
    for (const value of [...absent, { invoice: {} }, { ...sale, meta: null }, { ...sale, invoice: null }]) {
      for (const result of [
        sii.issuedRecord(value),
        sii.receivedRecord(value),
        sii.deletionRecord(value),
        sii.collectionRecord(value, payment),
        sii.paymentRecord(value, payment),
      ])
        expect(result.ok === false && result.items.map(({ code }) => code)).toEqual(['sii.not_normalised'])
      expect(thrown(() => sii.forcedAccrualOf(value, []))).toContain('the data of validate')
      expect(thrown(() => sii.deadlineOfInvoice(value))).toContain('the invoice')
    }
    expect(thrown(() => untyped.forcedAccrualOf(null, []))).toContain('the invoice is null; pass')
    expect(thrown(() => sii.forcedAccrualOf({ ...sale, meta: null }, []))).toContain('is without /meta; pass')
    for (const part of ['header', 'issue_data']) {
      const half = structuredClone(sale)
      half.invoice[part] = null
      expect(thrown(() => sii.deadlineOfInvoice(half))).toContain(`the invoice’s "${part}" is null`)
    }
    for (const part of ['header', 'issue_data', 'supplier', 'lines', 'taxes_outputs', 'totals']) {
      const half = structuredClone(sale)
      half.invoice[part] = null
      const result = sii.issuedRecord(half)
      expect(result.ok === false && result.items.map(({ path }) => path)).toEqual([`/invoice/${part}`])
    }
  })

  it('missing payments, messages, queries and responses are exceptions', () => {
    for (const value of absent.filter((one) => !Array.isArray(one))) {
      expect(thrown(() => sii.collectionRecord(sale, value))).toContain('collections is')
      expect(thrown(() => sii.paymentRecord(purchase, value))).toContain('payments is')
      expect(thrown(() => sii.collectionRecord(sale, [value]))).toContain('collections[0] is')
      expect(thrown(() => sii.forcedAccrualOf(sale, [value]))).toContain('payments[0] is')
      expect(thrown(() => sii.submission(value))).toContain('a submission is')
      expect(thrown(() => sii.siiQuery(value))).toContain('a query is')
      expect(thrown(() => sii.siiXml(value))).toContain('the message is')
      if (typeof value === 'string') continue
      expect(thrown(() => sii.readSii(value))).toContain('the XML is')
      expect(thrown(() => sii.readResponse(value))).toContain('the XML is')
      expect(thrown(() => sii.readQueryResponse(value))).toContain('the XML is')
    }
    expect(thrown(() => untyped.siiXml(message))).toContain('not the result')
    expect(thrown(() => sii.forcedAccrualOf(sale, [{ date: '15-04-2026', amount: 1 }]))).toContain('"date"')
    expect(thrown(() => untyped.forcedAccrualOf(sale, [{ date: '2026-04-15', amount: '1' }]))).toContain(
      '"amount"',
    )
    const forced = { date: '2027-12-31', amount: 1, forced_accrual: 'yes' }
    expect(thrown(() => untyped.collectionRecord(sale, [forced]))).toContain('"forced_accrual"')
    expect(thrown(() => untyped.submission({ ...submission, book: 'toString' }))).toContain('toString')
  })
})
