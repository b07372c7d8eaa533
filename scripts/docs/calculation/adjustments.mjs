/** What is done to the groups afterwards: document discounts, surcharge, withholding, split groups. */
import { answer, because, codes, draft, euros, items, line, lineWithTax, must } from '../sample.mjs'
import { table } from '../text.mjs'

const discount = (discount_amount) => ({
  general_discounts: [{ discount_reason: 'Pronto pago', discount_amount }],
})

function documentDiscounts() {
  const lines = [line(1, 100), line(1, 100, { tax_output_rate: 10 }), line(1, 100, { tax_output_rate: 4 })]
  const before = answer(draft(lines)).taxes_outputs
  const after = answer(draft(lines, { totals: discount(10) })).taxes_outputs
  const shares = after.map((entry, at) => (entry.taxable_base - before[at].taxable_base).toFixed(2))
  must(shares.join() === '-3.34,-3.33,-3.33', 'the odd cent goes to the higher rate')
  const rates = {
    totals: {
      general_discounts: [
        { discount_reason: 'Rappel', discount_rate: 2 },
        { discount_reason: 'Campaña', discount_rate: 3 },
      ],
      general_surcharges: [{ charge_reason: 'Portes', charge_amount: 12 }],
    },
  }
  const both = draft([line(1, 333.33), line(1, 120.5, { tax_output_rate: 10 })], rates)
  const included = draft([lineWithTax(1, 121)], { totals: discount(10) })
  const [entry] = answer(included).taxes_outputs
  must(
    entry.taxable_base === 90 && entry.tax_amount === 18.9,
    'a touched tax-included group is computed from its base',
  )
  return {
    title: 'Document discounts and surcharges',
    body: [
      'A discount or surcharge of the whole document is an amount, or a rate on the sum of the line amounts without tax. Each is rounded by itself; rates do not build on one another. An amount sent wins over a rate.',
      'What remains of surcharges less discounts is shared among the groups in proportion to their amounts, by largest remainder: whole cents first, then the cents left over to the largest fractions. Equal fractions go to the larger amount, then to the higher rate. 10.00 off three groups of 100.00:',
      table(
        ['Rate', 'Before', 'Share', 'Base', 'Tax'],
        after.map((group, at) => [
          `${group.tax_rate} %`,
          euros(before[at].taxable_base),
          shares[at],
          euros(group.taxable_base),
          euros(group.tax_amount),
        ]),
      ),
      'Two discounts by rate and one surcharge, on 333.33 at 21 % and 120.50 at 10 %:',
      because(both, [
        '/invoice/totals/total_gross_amount',
        '/invoice/totals/general_discounts',
        '/invoice/totals/total_general_discounts',
        '/invoice/totals/total_general_surcharges',
        '/invoice/totals/total_gross_amount_before_taxes',
        '/invoice/taxes_outputs',
      ]),
      `A group with prices with tax that gets a share is computed from its base afterwards. One line of 121.00 with tax and 10.00 off the document: base ${euros(entry.taxable_base)}, tax ${euros(entry.tax_amount)}. The discount is thus an amount without tax.`,
    ],
  }
}

const surcharge = (more) => ({
  taxes_outputs: [{ tax_rate: 21, taxable_base: 159, tax_amount: 33.39, ...more }],
})

function equivalenceSurcharge() {
  const document = draft([line(1, 159)], surcharge({ equivalence_surcharge: 5.2 }))
  const alone = answer(draft([line(1, 159)], surcharge({ equivalence_surcharge_amount: 8.27 })))
  must(alone.taxes_outputs[0].equivalence_surcharge_amount === 8.27, 'an amount without a percentage is kept')
  const odd = codes(draft([line(1, 159)], surcharge({ equivalence_surcharge: 4 })))
  return {
    title: 'Equivalence surcharge',
    body: [
      'The surcharge of a retailer is there only where the client sends it in an entry of `taxes_outputs`; nothing on a line asks for it. It is base times percentage, rounded once for the group, and goes into `total_tax_outputs`. 159.00 at 21 % with 5.2 %:',
      because(document, [
        '/invoice/taxes_outputs/0',
        '/invoice/totals/total_tax_outputs',
        '/invoice/totals/invoice_total',
      ]),
      `A pair of rate and surcharge that the dated catalog does not have is computed as sent, with a warning: \`${odd[0]}\`. An \`equivalence_surcharge_amount\` without its percentage is kept as it is, with the same warning.`,
    ],
  }
}

