/** Numbers, lines, groups. */
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
    title: 'Numbers and rounding',
    body: [
      'A JSON number is taken as the decimal that it prints as, and arithmetic on it is exact. ' +
        'An amount is rounded once, to the minor unit of its currency (cents for the euro). A half goes away from zero, so a credit is the mirror image of the sale:',
      table(['Quantity', 'Price', 'Exact', 'Amount'], rows),
      `JavaScript by itself makes ${(1.005).toFixed(2)} of the first and ${(2.675).toFixed(2)} of the last: \`toFixed\` rounds the binary number behind them.`,
      `Quantities, prices and rates keep 8 decimals, amounts sent keep 2. A number with more is rounded, the rounded one is used, and the warning \`excess_precision\` says so: ` +
        `${item.extra.received} becomes ${item.extra.used}. Line amounts that were sent and are computed anyway get that warning only where they differ from the computed amount.`,
      `An amount may have 12 integer digits, which is what a fiscal record carries: 999,999,999,999.99 is computed to the cent, and 10 × 100,000,000,000 gives \`${over[0]}\` and no data. ` +
        'The limit is for every computed amount, the sum of the lines and each total included.',
    ],
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
    title: 'A line with a price without tax',
    body: [
      'Quantity times price is rounded, then the discount and the charge of the line are taken off and added. Each is the amount that was sent; where only a rate was sent, it is that percentage of the rounded cost. 3 at 19.99, less 10 %, plus 2.50:',
      because(document, [
        '/invoice/lines/0/total_cost_without_tax',
        '/invoice/lines/0/discount_amount',
        '/invoice/lines/0/gross_amount_without_tax',
        '/invoice/lines/0/tax_output_base',
        '/invoice/lines/0/tax_output_amount',
      ]),
      `With both an amount and a rate, the amount counts: 100.00 with \`discount_amount\` 5 and \`discount_rate\` 50 leaves ${euros(invoice.lines[1].gross_amount_without_tax)}.`,
      'The tax of a line is for information. What the invoice owes is worked out per group, below.',
    ],
  }
}

function groups() {
  const document = draft([line(1, 1.02), line(1, 1.02), line(1, 1.02)])
  const row = explain(document).find(({ path }) => path === '/invoice/taxes_outputs/0/tax_amount')
  must(Math.abs(row.line_by_line.difference) === 0.01, 'group and line rounding differ by a cent')
  return {
    title: 'Tax per group, and the one-cent difference',
    body: [
      'Lines that are taxed alike form a group: same treatment, rate and regime key, same exemption or non-taxable reason, same consumption country, rate, rate type and supply type. Groups stand in `taxes_outputs` in the order in which the lines first mention them. ' +
        'The tax of a group is one multiplication and one rounding, base times rate; it is not the sum of the taxes of its lines.',
      `Three lines of 1.02 at 21 %: each by itself has ${euros(first(document).tax_output_amount)} of tax, which would make ${euros(row.line_by_line.value)}; the group has ${euros(row.rounded)}. \`explain\` shows both:`,
      fence('json', JSON.stringify(row, null, 2)),
      'Reverse charge, exempt and non-taxable groups carry tax 0 and `tax_rate` 0, whatever rate their lines name. A rate of 0 by itself is taxed at 0 %, which is not the same as exempt.',
    ],
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
    title: 'A price with tax',
    body: [
      'What the customer pays is fixed, so the tax is taken out of the sum of the group and not out of each line. The base of the group is the sum times 100 / (100 + rate), rounded once; the tax is what is left.',
      'Three lines of 9.99 at 21 %:',
      because(document, ['/invoice/taxes_outputs/0', '/invoice/totals/invoice_total']),
      `The total is ${euros(invoice.totals.invoice_total)}, as charged. Line by line the base would have been ${euros(row.line_by_line.value)}. ` +
        `The base of the group is then shared out by largest remainder, so that the line bases add up to it: ${bases.join(', ')}.`,
      `One line of 3 × 9.99 gives the same group: ${euros(answer(draft([lineWithTax(3, 9.99)])).taxes_outputs[0].taxable_base)} and ${euros(answer(draft([lineWithTax(3, 9.99)])).taxes_outputs[0].tax_amount)}.`,
      `A price with tax takes no line discount or charge (\`${refused[0]}\`), and an invoice has prices of one kind only (\`line_price_mode_mixed\`).`,
    ],
  }
}

export const amounts = () => [numbers(), lines(), groups(), withTax()]
