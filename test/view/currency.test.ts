/** The page of an issued invoice in another currency: amounts in both currencies, and no heading without amounts. */
import { describe, expect, it } from 'vitest'
import { viewOf } from '#view/index.ts'
import { issued, LINE } from '../formats/invoice.ts'
import { textsOf } from './texts-of.ts'

const invoice = issued({
  lines: [{ ...LINE, quantity: 2, unit_price_without_tax: 46 }],
  issue_data: {
    issue_date: '2026-03-16',
    invoice_currency: { invoice_currency_code: 'USD', exchange_rate: 0.92, exchange_rate_date: '2026-03-13' },
  },
  payment_details: [{ installment_due_date: '2026-04-16', payment_method_code: '04' }],
})
const page = (document: typeof invoice) =>
  viewOf(document, { language: 'es', direction: 'issued', status: 'issued' })

describe('the page of an issued invoice in dollars', () => {
  it('has the lines and totals in dollars, and the tax, the totals and the rate in euros', () => {
    const view = page(invoice)
    expect(view.sums.map(({ value }) => value)).toEqual(['100,00', '21,00', '121,00 USD'])
    const texts = textsOf(view)
    for (const text of ['Importes en euros', '1 USD = 0,92 € (13/03/2026)', '92,00 €', '19,32 €', '111,32 €'])
      expect(texts).toContain(text)
  })

  it('asks for the amount to pay in dollars', () => {
    expect(page(invoice).payment?.instalments.map(({ amount }) => amount)).toEqual(['121,00 USD'])
  })

  it('has no heading for dollars if it was stored without amounts in them', () => {
    const { invoice_currency: _, ...totals } = invoice.invoice.totals
    const lines = invoice.invoice.lines.map(({ invoice_currency: __, ...line }) => line)
    const stored = { ...invoice, invoice: { ...invoice.invoice, lines, totals } }
    const texts = textsOf(page(stored)).join('\n')
    expect(texts).not.toContain('USD')
    expect(texts).toContain('111,32 €')
  })
})
