/** Figures on adjustments of the groups: document discounts, surcharge, withholding, split groups. */
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
    shares: table(
      ['Rate', 'Before', 'Share', 'Base', 'Tax'],
      after.map((group, at) => [
        `${group.tax_rate} %`,
        euros(before[at].taxable_base),
        shares[at],
        euros(group.taxable_base),
        euros(group.tax_amount),
      ]),
    ),
    rows: because(both, [
      '/invoice/totals/total_gross_amount',
      '/invoice/totals/general_discounts',
      '/invoice/totals/total_general_discounts',
      '/invoice/totals/total_general_surcharges',
      '/invoice/totals/total_gross_amount_before_taxes',
      '/invoice/taxes_outputs',
    ]),
    base: euros(entry.taxable_base),
    tax: euros(entry.tax_amount),
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
    rows: because(document, [
      '/invoice/taxes_outputs/0',
      '/invoice/totals/total_tax_outputs',
      '/invoice/totals/invoice_total',
    ]),
    warning: odd[0],
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
    rows: because(document, [
      '/invoice/lines/0/tax_withheld_base',
      '/invoice/lines/1/tax_withheld_base',
      '/invoice/taxes_withheld',
      '/invoice/totals/invoice_total',
      '/invoice/totals/total_executable_amount',
    ]),
    total: euros(invoice.totals.invoice_total),
    payable: euros(invoice.totals.total_executable_amount),
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
    rows: because(document, ['/invoice/taxes_outputs', '/invoice/totals/total_tax_outputs']),
    firstBase: euros(near.taxes_outputs[0].taxable_base),
    secondBase: euros(near.taxes_outputs[1].taxable_base),
    lineBases: near.lines.map(({ tax_output_base }) => euros(tax_output_base)).join(', '),
    refusal: wrong[0],
  }
}

export const ADJUSTMENTS = { documentDiscounts, equivalenceSurcharge, withholding, splitGroups }
