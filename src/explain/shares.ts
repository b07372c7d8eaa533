/** Exact parts of document discounts and surcharges, and the tax that a cost would carry. */
import type { Context } from '../../rules/index.ts'
import { isMarginLine, type TaxGroup } from '../calculate/index.ts'
import type { Line } from '../invoice/index.ts'
import { type Exact, exact, sum } from '../money/index.ts'
import { type ExplanationInput, HUNDRED, input, percent, type Rows, rateOf, ZERO } from './rows.ts'

/** Part of `whole` that falls to one of the weights: by size where they add up to zero. */
export function proportion(whole: Exact, weight: number, weights: readonly number[]): Exact {
  const total = sum(weights)
  if (total !== 0) return whole.times(exact(weight)).div(exact(total))
  const size = sum(weights.map(Math.abs))
  return size === 0 ? ZERO : whole.times(exact(Math.abs(weight))).div(exact(size))
}

/** Exact part of the document discounts and surcharges that falls to a group, in euros. */
export function groupShare({ inEuros }: Context, group: TaxGroup): Exact {
  if (group.share === 0) return ZERO
  const whole = exact(inEuros.adjustment).div(HUNDRED)
  return proportion(
    whole,
    group.gross,
    inEuros.groups.map((other) => other.gross),
  )
}

/** Exact part of the group's share that falls to a line, in euros. */
export function lineShare({ inEuros }: Context, group: TaxGroup, index: number): Exact {
  const weights = group.lines.map((at) => inEuros.lines[at]!.gross)
  return proportion(exact(group.share).div(HUNDRED), inEuros.lines[index]!.gross, weights)
}

export const documentAdjustments = ({ invoice }: Rows): ExplanationInput[] =>
  (['total_general_discounts', 'total_general_surcharges'] as const).map((name) =>
    input(`/invoice/totals/${name}`, invoice.totals[name]),
  )

/** Tax that the cost before the line's own discount and charge would carry. */
export function taxOfCost(line: Line, group: TaxGroup, cost: Exact): Exact {
  if (!isMarginLine(line)) return cost.times(percent(rateOf(group)))
  const margin = cost.abs().minus(exact(line.purchase_price_incl!))
  if (margin.isNegative()) return ZERO
  return (cost.isNegative() ? margin.negated() : margin).times(percent(group.rate))
}
