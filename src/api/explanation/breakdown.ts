/** Why each amount of the breakdown and of the withholding is what it is. */
import type { BreakdownRow, CalculatedLine, TaxGroup } from '../../calculate/index.ts'
import type { TaxOutput } from '../../invoice/index.ts'
import { type Exact, exact } from '../../money/index.ts'
import { type ExplanationInput, percent, plural, type Rows, RULES, rateOf, ZERO } from './rows.ts'
import { groupPart, withoutTax } from './shares.ts'

/** A group, and what its rows have in common. */
interface Explained {
  readonly rows: Rows
  readonly group: TaxGroup
  /** The price contains the tax, and nothing moved it: base and tax add up to what was charged. */
  readonly included: boolean
  readonly split: boolean
  readonly grosses: readonly ExplanationInput[]
  readonly bases: readonly ExplanationInput[]
  readonly byLine: (value: (line: CalculatedLine) => Exact) => Exact
}

/** One entry of the breakdown. */
interface Entry {
  readonly row: BreakdownRow
  readonly entry: TaxOutput
  readonly at: (name: string) => string
}

const added = (inputs: readonly ExplanationInput[]): Exact =>
  inputs.reduce((total, { value }) => total.plus(value), ZERO)

export function explainBreakdown(rows: Rows): void {
  let index = 0
  for (const group of rows.sheet.calculation.groups) {
    const inputs = (name: 'gross_amount_with_tax' | 'tax_output_base') =>
      group.lines.map((at) => rows.input(`/invoice/lines/${at}/${name}`, rows.line(at)[name]))
    const explained: Explained = {
      rows,
      group,
      included: group.withTax && !group.margin && group.share === 0,
      split: group.rows.length > 1,
      grosses: inputs('gross_amount_with_tax'),
      bases: inputs('tax_output_base'),
      byLine: (value) =>
        group.lines.reduce((total, at) => total.plus(rows.round(value(rows.line(at)))), ZERO),
    }
    for (const row of group.rows) {
      const place = index
      const entry = {
        row,
        entry: rows.invoice.taxes_outputs[place]!,
        at: (name: string) => `/invoice/taxes_outputs/${place}/${name}`,
      }
      explainBase(explained, entry)
      explainTaxes(explained, entry)
      explainSurcharge(rows, entry)
      index += 1
    }
  }
}

/** An amount of an entry that the client sent: at its place in the document sent. */
function explainSent(
  rows: Rows,
  { at }: Entry,
  name: 'taxable_base' | 'tax_amount' | 'consumption_tax_amount',
  input: ExplanationInput,
  rounded: number | undefined,
  total: number,
): void {
  const { rate } = rows.sheet
  rows.add({
    path: at(name),
    formula: `${name === 'taxable_base' ? name : 'tax'} sent for this part of the group${rate === undefined ? '' : ' x exchange_rate'}`,
    inputs: [input, ...exchangeRate(rows)],
    value: exact(input.value).times(rate ?? 1),
    rounded,
    rule: RULES.entry,
    total,
  })
}

export const exchangeRate = ({ sheet: { rate } }: Rows): ExplanationInput[] =>
  rate === undefined ? [] : [{ path: '/invoice/issue_data/invoice_currency/exchange_rate', value: rate }]

function explainBase(explained: Explained, entry: Entry): void {
  const { rows, group, included, split, grosses, bases, byLine } = explained
  const rate = rateOf(group)
  const path = entry.at('taxable_base')
  const rounded = entry.entry.taxable_base
  const sent = split && rows.sent('taxes_outputs', entry.row, 'taxable_base')
  if (sent) explainSent(rows, entry, 'taxable_base', sent, rounded, group.base)
  else if (included)
    rows.add({
      path,
      formula: `sum of ${plural(grosses.length, 'line')} with tax x 100 / (100 + ${rate})`,
      inputs: grosses,
      value: withoutTax(added(grosses), rate),
      rounded,
      rule: RULES.included,
      lineByLine: byLine((line) => withoutTax(exact(line.gross_amount_with_tax), rate)),
    })
  else if (group.share === 0)
    rows.add({
      path,
      formula: `sum of ${plural(bases.length, 'line base')}`,
      inputs: bases,
      value: added(bases),
      rounded,
      rule: RULES.sum,
    })
  else {
    // The parts of a margin are not what the document comes to; those of the discount add up to it.
    const { totals, adjustment } = rows.sheet.calculation
    const whole = group.margin ? adjustment : totals.total_gross_amount_before_taxes
    rows.add({
      path,
      ...groupPart(rows, group, bases, added(bases)),
      rounded,
      rule: RULES.spread,
      total: whole,
    })
  }
}

