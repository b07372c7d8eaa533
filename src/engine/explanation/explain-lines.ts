/** Rows that explain the amounts of lines. */

import type { LINE_AMOUNTS, Line } from '#core/invoice/index.ts'
import { TAXED } from '#core/invoice/terms.ts'
import { exact } from '#core/money/index.ts'
import { type CalculatedLine, isMarginLine, type LineAmounts, type TaxGroup } from '../calculate/index.ts'
import { adjustedLineAmount, farmerIncome, taxOfCost, withoutTax } from './explain-shares.ts'
import {
  type Computation,
  type ExplanationInput,
  type ExplanationRows,
  percent,
  type Row,
  RULES,
  rateOf,
  ZERO,
} from './explanation-rows.ts'

/** Sums over the lines of each group, computed once per group. */
export interface Sums {
  readonly of: (group: TaxGroup, member: 'base' | 'gross' | 'tax') => number
  readonly withheld: (rate: number) => number
}

export function sumsOf(rows: ExplanationRows): Sums {
  const known = new Map<TaxGroup, { base: number; gross: number; tax: number }>()
  const add = (group: TaxGroup) => {
    const total = { base: 0, gross: 0, tax: 0 }
    for (const index of group.lines) {
      const line = rows.amounts(index)
      total.base += line.base
      total.gross += line.gross
      total.tax += line.tax
    }
    known.set(group, total)
    return total
  }
  const held = new Map(rows.sheet.calculation.withheld.map((group) => [group.rate, group.base]))
  return {
    of: (group, member) => (known.get(group) ?? add(group))[member],
    withheld: (rate) => held.get(rate) ?? 0,
  }
}

/** The computed amounts of a line. */
type Amount = (typeof LINE_AMOUNTS)[number] | 'discount_amount' | 'charge_amount'

interface LineContext {
  readonly rows: ExplanationRows
  readonly sums: Sums
  readonly index: number
  readonly line: CalculatedLine
  readonly amounts: LineAmounts
  readonly group: TaxGroup
  /** Returns the named fields of the line as inputs; absent fields are omitted. */
  readonly of: (...names: readonly (keyof Line)[]) => ExplanationInput[]
  /** Adds the row of an amount of the line. */
  readonly add: (name: Amount, row: Omit<Row, 'path' | 'rounded'>) => void
}

export function explainLine(rows: ExplanationRows, sums: Sums, index: number): void {
  const line = rows.line(index)
  const amounts = rows.amounts(index)
  const explained: LineContext = {
    rows,
    sums,
    index,
    line,
    amounts,
    group: amounts.group,
    of: (...names) => rows.of(index, line, ...names),
    add: (name, row) => rows.add({ ...row, path: `/invoice/lines/${index}/${name}`, rounded: line[name] }),
  }
  explainCost(explained)
  explainBase(explained)
  explainTax(explained)
  if (amounts.group.withTax) explainPriceWithoutTax(explained)
  else explainPriceWithTax(explained)
  if (line.tax_withheld_rate !== undefined) explainWithholding(explained, line.tax_withheld_rate)
}

/** Adds the rows of quantity times price and of the line's own discount and charge. */
function explainCost({ rows, index, line, group: { withTax }, of, add }: LineContext): void {
  const price = withTax ? 'unit_price_with_tax' : 'unit_price_without_tax'
  const cost = exact(line.quantity).times(line[price]!)
  const name = withTax ? 'total_cost_with_tax' : 'total_cost_without_tax'
  add(name, {
    formula: `quantity x ${price}`,
    inputs: of('quantity', price),
    value: cost,
    rule: RULES.line,
  })
  if (withTax) {
    add('gross_amount_with_tax', {
      formula: 'total_cost_with_tax',
      inputs: of('total_cost_with_tax'),
      value: rows.round(cost),
      rule: RULES.sum,
    })
    return
  }
  const sent = rows.sheet.sent.lines[index]
  for (const kind of ['discount', 'charge'] as const) {
    const rate = line[`${kind}_rate`]
    if (sent?.[`${kind}_amount`] === undefined && rate !== undefined)
      add(`${kind}_amount`, {
        formula: `total_cost_without_tax x ${rate} %`,
        inputs: of('total_cost_without_tax', `${kind}_rate`),
        value: rows.round(cost).times(percent(rate)),
        rule: RULES.adjustment,
      })
  }
}