function withholding() {
  const lines = [
    line(1, 600, { tax_withheld_rate: 15 }),
    line(1, 300, { tax_withheld_rate: 15 }),
    line(1, 100, { tax_output_rate: 10 }),
  ]
  const document = draft(lines, { totals: discount(50) })
  const invoice = answer(document)
  const unusual = codes(draft([line(1, 100, { tax_withheld_rate: 13 })]))
  must(unusual[0].startsWith('withholding_rate_unknown'), 'an unusual rate is a warning')
  const negative = items(draft([line(1, 100, { tax_withheld_rate: -1 })]))
  must(negative[0].severity === 'error', 'a rate below 0 is an error')
  return {
    title: 'Income tax withheld',
    body: [
      'The base of the withholding is the amount of the line without tax, with its part of document discounts and surcharges, shared a second time from the group to its lines in the same way. Lines are grouped by rate and the amount is rounded once for the group. ' +
        'Fees of 600.00 and 300.00 with 15 %, 100.00 without, 50.00 off the document:',
      because(document, [
        '/invoice/lines/0/tax_withheld_base',
        '/invoice/lines/1/tax_withheld_base',
        '/invoice/taxes_withheld',
        '/invoice/totals/invoice_total',
        '/invoice/totals/total_executable_amount',
      ]),
      `\`invoice_total\` is before withholding (${euros(invoice.totals.invoice_total)}); what is paid is \`total_executable_amount\` (${euros(invoice.totals.total_executable_amount)}). A rate that was never in force on that day is applied as sent, with the warning \`withholding_rate_unknown\`; below 0 or above 100 % that is an error.`,
    ],
  }
}

function splitGroups() {
  const entries = [
    { tax_rate: 21, taxable_base: 600, tax_amount: 126, equivalence_surcharge: 5.2 },
    { tax_rate: 21, taxable_base: 400, tax_amount: 84 },
  ]
  const document = draft([line(10, 100)], { taxes_outputs: entries })
  const wrong = codes(
    draft([line(10, 100)], { taxes_outputs: [entries[0], { ...entries[1], taxable_base: 390 }] }),
  )
  must(wrong.includes('taxes_outputs_mismatch /invoice/taxes_outputs/0/taxable_base'), 'a split must add up')
  const near = answer(
    draft([line(1, 100), line(1, 100), line(1, 100)], {
      taxes_outputs: [
        { ...entries[0], taxable_base: 200.02, tax_amount: 42 },
        { ...entries[1], taxable_base: 100, tax_amount: 21 },
      ],
    }),
  )
  must(
    near.taxes_outputs[0].taxable_base === 200.02 &&
      near.lines[0].tax_output_base === 100.01 &&
      near.totals.total_gross_amount === 300,
    'a split keeps the bases sent, and the line bases follow',
  )
  return {
    title: 'A group that the client split',
    body: [
      'Several entries of `taxes_outputs` may stand for one group, as where some goods carry the surcharge and others do not. Each entry keeps its base and gets a tax of its own. 1,000.00 at 21 %, 600.00 of it with surcharge:',
      because(document, ['/invoice/taxes_outputs', '/invoice/totals/total_tax_outputs']),
      `The bases must add up to the group, within a cent per line. Where they are cents away they are kept as sent, and the bases of the lines are spread over their sum: three lines of 100.00, sent as ${euros(near.taxes_outputs[0].taxable_base)} and ${euros(near.taxes_outputs[1].taxable_base)}, have bases of ${near.lines.map(({ tax_output_base }) => euros(tax_output_base)).join(', ')}; quantity times price and \`total_gross_amount\` stay what they are. Further off, the answer is \`${wrong[0]}\` and the group is one row again. ` +
        'With prices with tax the taxes of the entries are kept as well, where base and tax of all of them make the sum that was charged.',
    ],
  }
}

export const adjustments = () => [documentDiscounts(), equivalenceSurcharge(), withholding(), splitGroups()]
