/** Margin scheme, one-stop shop, foreign currency. */
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
  return {
    title: 'Margin scheme (keys 03 and 05)',
    body: [
      'With `purchase_price_incl` on a line of key 03 (used goods, art, antiques) or 05 (travel agencies) only the margin is taxed. The purchase is that of the whole line and positive. Sold for 500.00, bought for 330.00, margin 170.00.',
      'Price with tax: the tax is inside the margin, and the price stays the total.',
      because(included, [
        '/invoice/lines/0/tax_output_base',
        '/invoice/taxes_outputs/0',
        '/invoice/totals/total_gross_amount',
        '/invoice/totals/invoice_total',
      ]),
      'Price without tax: the tax of the margin is added to the price.',
      because(excluded, [
        '/invoice/lines/0/tax_output_base',
        '/invoice/taxes_outputs/0',
        '/invoice/totals/total_gross_amount',
        '/invoice/totals/invoice_total',
      ]),
      `A loss has base 0 and does not lower the margin of another line: sold for 300.00 beside the first, the base of the invoice is still ${euros(lost.taxes_outputs[0].taxable_base)}. ` +
        `Quantity -1 gives the same amounts with the sign turned: base ${euros(refund.taxes_outputs[0].taxable_base)}, tax ${euros(refund.taxes_outputs[0].tax_amount)}.`,
    ],
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
    'foreign tax is no Spanish tax',
  )
  const [entry] = taxes_outputs
  return {
    title: 'One-stop shop (key 17)',
    body: [
      'A sale to a consumer in another member state carries the tax of that state. It is not subject in Spain: treatment `NON_TAXABLE`, reason `LOCATION_RULES`, Spanish tax 0. The foreign tax has fields of its own, and a price with tax contains it. 49.80 with 20 % French tax:',
      because(document, [
        '/invoice/taxes_outputs/0',
        '/invoice/totals/total_tax_outputs',
        '/invoice/totals/total_consumption_taxes',
        '/invoice/totals/total_non_taxable_amount',
        '/invoice/totals/invoice_total',
      ]),
      `The customer pays ${euros(totals.invoice_total)}. A Spanish record would carry ${euros(entry.taxable_base)}: the total less \`total_consumption_taxes\`.`,
    ],
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
  const original = invoice.totals.invoice_currency
  return {
    title: 'Foreign currency',
    body: [
      'On a received invoice with `issue_data.invoice_currency` the amounts are in that currency. `exchange_rate` is euros per unit of it. The invoice is computed twice: once in its currency, rounded to the minor unit of that currency, for the `invoice_currency` blocks, and once in euros from the converted prices, which keep 8 decimals. Dollars at 0.92:',
      because(document, [
        '/invoice/lines/0/unit_price_without_tax',
        '/invoice/lines/0/total_cost_without_tax',
        '/invoice/taxes_outputs/0',
        '/invoice/totals/invoice_total',
      ]),
      `The original total is ${euros(original.invoice_total)} dollars, the one in euros ${euros(invoice.totals.invoice_total)}. The totals in euros add up among themselves; they need not be the converted totals to the last cent.`,
      `A yen has no cents: one line of 1,005 yen at 21 % is ${japanese.totals.invoice_currency.invoice_total} yen, ${euros(japanese.totals.invoice_total)} euros at 0.006.`,
      `Without a rate in the invoice the option \`exchange_rate\` is used; without that the answer is \`${without[0]}\` and there is no data. The engine looks nothing up.`,
    ],
  }
}

export const special = () => [marginScheme(), oneStopShop(), foreignCurrency()]