/** Adds the row of the taxable margin of a line. */
function explainMargin({ line, group, of, add }: LineContext, bought: number): void {
  const { withTax } = group
  const gross = withTax ? 'gross_amount_with_tax' : 'gross_amount_without_tax'
  const price = exact(line[gross])
  const size = price.abs().minus(bought)
  const isLoss = size.lt(0)
  const left = isLoss ? ZERO : price.lt(0) ? size.negated() : size
  // The line of a return has a negative price and a negative margin. A loss has no margin.
  const margin = price.lt(0) ? 'price + purchase_price_incl' : 'price - purchase_price_incl'
  const formula = withTax ? `(${margin}) x 100 / (100 + ${rateOf(group)})` : margin
  add('tax_output_base', {
    formula: isLoss ? '0: purchase_price_incl exceeds the price' : formula,
    inputs: of(gross, 'purchase_price_incl'),
    value: withTax ? withoutTax(left, rateOf(group)) : left,
    rule: RULES.margin,
  })
}

function explainBase(explained: LineContext): void {
  const { sums, line, amounts, group, of, add } = explained
  if (isMarginLine(line)) {
    explainMargin(explained, line.purchase_price_incl)
    return
  }
  const { withTax } = group
  const gross = withTax ? 'gross_amount_with_tax' : 'gross_amount_without_tax'
  const price = exact(line[gross])
  const rate = rateOf(group)
  add('tax_output_base', {
    formula: withTax ? `gross_amount_with_tax x 100 / (100 + ${rate})` : 'gross_amount_without_tax',
    inputs: of(gross),
    value: withTax ? withoutTax(price, rate) : price,
    rule: withTax || amounts.base !== amounts.gross ? RULES.spread : RULES.sum,
    total: group.margin ? undefined : sums.of(group, 'base'),
  })
}

/** Returns the name of the amount without tax. The tax on a price that includes tax is the price minus this amount. */
const netName = ({ amounts }: LineContext) =>
  amounts.base === amounts.gross ? 'tax_output_base' : 'gross_amount_without_tax'

function explainTax(explained: LineContext): void {
  const { sums, line, group, of, add } = explained
  const { withTax } = group
  const { consumptionRate } = group
  const foreign = consumptionRate !== undefined
  const rest = withTax && !group.margin
  const net = netName(explained)
  const fromGross = (): Computation => ({
    formula: `gross_amount_with_tax - ${net}`,
    inputs: of('gross_amount_with_tax', net),
    value: exact(line.gross_amount_with_tax).minus(line[net]),
  })
  const byRate = (rate: number, name: 'tax_output_rate' | 'consumption_tax_rate'): Computation => ({
    formula: `tax_output_base x ${rate} %`,
    inputs: of('tax_output_base', ...(group.treatment === TAXED || foreign ? [name] : [])),
    value: exact(line.tax_output_base).times(percent(rate)),
  })
  const nothing: Computation = { formula: 'no Spanish tax', inputs: [], value: ZERO }
  const spanish =
    foreign && (rest || group.rate === 0)
      ? nothing
      : rest
        ? fromGross()
        : byRate(group.rate, 'tax_output_rate')
  add('tax_output_amount', {
    ...spanish,
    rule: withTax && group.margin ? RULES.spread : RULES.lineTax,
    total: withTax && group.margin ? sums.of(group, 'tax') : undefined,
  })
  if (foreign)
    add('consumption_tax_amount', {
      ...(rest ? fromGross() : byRate(consumptionRate, 'consumption_tax_rate')),
      rule: RULES.lineTax,
    })
}

