/** Exact parts of document discounts and surcharges, and the tax on a line's cost. */

import type { Line } from '#core/invoice/index.ts'
import { type Exact, exact, sum } from '#core/money/index.ts'
import { isMarginLine, type TaxGroup } from '../calculate/index.ts'
import {
  type Computation,
  countText,
  type ExplanationInput,
  type ExplanationRows,
  percent,
  ZERO,
} from './explanation-rows.ts'

const total = (rows: ExplanationRows, name: 'total_gross_amount' | 'total_gross_amount_before_taxes') =>
  rows.input(`/invoice/totals/${name}`, rows.invoice.totals[name])

const ADJUSTMENT = '(total_gross_amount_before_taxes - total_gross_amount)'

const grosses = (rows: ExplanationRows, indexes: readonly number[]): ExplanationInput[] =>
  indexes.flatMap((index) => rows.of(index, rows.line(index), 'gross_amount_without_tax'))

/**
 * Whether a line of a margin group is sold at a loss, before or after discounts. The group's base is then not the sum
 * of its parts.
 */
export const hasLoss = (group: TaxGroup): boolean =>
  group.margin && group.base !== group.ownBase + group.share

/**
 * Returns the base of a group with a loss. The document's discounts and surcharges change the selling price of each
 * line in proportion to its price without tax.
 */
function marginPart(
  rows: ExplanationRows,
  group: TaxGroup,
  before: readonly ExplanationInput[],
): Computation {
  const { withTax } = group
  const signs = new Set(group.lines.map((index) => rows.line(index).quantity < 0))
  const [minus, least] = !signs.has(true)
    ? ['-', 'at least 0']
    : signs.size === 1
      ? ['+', 'at most 0']
      : ['- (in a return +)', 'at least 0 (in a return at most 0)']
  const gain = withTax ? ` (a gain x 100 / (100 + ${group.rate}), a loss as it is)` : ''
  const prices = withTax ? (['gross_amount_with_tax'] as const) : []
  return {
    formula: `margins of the lines: ${prices[0] ?? 'gross_amount_without_tax'} ${minus} purchase_price_incl${gain} + its part of ${ADJUSTMENT} by gross_amount_without_tax, each ${least}`,
    inputs: [
      ...before,
      ...group.lines.flatMap((index) =>
        rows.of(index, rows.line(index), ...prices, 'gross_amount_without_tax', 'purchase_price_incl'),
      ),
    ],
    value: rows.amount(group.base),
  }
}

/** Returns the group's base including its part of the document's discounts and surcharges. */
export function adjustedGroupBase(
  rows: ExplanationRows,
  group: TaxGroup,
  bases: readonly ExplanationInput[],
  own: Exact,
): Computation {
  const { totals, adjustment } = rows.sheet.calculation
  const before = [total(rows, 'total_gross_amount_before_taxes'), total(rows, 'total_gross_amount')] as const
  const whole = rows.amount(adjustment)
  // In a group with a loss, the part of each line is in cents, so the sum is exact.
  if (hasLoss(group)) return marginPart(rows, group, before)
  const sumText = `sum of ${countText(bases.length, 'line base')}`
  const gross = totals.total_gross_amount
  // If the line amounts add up to 0, the discount is spread in proportion to their absolute values, in whole cents.
  if (gross === 0)
    return {
      formula: `${sumText} + its part of ${ADJUSTMENT}`,
      inputs: [...bases, ...before],
      value: own.plus(rows.amount(group.share)),
    }
  if (!group.margin && group.ownBase === group.gross)
    return {
      formula: `${sumText} x total_gross_amount_before_taxes / total_gross_amount`,
      inputs: [...bases, ...before],
      value: own.times(before[0].value).div(before[1].value),
    }
  const value = whole.times(group.gross).div(gross)
  return {
    formula: `${sumText} + ${ADJUSTMENT} x sum of their gross_amount_without_tax / total_gross_amount`,
    inputs: [...bases, ...before, ...grosses(rows, group.lines)],
    value: own.plus(value),
  }
}

/** Returns the line's amount including its part of the document's discounts and surcharges. */
export function adjustedLineAmount(rows: ExplanationRows, group: TaxGroup, index: number): Computation {
  const { totals } = rows.sheet.calculation
  const line = rows.line(index)
  const own = rows.of(index, line, 'gross_amount_without_tax')
  if (group.share === 0)
    return { formula: 'gross_amount_without_tax', inputs: own, value: exact(line.gross_amount_without_tax) }
  const before = [total(rows, 'total_gross_amount_before_taxes'), total(rows, 'total_gross_amount')] as const
  if (totals.total_gross_amount !== 0)
    return {
      formula: 'gross_amount_without_tax x total_gross_amount_before_taxes / total_gross_amount',
      inputs: [...own, ...before],
      value: exact(line.gross_amount_without_tax).times(before[0].value).div(before[1].value),
    }
  return {
    formula: `gross_amount_without_tax + its part of ${ADJUSTMENT}`,
    inputs: [...own, ...before],
    value: exact(line.gross_amount_without_tax).plus(rows.amount(rows.amounts(index).share)),
  }
}

/** Returns the income of a farmer from a line: its part without tax and its part of the compensation. */
export function farmerIncome(rows: ExplanationRows, group: TaxGroup, index: number): Computation {
  const { formula, inputs, value } = adjustedLineAmount(rows, group, index)
  if (group.lines.length === 1 && group.share === 0)
    return {
      formula: `${formula} + tax_output_amount`,
      inputs: [...inputs, ...rows.of(index, rows.line(index), 'tax_output_amount')],
      value: value.plus(rows.amount(group.tax)),
    }
  const { groups } = rows.sheet.calculation
  const first = sum(groups.slice(0, groups.indexOf(group)).map((other) => other.rows.length))
  const entries = group.rows.map((_, at) => {
    const path = `/invoice/taxes_outputs/${first + at}/tax_amount`
    return rows.input(path, rows.invoice.taxes_outputs[first + at]?.tax_amount)
  })
  const net = (at: number): number => rows.amounts(at).gross + rows.amounts(at).share
  const whole = sum(group.lines.map(net))
  const part =
    whole === 0
      ? rows.amount(rows.amounts(index).compensation)
      : rows.amount(group.tax).times(net(index)).div(whole)
  return {
    formula: `${formula} + its part of tax_amount`,
    inputs: [...inputs, ...entries],
    value: value.plus(part),
  }
}

/** Returns the tax on the cost before the line's own discount and charge. */
export function taxOfCost(line: Line, group: TaxGroup, cost: Exact): Exact {
  if (!isMarginLine(line)) return cost.times(percent(group.rate).plus(percent(group.consumptionRate ?? 0)))
  const margin = cost.abs().minus(line.purchase_price_incl)
  if (margin.lt(0)) return ZERO
  return (cost.lt(0) ? margin.negated() : margin).times(percent(group.rate))
}

/** Returns `amount x 100 / (100 + rate)`. */
export const withoutTax = (amount: Exact, rate: number): Exact => amount.times(100).div(exact(rate).plus(100))