function explainTaxes(explained: Explained, entry: Entry): void {
  const { rows, group, included } = explained
  const { entry: amounts, at } = entry
  if (group.consumptionRate === undefined) {
    explainTax(explained, entry, 'tax_amount', group.rate, amounts.tax_amount)
    return
  }
  if (included || group.rate === 0)
    rows.add({
      path: at('tax_amount'),
      formula: 'no Spanish tax',
      inputs: [],
      value: ZERO,
      rounded: amounts.tax_amount,
      rule: RULES.group,
    })
  else explainTax(explained, entry, 'tax_amount', group.rate, amounts.tax_amount)
  const foreign = amounts.consumption_tax_amount
  explainTax(explained, entry, 'consumption_tax_amount', group.consumptionRate, foreign)
}

function explainTax(
  explained: Explained,
  entry: Entry,
  name: 'tax_amount' | 'consumption_tax_amount',
  rate: number,
  rounded: number | undefined,
): void {
  const { rows, group, included, split, grosses, bases, byLine } = explained
  const { at, row } = entry
  const taxed = [rows.input(at('taxable_base'), entry.entry.taxable_base)]
  const base = added(taxed)
  const total = name === 'tax_amount' ? group.tax : group.consumptionTax
  const part = percent(rate)
  const lineTax = () => byLine((line) => exact(line.tax_output_base).times(part))
  const apart = split || group.share !== 0
  const sent = included && split && rows.sent('taxes_outputs', row, name)
  if (sent) explainSent(rows, entry, name, sent, rounded, total)
  else if (included && !split)
    rows.add({
      path: at(name),
      formula: `sum of ${plural(grosses.length, 'line')} with tax - taxable_base`,
      inputs: [...grosses, ...taxed],
      value: added(grosses).minus(base),
      rounded,
      rule: RULES.included,
      lineByLine: lineTax(),
    })
  else
    rows.add({
      path: at(name),
      formula: apart ? `taxable_base x ${rate} %` : `sum of ${plural(bases.length, 'line base')} x ${rate} %`,
      inputs: taxed,
      value: base.times(part),
      rounded,
      rule: RULES.group,
      ...(apart
        ? { total: split && group.withTax && group.share === 0 ? total : undefined }
        : { lineByLine: lineTax() }),
    })
}

function explainSurcharge(rows: Rows, { entry, at }: Entry): void {
  const { equivalence_surcharge: rate, equivalence_surcharge_amount: amount } = entry
  if (amount === undefined || rate === undefined) return
  rows.add({
    path: at('equivalence_surcharge_amount'),
    formula: `taxable_base x ${rate} %`,
    inputs: [
      rows.input(at('taxable_base'), entry.taxable_base),
      rows.input(at('equivalence_surcharge'), rate),
    ],
    value: exact(entry.taxable_base).times(percent(rate)),
    rounded: amount,
    rule: RULES.group,
  })
}

export function explainWithheld(rows: Rows): void {
  const { calculation } = rows.sheet
  let index = 0
  for (const group of calculation.withheld) {
    const bases = group.lines.map((line) =>
      rows.input(`/invoice/lines/${line}/tax_withheld_base`, rows.line(line).tax_withheld_base),
    )
    const rate = percent(group.rate)
    for (const row of group.rows) {
      const entry = rows.invoice.taxes_withheld?.[index]
      if (entry === undefined) continue
      const place = index
      const at = (name: string) => `/invoice/taxes_withheld/${place}/${name}`
      const split = group.rows.length > 1
      const sent = split && rows.sent('taxes_withheld', row, 'taxable_base')
      const inputs = sent ? [sent] : bases
      rows.add({
        path: at('taxable_base'),
        formula: split
          ? 'taxable_base sent for this part of the group'
          : `sum of ${plural(bases.length, 'line base')}`,
        inputs,
        value: added(inputs),
        rounded: entry.taxable_base,
        rule: split ? RULES.entry : RULES.sum,
      })
      rows.add({
        path: at('tax_amount'),
        formula: `taxable_base x ${group.rate} %`,
        inputs: [rows.input(at('taxable_base'), entry.taxable_base)],
        value: exact(entry.taxable_base).times(rate),
        rounded: entry.tax_amount,
        rule: RULES.group,
        ...(split
          ? {}
          : {
              lineByLine: bases.reduce(
                (total, { value }) => total.plus(rows.round(exact(value).times(rate))),
                ZERO,
              ),
            }),
      })
      index += 1
    }
  }
}
