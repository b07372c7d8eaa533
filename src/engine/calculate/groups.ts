/** Calculates the tax of each group, and the part of each line in it (calculation page, sections 3 and 4). */
import { type Line, taxKeyText } from '#core/invoice/index.ts'
import {
  allocate,
  type Minor,
  netOf,
  percentOf,
  percentRatio,
  spread,
  sum,
  type TieBreaker,
  toMinor,
} from '#core/money/index.ts'
import type { LineAmounts, TaxGroup } from './calculation-model.ts'
import { isMarginLine } from './lines.ts'
import { byText } from './matching.ts'

/** Returns the rate of the tax that a price includes: Spanish or, on one-stop-shop lines, foreign. */
const includedRate = (group: TaxGroup): number => group.consumptionRate ?? group.rate

/**
 * Returns a comparison for ties when a cent is assigned: the line with the higher withholding rate comes first. The
 * order of lines must not matter.
 */
export const byWithholding =
  (lines: readonly Line[], indexes: readonly number[]): TieBreaker =>
  (a, b) =>
    (lines[indexes[b]!]!.tax_withheld_rate ?? 0) - (lines[indexes[a]!]!.tax_withheld_rate ?? 0)

/**
 * Returns the base of a margin line: only the margin is taxed, and a loss is not taxed (art. 137 Ley 37/1992). The
 * purchase price covers the whole line and is always positive. `share` is the line's part of the discounts and
 * surcharges of the document, which change the selling price and include no tax. In a price with tax, only the part
 * above the purchase price includes tax.
 */
export function marginBase(
  line: Line,
  amount: Minor,
  group: TaxGroup,
  decimals: number,
  share: Minor = 0,
): Minor {
  // If the amount of a line is 0, its share determines the sign.
  const sign = (amount || share) < 0 ? -1 : 1
  const margin = sign * amount - toMinor(line.purchase_price_incl ?? 0, decimals)
  const base = (group.withTax && margin > 0 ? netOf(margin, group.rate) : margin) + sign * share
  return base > 0 ? sign * base : 0
}

function settleMargin(
  group: TaxGroup,
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
  decimals: number,
) {
  const bases = group.lines.map((index) => {
    const amount = amounts[index]!
    const line = lines[index]!
    // The margin of a line without purchase price is its whole amount.
    amount.base = marginBase(line, amount.gross, group, decimals)
    group.ownBase += amount.base
    return amount.base
  })
  group.tax = percentOf(group.ownBase, group.rate)
  // For prices with tax, the taxes of the lines add up exactly to the tax of the group, so that the prices do not
  // change.
  const taxes = group.withTax
    ? spread(group.tax, bases, percentRatio(group.rate), byWithholding(lines, group.lines))
    : bases.map((base) => percentOf(base, group.rate))
  group.lines.forEach((index, at) => {
    const amount = amounts[index]!
    amount.tax = taxes[at]!
    if (group.withTax) amount.gross = amount.grossWithTax - amount.tax
    else amount.grossWithTax = amount.gross + amount.tax
    group.gross += amount.gross
  })
}

/**
 * Calculates a group of prices with tax: first its base, then the base of each line, so that the amount charged is
 * kept.
 */
function settleWithTax(
  group: TaxGroup,
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
  base: Minor,
) {
  const rate = includedRate(group)
  group.ownBase = base
  const included = group.charged - base
  if (group.consumptionRate === undefined) group.tax = included
  else group.consumptionTax = included
  group.gross = base
  const [part, whole] = percentRatio(rate)
  const bases = spread(
    base,
    group.lines.map((index) => amounts[index]!.grossWithTax),
    [whole, whole + part],
    byWithholding(lines, group.lines),
  )
  group.lines.forEach((index, at) => {
    const amount = amounts[index]!
    amount.base = bases[at]!
    amount.gross = amount.base
    if (group.consumptionRate === undefined) amount.tax = amount.grossWithTax - amount.base
    else amount.consumptionTax = amount.grossWithTax - amount.base
  })
}

/** Sets the tax of a line with a price without tax. */
function taxLine({ rate, consumptionRate }: TaxGroup, amount: LineAmounts) {
  amount.tax = percentOf(amount.base, rate)
  if (consumptionRate !== undefined) amount.consumptionTax = percentOf(amount.base, consumptionRate)
  amount.grossWithTax = amount.gross + amount.tax + amount.consumptionTax
}

function settleWithoutTax(group: TaxGroup, amounts: readonly LineAmounts[]) {
  for (const index of group.lines) {
    const amount = amounts[index]!
    taxLine(group, amount)
    group.ownBase += amount.base
  }
  group.gross = group.ownBase
}

/**
 * Sets base and tax of a group before document discounts and surcharges, and the amounts of its lines. `base` is the
 * base that the client sent, if it split the group.
 */
export function computeGroup(
  group: TaxGroup,
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
  decimals: number,
  base?: Minor,
): void {
  if (group.margin) settleMargin(group, lines, amounts, decimals)
  else if (group.withTax)
    settleWithTax(group, lines, amounts, base ?? netOf(group.charged, includedRate(group)))
  else settleWithoutTax(group, amounts)
}

/**
 * Changes the line bases of a group by `difference` cents in total, so that they add up to the entries that split it.
 * Quantity times price does not change.
 */
export function moveBases(
  group: TaxGroup,
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
  difference: Minor,
): void {
  const sizes = group.lines.map((index) => Math.abs(amounts[index]!.base))
  const parts = allocate(difference, sizes, byWithholding(lines, group.lines))
  group.ownBase += difference
  group.lines.forEach((index, at) => {
    const amount = amounts[index]!
    amount.base += parts[at]!
    if (!group.withTax) taxLine(group, amount)
  })
}

/**
 * Spreads surcharges minus discounts of the document over the groups, and the share of each group over its lines, in
 * proportion to their gross amounts.
 */
export function spreadAdjustment(
  groups: readonly TaxGroup[],
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
  adjustment: Minor,
): void {
  if (adjustment === 0) return
  const prefer: TieBreaker = (a, b) =>
    groups[b]!.rate - groups[a]!.rate || byText(taxKeyText(groups[a]!), taxKeyText(groups[b]!))
  const shares = allocate(
    adjustment,
    groups.map((group) => group.gross),
    prefer,
  )
  groups.forEach((group, at) => {
    group.share = shares[at]!
    const parts = allocate(
      group.share,
      group.lines.map((index) => amounts[index]!.gross),
      byWithholding(lines, group.lines),
    )
    group.lines.forEach((index, place) => {
      amounts[index]!.share = parts[place]!
    })
  })
}

/**
 * Returns the base of a group after discounts and surcharges of the document. They change the margin of each line. A
 * line that becomes a loss does not reduce the margin of other lines.
 */
export function adjustedBase(
  group: TaxGroup,
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
  decimals: number,
): Minor {
  if (!group.margin) return group.ownBase + group.share
  return sum(
    group.lines.map((index) => {
      const { base, gross, grossWithTax, share } = amounts[index]!
      const line = lines[index]!
      if (!isMarginLine(line)) return base + share
      return marginBase(line, group.withTax ? grossWithTax : gross, group, decimals, share)
    }),
  )
}

/** Sets the final base and tax of a group, which are computed once per group and never line by line. */
export function setBaseAndTax(group: TaxGroup, base: Minor): void {
  group.base = base
  if (group.withTax && group.share === 0) return
  group.tax = percentOf(base, group.rate)
  if (group.consumptionRate !== undefined) group.consumptionTax = percentOf(base, group.consumptionRate)
}
