/** Numbers, lines, groups: figures of `page.md`. */
import {
  answer,
  because,
  codes,
  draft,
  euros,
  explain,
  line,
  lineWithTax,
  must,
  validate,
} from '../sample.mjs'
import { fence, table } from '../text.mjs'

const first = (document) => answer(document).lines[0]

function numbers() {
  const pairs = [
    [1, 1.005],
    [-1, 1.005],
    [3, 0.1],
    [2.5, 0.333],
    [1, 2.675],
  ]
  const rows = pairs.map(([quantity, price]) => {
    const document = draft([line(quantity, price)])
    const { exact, rounded } = explain(document)[0]
    return [quantity, price, exact, euros(rounded)]
  })
  must(rows[0][3] === '1.01' && rows[1][3] === '-1.01', 'rounding is half away from zero')
  const dusty = draft([line(1, 24.369999999999997)])
  const item = validate(dusty).errors[0]
  must(item.code === 'excess_precision', 'float dust is reported')
  const limit = draft([line(1, 999999999999.99, { tax_output_rate: 0 })])
  must(answer(limit).totals.invoice_total === 999999999999.99, 'twelve integer digits are exact')
  const over = codes(draft([line(10, 1e11, { tax_output_rate: 0 })]))
  must(over[0].startsWith('amount_out_of_range'), 'thirteen digits are refused')
  return {
    amounts: table(['Quantity', 'Price', 'Exact', 'Amount'], rows),
    naiveFirst: (1.005).toFixed(2),
    naiveLast: (2.675).toFixed(2),
    received: item.extra.received,
    used: item.extra.used,
    refusal: over[0],
  }
}

function lines() {
  const document = draft([
    line(3, 19.99, { discount_rate: 10, charge_amount: 2.5 }),
    line(1, 100, { discount_amount: 5, discount_rate: 50 }),
  ])
  const invoice = answer(document)
  must(invoice.lines[1].discount_amount === 5, 'a discount amount wins over a rate')
  return {
    rows: because(document, [
      '/invoice/lines/0/total_cost_without_tax',
      '/invoice/lines/0/discount_amount',
      '/invoice/lines/0/gross_amount_without_tax',
      '/invoice/lines/0/tax_output_base',
      '/invoice/lines/0/tax_output_amount',
    ]),
    left: euros(invoice.lines[1].gross_amount_without_tax),
  }
}

function groups() {
  const document = draft([line(1, 1.02), line(1, 1.02), line(1, 1.02)])
  const row = explain(document).find(({ path }) => path === '/invoice/taxes_outputs/0/tax_amount')
  must(Math.abs(row.line_by_line.difference) === 0.01, 'group and line rounding differ by a cent')
  return {
    lineTax: euros(first(document).tax_output_amount),
    lineByLine: euros(row.line_by_line.value),
    groupTax: euros(row.rounded),
    row: fence('json', JSON.stringify(row, null, 2)),
  }
}

function withTax() {
  const document = draft([lineWithTax(1, 9.99), lineWithTax(1, 9.99), lineWithTax(1, 9.99)])
  const invoice = answer(document)
  const row = explain(document).find(({ path }) => path === '/invoice/taxes_outputs/0/taxable_base')
  const bases = invoice.lines.map(({ tax_output_base }) => euros(tax_output_base))
  must(invoice.totals.invoice_total === 29.97, 'the charge is kept')
  const refused = codes(draft([lineWithTax(1, 9.99, { discount_rate: 10 })]))
  return {
    rows: because(document, ['/invoice/taxes_outputs/0', '/invoice/totals/invoice_total']),
    total: euros(invoice.totals.invoice_total),
    lineByLine: euros(row.line_by_line.value),
    bases: bases.join(', '),
    groupBase: euros(answer(draft([lineWithTax(3, 9.99)])).taxes_outputs[0].taxable_base),
    groupTax: euros(answer(draft([lineWithTax(3, 9.99)])).taxes_outputs[0].tax_amount),
    refusal: refused[0],
  }
}

export const AMOUNTS = { numbers, lines, groups, withTax }
