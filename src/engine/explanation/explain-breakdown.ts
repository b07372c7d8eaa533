/** Rows that explain the amounts of the breakdown and of the withholding. */

import type { OUTPUT_AMOUNTS, TaxOutput } from '#core/invoice/index.ts'
import { type Exact, exact } from '#core/money/index.ts'
import type { BreakdownRow, CalculatedLine, TaxGroup } from '../calculate/index.ts'
import { adjustedGroupBase, hasLoss, withoutTax } from './explain-shares.ts'
import {
  countText,
  EXCHANGE_RATE,
  type ExplanationInput,
  type ExplanationRows,
  percent,
  type Row,
  RULES,
  rateOf,
  ZERO,
} from './explanation-rows.ts'

/** A tax group, with the values that the rows of its explanation share. */
interface GroupContext {
  readonly rows: ExplanationRows
  readonly group: TaxGroup
  /** True if prices include tax and no document discount applies: base and tax then add up to the amount charged. */
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
  /** Adds the row of an amount of the entry. */
  readonly add: (name: Amount, row: Omit<Row, 'path' | 'rounded'>) => void
}

type Amount = (typeof OUTPUT_AMOUNTS)[number]

const added = (inputs: readonly ExplanationInput[]): Exact =>
  inputs.reduce((total, { value }) => total.plus(value), ZERO)

export function explainBreakdown(rows: ExplanationRows): void {
  let index = 0
  for (const group of rows.sheet.calculation.groups) {
    const inputs = (name: 'gross_amount_with_tax' | 'tax_output_base') =>
      group.lines.map((at) => rows.input(`/invoice/lines/${at}/${name}`, rows.line(at)[name]))
    const explained: GroupContext = {
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
      const pathInData = index
      const amounts = rows.invoice.taxes_outputs[pathInData]!
      const at = (name: string) => `/invoice/taxes_outputs/${pathInData}/${name}`
      const entry: Entry = {
        row,
        entry: amounts,
        at,
        add: (name, one) => rows.add({ ...one, path: at(name), rounded: amounts[name] }),
      }
      explainBase(explained, entry)
      explainTaxes(explained, entry)
      explainSurcharge(rows, entry)
      index += 1
    }
  }
}

/** Adds the row of an amount that the client sent for an entry. Its input is the amount in the document sent. */
function explainSent(
  rows: ExplanationRows,
  { add }: Entry,
  name: 'taxable_base' | 'tax_amount' | 'consumption_tax_amount',
  input: ExplanationInput,
  total: number,
): void {
  const { rate, fromEuros } = rows.sheet
  const conversion = rate !== undefined ? ' x exchange_rate' : fromEuros ? ' / exchange_rate' : ''
  add(name, {
    formula: `${name === 'taxable_base' ? name : 'tax'} sent for this part of the group${conversion}`,
    inputs: [input, ...exchangeRate(rows)],
    value: exact(input.value)
      .times(rate ?? 1)
      .div(fromEuros?.rate ?? 1),
    rule: RULES.entry,
    total,
  })
}

export const exchangeRate = ({ sheet: { rate, fromEuros } }: ExplanationRows): ExplanationInput[] => {
  const value = rate ?? fromEuros?.rate
  return value === undefined ? [] : [{ path: EXCHANGE_RATE, value }]
}

function explainBase(explained: GroupContext, entry: Entry): void {
  const { rows, group, included, split, grosses, bases, byLine } = explained
  const rate = rateOf(group)
  const sent = split && rows.sent('taxes_outputs', entry.row, 'taxable_base')
  if (sent) explainSent(rows, entry, 'taxable_base', sent, group.base)
  else if (included)
    entry.add('taxable_base', {
      formula: `sum of ${countText(grosses.length, 'line')} with tax x 100 / (100 + ${rate})`,
      inputs: grosses,
      value: withoutTax(added(grosses), rate),
      rule: RULES.included,
      lineByLine: byLine((line) => withoutTax(exact(line.gross_amount_with_tax), rate)),
    })
  else if (group.share === 0)
    entry.add('taxable_base', {
      formula: `sum of ${countText(bases.length, 'line base')}`,
      inputs: bases,
      value: added(bases),
      rule: RULES.sum,
    })
  else {
    // Parts of margin groups add up to discounts and surcharges, parts of other groups to the total before taxes.
    const { totals, adjustment } = rows.sheet.calculation
    const whole = group.margin ? adjustment : totals.total_gross_amount_before_taxes
    entry.add('taxable_base', {
      ...adjustedGroupBase(rows, group, bases, added(bases)),
      rule: hasLoss(group) ? RULES.margin : RULES.spread,
      total: whole,
    })
  }
}

