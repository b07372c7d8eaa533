/** Tests that known refusals of the authority are refused here: taxes, totals, keys, dates and limits. */
import { describe, expect, it } from 'vitest'
import { issuedRecord, receivedRecord } from '#records/sii/index.ts'
import { setAll, setTo } from '../../put.ts'
import { issued, itemsOf, type Loose, line, received } from './invoices.ts'

const refusal = (invoice: Loose, options = {}) =>
  itemsOf(
    invoice.meta.direction === 'issued' ? issuedRecord(invoice, options) : receivedRecord(invoice, options),
  )
const both = [issued, received] as const

/** An invoice of one entry whose tax, and with it the totals, differs by so many euros. */
const shifted = (make: (typeof both)[number], price: number, by: number, more = {}): Loose => {
  const invoice: Loose = make([line(price, 21, more)])
  const { taxes_outputs, totals } = invoice.invoice
  for (const [owner, field] of [
    [taxes_outputs[0], 'tax_amount'],
    [totals, 'total_tax_outputs'],
    [totals, 'invoice_total'],
  ])
    owner[field] = Math.round((owner[field] + by) * 100) / 100
  return invoice
}
const DIFFERS = ['sii.tax_differs /invoice/taxes_outputs/0/tax_amount']

describe('tax against base x rate', () => {
  it.each(both)('may differ by 1 % of the base, and at most by 10 euros (%#)', (make) => {
    expect(refusal(shifted(make, 100, 1))).toEqual([])
    expect(refusal(shifted(make, 100, -1))).toEqual([])
    expect(refusal(shifted(make, 100, 1.01))).toEqual(DIFFERS)
    expect(refusal(shifted(make, 100, -1.01))).toEqual(DIFFERS)
    expect(refusal(shifted(make, 50_000, 10))).toEqual([])
    expect(refusal(shifted(make, 50_000, 10.01))).toEqual(DIFFERS)
    expect(refusal(shifted(make, 0.02, 0.01))).toEqual([])
  })

  it('is reported with both amounts and the rate', () => {
    for (const make of both) {
      const invoice = shifted(make, 100, 5)
      const result: Loose = make === issued ? issuedRecord(invoice) : receivedRecord(invoice)
      expect(result.items[0].extra).toEqual({ received: 26, expected: 21, rate: 21 })
    }
  })

  /** Three entries of one rate under different keys, with a tax of a cent each instead of 0.0042. */
  it.each(both)('may differ by a cent for each entry of a detail (%#)', (make) => {
    const invoice: Loose = make(['01', '07', '14'].map((key) => line(0.02, 21, { tax_regime_key: key })))
    for (const entry of invoice.invoice.taxes_outputs) entry.tax_amount = 0.01
    Object.assign(invoice.invoice.totals, { total_tax_outputs: 0.03, invoice_total: 0.09 })
    expect(refusal(invoice)).toEqual([])
  })

  it.each(both)('is not checked in a detail that includes a tax on the cost, in any order (%#)', (make) => {
    for (const keys of [
      ['01', '06'],
      ['06', '01'],
    ]) {
      const invoice: Loose = make(keys.map((key) => line(100, 21, { tax_regime_key: key })))
      const { taxes_outputs, totals } = invoice.invoice
      taxes_outputs.find((one: Loose) => one.tax_regime_key === '06').tax_amount -= 5
      totals.total_tax_outputs -= 5
      totals.invoice_total -= 5
      const fields = { BaseImponibleACoste: '76.19' }
      expect(refusal(invoice, { fields }), String(keys)).toEqual([])
    }
  })

  it('is not checked if the tax falls on the margin or the cost', () => {
    expect(refusal(shifted(issued, 100, 5, { tax_regime_key: '03' }))).toEqual([])
    const fields = { BaseImponibleACoste: '80.00' }
    expect(refusal(shifted(issued, 100, 5, { tax_regime_key: '06' }), { fields })).toEqual([])
  })
})

describe('totals against the breakdown', () => {
  it.each(both)('must match to a cent per line (%#)', (make) => {
    const changed = (field: string, by: number): Loose => {
      const invoice: Loose = make([line(100, 21), line(5, undefined, { exemption_reason_code: 'E1' })])
      invoice.invoice.totals[field] += by
      return invoice
    }
    for (const field of ['invoice_total', 'total_tax_outputs']) {
      expect(refusal(changed(field, 0.02))).toEqual([])
      expect(refusal(changed(field, 0.03))).toEqual([`sii.totals_differ /invoice/totals/${field}`])
    }
    // The message states the received value and the value of the breakdown.
    const off: Loose = issued([line(100, 21)])
    off.invoice.totals.invoice_total = 122.5
    const { items }: Loose = issuedRecord(off)
    expect(items[0].extra).toEqual({ received: 122.5, expected: 121 })
    const ipsi: Loose = make([line(100, 4)], setTo('issue_data/tax_group_code', 'IPSI'))
    ipsi.invoice.totals.total_gross_amount_before_taxes = 99
    expect(refusal(ipsi)).toEqual(['sii.totals_differ /invoice/totals/total_gross_amount_before_taxes'])
  })
})

