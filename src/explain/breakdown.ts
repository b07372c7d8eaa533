/** Why each amount of the breakdown and of the withholding is what it is. */
import type { Context } from '../../rules/index.ts'
import type { Line } from '../invoice/index.ts'
import { type Exact, exact } from '../money/index.ts'
import { cents, HUNDRED, input, percent, plural, type Rows, RULES, rateOf, ZERO } from './rows.ts'
import { documentAdjustments, groupShare } from './shares.ts'

export function explainBreakdown(rows: Rows, context: Context): void {
  const { lines } = rows.invoice
  let index = 0
  for (const group of context.inEuros.groups) {
    const rate = rateOf(group)
    const foreign = group.consumptionRate !== undefined
    const grosses = group.lines.map((at) =>
      input(`/invoice/lines/${at}/gross_amount_with_tax`, lines[at]!.gross_amount_with_tax),
    )
    const bases = group.lines.map((at) =>
      input(`/invoice/lines/${at}/tax_output_base`, lines[at]!.tax_output_base),
    )
    const charged = grosses.reduce((sum, { value }) => sum.plus(exact(value)), ZERO)
    const own = bases.reduce((sum, { value }) => sum.plus(exact(value)), ZERO)
    const hundred = exact(100).plus(exact(rate))
    const included = group.withTax && !group.margin && group.share === 0
    const byLine = (value: (line: Line) => Exact) =>
      group.lines.reduce((sum, at) => sum.plus(cents(value(lines[at]!))), ZERO)
    for (const row of group.rows) {
      const entry = rows.invoice.taxes_outputs![index]!
      const at = (name: string) => `/invoice/taxes_outputs/${index}/${name}`
      const base = exact(entry.taxable_base)
      const split = group.rows.length > 1
      if (split)
        rows.add(
          at('taxable_base'),
          'taxable_base sent for this part of the group',
          [input(at('taxable_base'), row.sent?.taxable_base)],
          base,
          entry.taxable_base,
          RULES.entry,
        )
      else if (included)
        rows.add(
          at('taxable_base'),
          `sum of ${plural(grosses.length, 'line')} with tax x 100 / (100 + ${rate})`,
          grosses,
          charged.times(HUNDRED).div(hundred),
          entry.taxable_base,
          RULES.included,
          byLine((line) => exact(line.gross_amount_with_tax!).times(HUNDRED).div(hundred)),
        )
      else
        rows.add(
          at('taxable_base'),
          group.share === 0
            ? `sum of ${plural(bases.length, 'line base')}`
            : `sum of ${plural(bases.length, 'line base')} and the group's share of document discounts and surcharges`,
          group.share === 0 ? bases : [...bases, ...documentAdjustments(rows)],
          own.plus(groupShare(context, group)),
          entry.taxable_base,
          group.share === 0 ? RULES.sum : RULES.spread,
        )
      const taxInput = [input(at('taxable_base'), entry.taxable_base)]
      const lineTax = byLine((line) => exact(line.tax_output_base!).times(percent(rate)))
      const tax = (value: number, name: string) => {
        if (included && !split)
          rows.add(
            at(name),
            `sum of ${plural(grosses.length, 'line')} with tax - taxable_base`,
            [...grosses, ...taxInput],
            charged.minus(base),
            value,
            RULES.included,
            lineTax,
          )
        else if (included)
          rows.add(
            at(name),
            'tax sent for this part of the group',
            [input(at(name), value)],
            exact(value),
            value,
            RULES.entry,
          )
        else
          rows.add(
            at(name),
            split ? `taxable_base x ${rate} %` : `sum of ${plural(bases.length, 'line base')} x ${rate} %`,
            taxInput,
            base.times(percent(rate)),
            value,
            RULES.group,
            split || group.share !== 0 ? undefined : lineTax,
          )
      }
      if (foreign) {
        rows.add(at('tax_amount'), 'no Spanish tax', taxInput, ZERO, entry.tax_amount, RULES.group)
        tax(entry.consumption_tax_amount!, 'consumption_tax_amount')
      } else tax(entry.tax_amount, 'tax_amount')
      const surcharge = entry.equivalence_surcharge_amount
      if (surcharge !== undefined && entry.equivalence_surcharge !== undefined)
        rows.add(
          at('equivalence_surcharge_amount'),
          `taxable_base x ${entry.equivalence_surcharge} %`,
          [...taxInput, input(at('equivalence_surcharge'), entry.equivalence_surcharge)],
          base.times(percent(entry.equivalence_surcharge)),
          surcharge,
          RULES.group,
        )
      index += 1
    }
  }
}

export function explainWithheld(rows: Rows, context: Context): void {
  context.inEuros.withheld.forEach((group, index) => {
    const entry = rows.invoice.taxes_withheld![index]!
    const at = (name: string) => `/invoice/taxes_withheld/${index}/${name}`
    const bases = group.lines.map((line) =>
      input(`/invoice/lines/${line}/tax_withheld_base`, rows.invoice.lines[line]!.tax_withheld_base),
    )
    const sum = bases.reduce((total, { value }) => total.plus(exact(value)), ZERO)
    const byLine = bases.reduce(
      (total, { value }) => total.plus(cents(exact(value).times(percent(group.rate)))),
      ZERO,
    )
    rows.add(
      at('taxable_base'),
      `sum of ${plural(bases.length, 'line base')}`,
      bases,
      sum,
      entry.taxable_base,
      RULES.sum,
    )
    rows.add(
      at('tax_amount'),
      `taxable_base x ${group.rate} %`,
      [input(at('taxable_base'), entry.taxable_base)],
      sum.times(percent(group.rate)),
      entry.tax_amount,
      RULES.group,
      byLine,
    )
  })
}
