/** Figures on the margin scheme, one-stop shop and foreign currencies. */
import { answer, because, codes, draft, euros, line, lineWithTax, must, received } from '../sample.mjs'

const margin = (purchase_price_incl, tax_regime_key = '03') => ({ purchase_price_incl, tax_regime_key })

function marginScheme() {
  const included = draft([lineWithTax(1, 500, margin(330))])
  const excluded = draft([line(1, 500, margin(330))])
  const loss = draft([lineWithTax(1, 300, margin(330)), lineWithTax(1, 500, margin(330))])
  const kept = answer(included)
  const added = answer(excluded)
  const lost = answer(loss)
  must(kept.totals.invoice_total === 500, 'a price with tax stays the total')
  must(added.totals.invoice_total === 535.7, 'a price without tax has the tax of the margin added')
  must(lost.lines[0].tax_output_base === 0, 'a loss carries no tax')
  const refund = answer(draft([lineWithTax(-1, 500, margin(330))]))
  must(
    refund.taxes_outputs[0].taxable_base === -kept.taxes_outputs[0].taxable_base,
    'a refund mirrors the sale',
  )
  const discounted = answer(
    draft([line(1, 500, margin(330)), line(1, 300, margin(330))], {
      totals: { general_discounts: [{ discount_reason: 'Descuento', discount_amount: 20 }] },
    }),
  )
  must(discounted.totals.total_general_discounts === 20, 'the discount applies')
  return {
    withTax: because(included, [
      '/invoice/lines/0/tax_output_base',
      '/invoice/taxes_outputs/0',
      '/invoice/totals/total_gross_amount',
      '/invoice/totals/invoice_total',
    ]),
    withoutTax: because(excluded, [
      '/invoice/lines/0/tax_output_base',
      '/invoice/taxes_outputs/0',
      '/invoice/totals/total_gross_amount',
      '/invoice/totals/invoice_total',
    ]),
    discounted: euros(discounted.taxes_outputs[0].taxable_base),
    base: euros(lost.taxes_outputs[0].taxable_base),
    refundBase: euros(refund.taxes_outputs[0].taxable_base),
    refundTax: euros(refund.taxes_outputs[0].tax_amount),
  }
}

const consumer = {
  person_type_code: 'F',
  name: 'Claire Exemple',
  country_code: 'FR',
  person: { first_name: 'Claire', first_surname: 'Exemple' },
}
const french = {
  tax_regime_key: '17',
  consumption_country_code: 'FR',
  consumption_tax_rate: 20,
  consumption_rate_type: 'standard',
  supply_type: 'goods',
}

function oneStopShop() {
  const sold = lineWithTax(1, 49.8, french)
  delete sold.tax_output_rate
  const document = draft([sold], { customer: consumer })
  const { totals, taxes_outputs } = answer(document)
  must(
    totals.total_tax_outputs === 0 && totals.total_consumption_taxes === 8.3,
    'foreign tax is not a Spanish tax',
  )
  const [entry] = taxes_outputs
  return {
    rows: because(document, [
      '/invoice/taxes_outputs/0',
      '/invoice/totals/total_tax_outputs',
      '/invoice/totals/total_consumption_taxes',
      '/invoice/totals/total_non_taxable_amount',
      '/invoice/totals/invoice_total',
    ]),
    total: euros(totals.invoice_total),
    recorded: euros(entry.taxable_base),
  }
}

function foreignCurrency() {
  const dollars = { invoice_currency_code: 'USD', exchange_rate: 0.92, exchange_rate_date: '2026-03-02' }
  const document = received([line(3, 19.99), line(7, 0.333)], { issue_data: { invoice_currency: dollars } })
  const invoice = answer(document)
  const without = codes(
    received([line(1, 10)], { issue_data: { invoice_currency: { invoice_currency_code: 'USD' } } }),
  )
  must(without[0].startsWith('exchange_rate_not_available'), 'no rate, no conversion')
  const handed = answer(
    received([line(1, 10)], { issue_data: { invoice_currency: { invoice_currency_code: 'USD' } } }),
    {
      exchange_rate: { exchange_rate: 0.5, exchange_rate_date: '2026-03-02' },
    },
  )
  must(handed.totals.total_gross_amount === 5, 'the rate of the options is used')
  const yen = { invoice_currency_code: 'JPY', exchange_rate: 0.006, exchange_rate_date: '2026-03-02' }
  const japanese = answer(received([line(1, 1005)], { issue_data: { invoice_currency: yen } }))
  must(Number.isInteger(japanese.totals.invoice_currency.invoice_total), 'yen have no cents')
  const sold = answer(draft([line(1, 92)], { issue_data: { invoice_currency: dollars } }))
  must(sold.totals.invoice_currency.invoice_total === 121, 'the amounts of an issued invoice are euros')
  const original = invoice.totals.invoice_currency
  return {
    rows: because(document, [
      '/invoice/lines/0/unit_price_without_tax',
      '/invoice/lines/0/total_cost_without_tax',
      '/invoice/taxes_outputs/0',
      '/invoice/totals/invoice_total',
    ]),
    dollars: euros(original.invoice_total),
    inEuros: euros(invoice.totals.invoice_total),
    yen: japanese.totals.invoice_currency.invoice_total,
    yenInEuros: euros(japanese.totals.invoice_total),
    issuedEuros: euros(sold.totals.invoice_total),
    issuedDollars: euros(sold.totals.invoice_currency.invoice_total),
    refusal: without[0],
  }
}

export const SPECIAL = { marginScheme, oneStopShop, foreignCurrency }