function explainTaxes(explained: GroupContext, entry: Entry): void {
  const { group, included } = explained
  if (group.consumptionRate === undefined) {
    explainTax(explained, entry, 'tax_amount', group.rate)
    return
  }
  if (included || group.rate === 0)
    entry.add('tax_amount', { formula: 'no Spanish tax', inputs: [], value: ZERO, rule: RULES.group })
  else explainTax(explained, entry, 'tax_amount', group.rate)
  explainTax(explained, entry, 'consumption_tax_amount', group.consumptionRate)
}

function explainTax(
  explained: GroupContext,
  entry: Entry,
  name: 'tax_amount' | 'consumption_tax_amount',
  rate: number,
): void {
  const { rows, group, included, split, grosses, bases, byLine } = explained
  const { at, row } = entry
  const taxed = [rows.input(at('taxable_base'), entry.entry.taxable_base)]
  const base = added(taxed)
  const total = name === 'tax_amount' ? group.tax : group.consumptionTax
  const part = percent(rate)
  const lineTax = () => byLine((line) => exact(line.tax_output_base).times(part))
  const isSplit = split || group.share !== 0
  const sent = included && split && rows.sent('taxes_outputs', row, name)
  if (sent) explainSent(rows, entry, name, sent, total)
  else if (included && !split)
    entry.add(name, {
      formula: `sum of ${countText(grosses.length, 'line')} with tax - taxable_base`,
      inputs: [...grosses, ...taxed],
      value: added(grosses).minus(base),
      rule: RULES.included,
      lineByLine: lineTax(),
    })
  else
    entry.add(name, {
      formula: isSplit
        ? `taxable_base x ${rate} %`
        : `sum of ${countText(bases.length, 'line base')} x ${rate} %`,
      inputs: taxed,
      value: base.times(part),
      rule: RULES.group,
      ...(isSplit
        ? { total: split && group.withTax && group.share === 0 ? total : undefined }
        : { lineByLine: lineTax() }),
    })
}

function explainSurcharge(rows: ExplanationRows, { entry, at, add }: Entry): void {
  const { equivalence_surcharge: rate } = entry
  if (rate === undefined) return
  add('equivalence_surcharge_amount', {
    formula: `taxable_base x ${rate} %`,
    inputs: [
      rows.input(at('taxable_base'), entry.taxable_base),
      rows.input(at('equivalence_surcharge'), rate),
    ],
    value: exact(entry.taxable_base).times(percent(rate)),
    rule: RULES.group,
  })
}

type WithheldGroup = ExplanationRows['sheet']['calculation']['withheld'][number]

/** Adds the rows of the base and the amount of a withholding. */
function explainHeld(
  rows: ExplanationRows,
  group: WithheldGroup,
  row: WithheldGroup['rows'][number],
  index: number,
): void {
  const entry = rows.invoice.taxes_withheld?.[index]
  if (entry === undefined) return
  const at = (name: string) => `/invoice/taxes_withheld/${index}/${name}`
  const bases = group.lines.map((line) =>
    rows.input(`/invoice/lines/${line}/tax_withheld_base`, rows.line(line).tax_withheld_base),
  )
  const rate = percent(group.rate)
  const split = group.rows.length > 1
  const sent = split && rows.sent('taxes_withheld', row, 'taxable_base')
  const inputs = sent ? [sent] : bases
  const byLine = () =>
    bases.reduce((total, { value }) => total.plus(rows.round(exact(value).times(rate))), ZERO)
  rows.add({
    path: at('taxable_base'),
    formula: split
      ? 'taxable_base sent for this part of the group'
      : `sum of ${countText(bases.length, 'line base')}`,
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
    lineByLine: split ? undefined : byLine(),
  })
}

export function explainWithheld(rows: ExplanationRows): void {
  let index = 0
  for (const group of rows.sheet.calculation.withheld)
    for (const row of group.rows) explainHeld(rows, group, row, index++)
}
