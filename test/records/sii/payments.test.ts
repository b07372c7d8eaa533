/** Tests of collections and payments of cash-basis invoices. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { catalog } from '#engine/index.ts'
import { collectionRecord, forcedAccrualOf, meansOf, paymentRecord } from '#records/sii/index.ts'
import { setTo } from '../../put.ts'
import { issued, itemsOf, type Loose, line, received, recordOf } from './invoices.ts'

const CASH = { tax_regime_key: '07' }
const sale = (change?: (invoice: Loose) => void) => issued([line(1000, 21, CASH)], change)
const purchase = () => received([line(1000, 21, CASH)])
const refusal = (payments: Loose[], invoice = sale()) => itemsOf(collectionRecord(invoice, payments))

describe('means of payment', () => {
  it('exist for every payment method of the catalog', () => {
    const by = (means: string) =>
      catalog('payment-methods')
        .map(({ code }) => code)
        .filter((code) => meansOf(code) === means)
    expect(by('01')).toEqual(['04'])
    expect(by('02')).toEqual(['11', '16', '17'])
    expect(by('05')).toEqual(['02', '03'])
    expect(by('04')).toHaveLength(13)
    expect(by('03')).toEqual([])
    expect(meansOf(undefined)).toBe('04')
  })

  it('are 03 for a forced accrual, of 31 December, without an account', () => {
    const forced = {
      date: '2027-12-31',
      amount: 1210,
      account: 'ES91',
      payment_method_code: '04',
      forced_accrual: true,
    }
    expect(recordOf(collectionRecord(sale(), [forced])).Cobros.Cobro).toEqual([
      { Fecha: '31-12-2027', Importe: '1210.00', Medio: '03' },
    ])
    expect(refusal([{ ...forced, date: '2027-12-30' }])).toEqual(['sii.forced_accrual /0/date'])
  })
})

describe('the content of a record', () => {
  it('has identity, dates, signed amounts and accounts', () => {
    const payments = [
      { date: '2026-04-15', amount: 605.5, payment_method_code: '02', account: 'ES9121000418450200051332' },
      { date: '2026-04-16', amount: -0.5 },
    ]
    expect(recordOf(collectionRecord(sale(), payments))).toEqual({
      IDFactura: {
        IDEmisorFactura: { NIF: 'B12345674' },
        NumSerieFacturaEmisor: 'F2026/0001',
        FechaExpedicionFacturaEmisor: '10-03-2026',
      },
      Cobros: {
        Cobro: [
          { Fecha: '15-04-2026', Importe: '605.50', Medio: '05', Cuenta_O_Medio: 'ES9121000418450200051332' },
          { Fecha: '16-04-2026', Importe: '-0.50', Medio: '04' },
        ],
      },
    })
    expect(recordOf(paymentRecord(purchase(), payments))).toEqual({
      IDFactura: {
        IDEmisorFactura: { NombreRazon: 'PROVEEDOR SL', NIF: 'B65410011' },
        NumSerieFacturaEmisor: 'A-77',
        FechaExpedicionFacturaEmisor: '02-03-2026',
      },
      Pagos: {
        Pago: [
          { Fecha: '15-04-2026', Importe: '605.50', Medio: '05', Cuenta_O_Medio: 'ES9121000418450200051332' },
          { Fecha: '16-04-2026', Importe: '-0.50', Medio: '04' },
        ],
      },
    })
  })

  it('has no account if it is blank', () => {
    const [collection] = recordOf(collectionRecord(sale(), [{ date: '2026-04-15', amount: 1, account: ' ' }]))
      .Cobros.Cobro
    expect(Object.keys(collection)).toEqual(['Fecha', 'Importe', 'Medio'])
  })
})

describe('refusals', () => {
  const one = { date: '2026-04-15', amount: 605 }

  it('refuse an invoice without key 07', () => {
    expect(refusal([one], issued([line(1, 21)]))).toEqual(['sii.not_cash_basis /invoice/taxes_outputs'])
    expect(itemsOf(paymentRecord(received([line(1, 21)]), [one]))).toEqual([
      'sii.not_cash_basis /invoice/taxes_outputs',
    ])
  })

  it('accept an invoice with key 07 on one of its lines, and name the keys of one without it', () => {
    const keyed = (...keys: string[]) =>
      issued(keys.map((tax_regime_key) => line(1000, 21, { tax_regime_key })))
    expect(refusal([one], keyed('01', '07'))).toEqual([])
    const result: Loose = collectionRecord(keyed('14', '01'), [one])
    expect(result.items[0].extra).toEqual({ received: ['14', '01'] })
  })

  it('show the wrong value', () => {
    const shown = (payment: object) => {
      const result: Loose = collectionRecord(sale(), [{ ...one, ...payment }])
      return result.items.map(({ code, extra }: Loose) => [code, extra])
    }
    expect(shown({ date: '2026-02-30' })).toEqual([['sii.payment_date', { received: '2026-02-30' }]])
    expect(shown({ date: null })).toEqual([['sii.payment_date', { received: '' }]])
    expect(shown({ amount: '5000' })).toEqual([['sii.payment_amount', { received: '5000' }]])
    expect(shown({ amount: null })).toEqual([['sii.payment_amount', { received: '' }]])
    expect(shown({ date: '2026-03-09' })).toEqual([
      ['sii.payment_early', { received: '2026-03-09', expected: '2026-03-10' }],
    ])
    expect(shown({ amount: 1210.01 })).toEqual([['sii.payment_total', { received: 1210.01, expected: 1210 }]])
  })

  it('refuse an invoice of the other direction', () => {
    expect(refusal([one], purchase())).toEqual(['sii.direction /meta/direction'])
    expect(itemsOf(paymentRecord(sale(), [one]))).toEqual(['sii.direction /meta/direction'])
  })

  it('refuse an empty list, invalid dates and amounts, and long accounts', () => {
    expect(refusal([])).toEqual(['sii.no_payments '])
    expect(
      refusal([
        { ...one, date: '2026-02-30' },
        { ...one, date: undefined },
      ]),
    ).toEqual(['sii.payment_date /0/date', 'sii.payment_date /1/date'])
    for (const amount of [0, 0.001, Number.NaN, Number.POSITIVE_INFINITY, '5', null])
      expect(refusal([{ ...one, amount }]), String(amount)).toEqual(['sii.payment_amount /0/amount'])
    expect(refusal([{ ...one, account: 'x'.repeat(35) }])).toEqual([
      'sii.schema /Cobros/Cobro/0/Cuenta_O_Medio',
    ])
  })
})

describe('against the invoice', () => {
  const one = { date: '2026-04-15', amount: 605 }

  it('refuses payments before both the operation and the issue', () => {
    expect(refusal([{ ...one, date: '2026-03-10' }])).toEqual([])
    expect(refusal([one, { ...one, date: '2026-03-09' }])).toEqual(['sii.payment_early /1/date'])
    expect(itemsOf(paymentRecord(purchase(), [{ ...one, date: '2026-03-01' }]))).toEqual([
      'sii.payment_early /0/date',
    ])
    const earlier = sale(setTo('issue_data/operation_date', '2026-02-27'))
    expect(refusal([{ ...one, date: '2026-02-27' }], earlier)).toEqual([])
    expect(refusal([{ ...one, date: '2026-02-26' }], earlier)).toEqual(['sii.payment_early /0/date'])
  })

  it('refuses payments above the total, on either side of zero', () => {
    expect(refusal([one, one])).toEqual([])
    expect(refusal([one, one, { ...one, amount: 0.01 }])).toEqual(['sii.payment_total '])
    expect(refusal([one, one, { ...one, amount: 0.01 }, { ...one, amount: -0.01 }])).toEqual([])
    expect(refusal([{ ...one, amount: -1210.01 }])).toEqual(['sii.payment_total '])
    const refund = issued([line(-1000, 21, CASH)])
    expect(refusal([{ ...one, amount: -1210 }], refund)).toEqual([])
    expect(refusal([{ ...one, amount: -1210.01 }], refund)).toEqual(['sii.payment_total '])
    expect(itemsOf(paymentRecord(purchase(), [{ ...one, amount: 1210.01 }]))).toEqual(['sii.payment_total '])
  })
})

describe('forcedAccrualOf', () => {
  it('is the remaining amount on 31 December of the year after the operation', () => {
    expect(forcedAccrualOf(sale(), [])).toEqual({ date: '2027-12-31', amount: 1210, forced_accrual: true })
    const half = [
      { date: '2026-04-15', amount: 605.1 },
      { date: '2026-05-15', amount: 0.2 },
      { date: '2026-05-16', amount: -0.1 },
    ]
    expect(forcedAccrualOf(sale(), half)?.amount).toBe(604.8)
    expect(forcedAccrualOf(sale(), [{ date: '2026-04-15', amount: 1210 }])).toBeNull()
    const earlier = sale(setTo('issue_data/operation_date', '2025-12-30'))
    expect(forcedAccrualOf(earlier, [])?.date).toBe('2026-12-31')
  })

  it('is nothing for an invoice without date, and refuses an amount that is not a number', () => {
    const undated: Loose = sale()
    undated.invoice.issue_data = {}
    expect(forcedAccrualOf(undated, [])).toBeNull()
    for (const amount of [Number.NaN, Number.POSITIVE_INFINITY, '605' as never])
      expect(() => forcedAccrualOf(sale(), [{ date: '2026-04-15', amount }])).toThrow(
        /"amount" of payments\[0\] is/,
      )
  })

  it('ignores later collections', () => {
    const at = (date: string) => forcedAccrualOf(sale(), [{ date, amount: 1000 }])?.amount
    expect(at('2027-12-31')).toBe(210)
    expect(at('2028-01-01')).toBe(1210)
  })

  it('is a collection that the record accepts', () => {
    const invoice = sale()
    expect(itemsOf(collectionRecord(invoice, [required(forcedAccrualOf(invoice, []))]))).toEqual([])
  })
})