function explainPriceWithoutTax(explained: LineContext): void {
  const { sums, line, group, of, add } = explained
  const gross = exact(line.gross_amount_with_tax)
  const moved = netName(explained) === 'gross_amount_without_tax' && !group.margin
  const working = moved
    ? {
        formula: `gross_amount_with_tax x 100 / (100 + ${rateOf(group)})`,
        inputs: of('gross_amount_with_tax'),
        value: withoutTax(gross, rateOf(group)),
        rule: RULES.spread,
        total: sums.of(group, 'gross'),
      }
    : {
        formula: 'gross_amount_with_tax - tax',
        inputs: of('gross_amount_with_tax', 'tax_output_amount', 'consumption_tax_amount'),
        value: gross.minus(line.tax_output_amount).minus(line.consumption_tax_amount ?? 0),
        rule: RULES.sum,
      }
  for (const name of ['gross_amount_without_tax', 'total_cost_without_tax'] as const)
    add(name, { ...working })
}

function explainPriceWithTax({ line, group, of, add }: LineContext): void {
  const cost = exact(line.total_cost_without_tax)
  const tax = exact(line.tax_output_amount).plus(line.consumption_tax_amount ?? 0)
  add('gross_amount_without_tax', {
    formula: 'total_cost_without_tax - discount_amount + charge_amount',
    inputs: of('total_cost_without_tax', 'discount_amount', 'charge_amount'),
    value: cost.minus(line.discount_amount ?? 0).plus(line.charge_amount ?? 0),
    rule: RULES.sum,
  })
  add('gross_amount_with_tax', {
    formula: 'gross_amount_without_tax + tax',
    inputs: of('gross_amount_without_tax', 'tax_output_amount', 'consumption_tax_amount'),
    value: exact(line.gross_amount_without_tax).plus(tax),
    rule: RULES.sum,
  })
  const unadjusted = line.gross_amount_without_tax === line.total_cost_without_tax
  // The inputs include only rates that affect the tax on the cost. The rate of an exempt line has no effect.
  const rates: (keyof Line)[] = group.treatment === TAXED ? ['tax_output_rate'] : []
  if (group.consumptionRate !== undefined) rates.push('consumption_tax_rate')
  if (isMarginLine(line)) rates.push('purchase_price_incl')
  add('total_cost_with_tax', {
    formula: unadjusted ? 'total_cost_without_tax + tax' : 'total_cost_without_tax + the tax on it alone',
    inputs: unadjusted
      ? of('total_cost_without_tax', 'tax_output_amount', 'consumption_tax_amount')
      : of('total_cost_without_tax', ...rates),
    value: cost.plus(unadjusted ? tax : taxOfCost(line, group, cost)),
    rule: RULES.lineTax,
  })
}

function explainWithholding(
  { rows, sums, index, line, amounts, group, of, add }: LineContext,
  rate: number,
): void {
  const { compensation, withheldBase, gross, share } = amounts
  const moved = withheldBase !== gross + share + compensation
  const spread = moved || group.share !== 0
  add('tax_withheld_base', {
    ...(compensation === 0 ? adjustedLineAmount(rows, group, index) : farmerIncome(rows, group, index)),
    rule: compensation !== 0 ? RULES.farmers : spread ? RULES.spread : RULES.sum,
    total: moved
      ? sums.withheld(rate)
      : sums.of(group, 'gross') + group.share + (compensation === 0 ? 0 : group.tax),
  })
  add('tax_withheld_amount', {
    formula: `tax_withheld_base x ${rate} %`,
    inputs: of('tax_withheld_base', 'tax_withheld_rate'),
    value: exact(line.tax_withheld_base ?? 0).times(percent(rate)),
    rule: RULES.lineTax,
  })
}
