/** The tax of each group, and what of it belongs to each line (calculation page, sections 3 and 4). */
import { type Line, taxKeyText } from '../invoice/index.ts'
import {
  allocate,
  type Minor,
  netOf,
  type Prefer,
  percentOf,
  percentRatio,
  spread,
  toMinor,
} from '../money/index.ts'
import { isMarginLine } from './lines.ts'
import type { LineAmounts, TaxGroup } from './model.ts'

/** Rate of the tax inside a tax-included price: Spanish, or foreign on one-stop-shop lines. */
const includedRate = (group: TaxGroup): number => group.consumptionRate ?? group.rate

const byWithholding =
  (lines: readonly Line[], indexes: readonly number[]): Prefer =>
  (a, b) =>
    (lines[indexes[b] ?? -1]?.tax_withheld_rate ?? 0) - (lines[indexes[a] ?? -1]?.tax_withheld_rate ?? 0)

/**
 * Base of a margin line: the sale is untouched, only the margin carries tax, and a loss carries none
 * (art. 137 Ley 37/1992). The purchase is of the whole line and always positive.
 */
export function marginBase(line: Line, amount: Minor, group: TaxGroup, decimals: number): Minor {
  const size = Math.abs(amount) - toMinor(line.purchase_price_incl ?? 0, decimals)
  const margin = Math.max(size, 0)
  const base = group.withTax ? netOf(margin, group.rate) : margin
  return amount < 0 ? 0 - base : base
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
    if (isMarginLine(line)) amount.base = marginBase(line, amount.gross, group, decimals)
    else if (group.withTax) amount.base = netOf(amount.grossWithTax, group.rate)
    group.ownBase += amount.base
    return amount.base
  })
  group.tax = percentOf(group.ownBase, group.rate)
  // The price with tax stays the total: the group's tax is taken out of it, to the cent.
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

/** Price with tax: the base of the group first, then spread over its lines, so that the charge is kept. */
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
  const bases =
    rate === 0 && included === 0
      ? null
      : spread(
          base,
          group.lines.map((index) => amounts[index]!.grossWithTax),
          [whole, whole + part],
          byWithholding(lines, group.lines),
        )
  if (!bases) return
  group.lines.forEach((index, at) => {
    const amount = amounts[index]!
    amount.base = bases[at]!
    amount.gross = amount.base
    if (group.consumptionRate === undefined) amount.tax = amount.grossWithTax - amount.base
    else amount.consumptionTax = amount.grossWithTax - amount.base
  })
}

/** Tax of a line by itself, on top of its price. */
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

/** Fills the group's own base and tax, and its lines' amounts. `base`: the client's, where it split the group. */
export function settleGroup(
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
 * Moves the line bases of a group onto the sum of the entries that split it, `difference` cents away. Only bases
 * move: quantity times price stays what it is.
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

const codePoints = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Spreads the document's surcharges less discounts over the groups, once, by their gross. */
export function spreadAdjustment(groups: readonly TaxGroup[], adjustment: Minor): void {
  if (adjustment === 0) return
  const prefer: Prefer = (a, b) =>
    groups[b]!.rate - groups[a]!.rate || codePoints(taxKeyText(groups[a]!), taxKeyText(groups[b]!))
  const shares = allocate(
    adjustment,
    groups.map((group) => group.gross),
    prefer,
  )
  groups.forEach((group, at) => {
    group.share = shares[at]!
  })
}

/** A margin moved by a document discount or surcharge: it never changes sides. */
const marginAfter = ({ ownBase, gross, share }: TaxGroup): Minor => {
  const side = ownBase || gross
  const sum = ownBase + share
  return side > 0 ? Math.max(0, sum) : side < 0 ? Math.min(0, sum) + 0 : sum
}

/** Final base and tax of a group: once per group, never line by line. */
export function taxGroup(group: TaxGroup): void {
  const { share, ownBase, rate } = group
  group.base = group.margin && share !== 0 ? marginAfter(group) : ownBase + share
  if (group.withTax && share === 0) return
  group.tax = percentOf(group.base, rate)
  if (group.consumptionRate !== undefined) group.consumptionTax = percentOf(group.base, group.consumptionRate)
}

/** Spreads each group's share over its lines: the withholding base needs it line by line. */
export function shareLines(
  groups: readonly TaxGroup[],
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
): void {
  for (const group of groups) {
    if (group.share === 0) continue
    const shares = allocate(
      group.share,
      group.lines.map((index) => amounts[index]!.gross),
      byWithholding(lines, group.lines),
    )
    group.lines.forEach((index, at) => {
      amounts[index]!.share = shares[at]!
    })
  }
}