describe('an invoice with a margin scheme on one of its lines', () => {
  const priced = (unit_price_with_tax: number, more = {}) => ({
    item_description: 'Guitarra',
    quantity: 1,
    unit_price_with_tax,
    tax_output_rate: 21,
    ...more,
  })
  const mixed = (make: (typeof both)[number]): Loose => {
    const purchase = make === issued ? { purchase_price_incl: 330 } : {}
    return make([priced(121), priced(500, { tax_regime_key: '03', ...purchase })])
  }

  it.each(both)('has its tax compared, but not the total, which includes the purchase price (%#)', (make) => {
    expect(refusal(mixed(make))).toEqual([])
    const changed = mixed(make)
    changed.invoice.totals.total_tax_outputs += 0.03
    expect(refusal(changed)).toEqual(['sii.totals_differ /invoice/totals/total_tax_outputs'])
  })
})

describe('dates, keys and limits', () => {
  const operated = (more = {}) =>
    issued([line(100, 21, more)], setTo('issue_data/operation_date', '2026-03-11'))

  it('only keys 14 and 15 allow an operation later than the issue', () => {
    expect(refusal(operated())).toEqual(['sii.operation_date /invoice/issue_data/operation_date'])
    expect(refusal(operated({ tax_regime_key: '14' }))).toEqual([])
    expect(refusal(operated({ tax_regime_key: '15' }))).toEqual([])
    const partly = issued(
      [line(100, 21), line(50, 21, { tax_regime_key: '14' })],
      setTo('issue_data/operation_date', '2026-03-11'),
    )
    expect(refusal(partly)).toEqual([])
    const result: Loose = issuedRecord(operated())
    expect(result.items[0].extra).toEqual({ received: '2026-03-11', expected: '2026-03-10' })
  })

  it('a corrective must be later than the corrected invoice', () => {
    const corrective = issued(
      [line(-1, 21)],
      setAll({
        'header/invoice_type_code': '03',
        'header/corrective': {
          reason_code: '20',
          correction_type: 'D',
          invoice_number: 'F-1',
          invoice_issue_date: '2026-03-11',
        },
      }),
      ['corrected_invoice_not_earlier'],
    )
    expect(refusal(corrective)).toEqual(['sii.corrected_later /invoice/header/corrective/invoice_issue_date'])
  })

  it('key 06 requires the base at cost', () => {
    const group = issued([line(100, 21, { tax_regime_key: '06' })])
    expect(refusal(group)).toEqual(['sii.cost_base /fields/BaseImponibleACoste'])
    expect(refusal(group, { fields: { BaseImponibleACoste: '80.00' } })).toEqual([])
    const partly = issued([line(100, 21), line(50, 21, { tax_regime_key: '06' })])
    expect(refusal(partly)).toEqual(['sii.cost_base /fields/BaseImponibleACoste'])
  })

  it('key 08 excludes tax', () => {
    const path = 'sii.key_08 /invoice/taxes_outputs/0/tax_treatment_code'
    for (const make of both) expect(refusal(make([line(100, 21, { tax_regime_key: '08' })]))).toEqual([path])
    const taxed: Loose = issuedRecord(issued([line(100, 21, { tax_regime_key: '08' })]))
    expect(taxed.items[0].message).toContain('TAXABLE_NON_EXEMPT')
    const exempt = { tax_regime_key: '08', exemption_reason_code: 'E1' }
    expect(refusal(issued([line(100, undefined, exempt)]))).toEqual([path])
    const located = { tax_regime_key: '08', non_taxable_reason: 'LOCATION_RULES' }
    for (const make of both) expect(refusal(make([line(100, undefined, located)]))).toEqual([])
    // Another tax than VAT is reported under key 08 whatever its own key.
    const ipsi: Loose = issued(
      [line(100, 4, { tax_regime_key: '08' })],
      setTo('issue_data/tax_group_code', 'IPSI'),
    )
    expect(refusal(ipsi)).toEqual([])
  })

  it('a simplified invoice over 3,010 euros needs an agreement or art. 6.1.d', () => {
    const ticket = (price: number): Loose => {
      const invoice: Loose = issued(
        [line(price, 0)],
        setAll({
          'customer/country_code': 'FR',
          customer: { person_type_code: 'F', name: 'Ana', country_code: 'FR' },
        }),
      )
      invoice.invoice.header.invoice_type_code = '02'
      return invoice
    }
    expect(refusal(ticket(3010))).toEqual([])
    expect(refusal(ticket(3010.01))).toEqual(['sii.simplified_limit /invoice/totals/invoice_total'])
    const result: Loose = issuedRecord(ticket(3010.01))
    expect(result.items[0].extra).toEqual({ received: 3010.01, allowed: 3000 })
    expect(refusal(ticket(3010.01), { fields: { NumRegistroAcuerdoFacturacion: '123' } })).toEqual([])
    expect(refusal(issued([line(9000, 21)]), { without_recipient: true })).toEqual([])
  })
})
