/** Calculates one invoice: lines, groups, document discounts, breakdown, withholding, totals. */
import type { InvoiceBlock, Line, Totals } from '#core/invoice/index.ts'
import { type Minor, percentOf, sum, toMinor } from '#core/money/index.ts'
import { addsUpToCharge, fillRows, splitDifference } from './breakdown.ts'
import type { Calculation, LineAmounts, Matching, Overflow, TaxGroup } from './calculation-model.ts'
import { adjustedBase, computeGroup, moveBases, setBaseAndTax, spreadAdjustment } from './groups.ts'
import { readLines } from './lines.ts'
import { matchEntries } from './matching.ts'
import { computeTotals } from './totals.ts'
import { compareWithheld, computeWithholding, spreadCompensation } from './withheld.ts'

/** Sums are exact if the absolute amounts add up to less than this limit. */
const EXACT_SUM: Minor = 4e15

/**
 * Returns the smallest amount with more than 12 integer digits, limited to less than 2^53 for currencies with more
 * decimals.
 */
const limitOf = (decimals: number): Minor => Math.min(toMinor(1e12, decimals), 9e15)

export interface CalculateOptions {
  /** Minor units of the currency. */
  readonly decimals?: number
  /** True after a currency conversion: the entries sent are known to match, so their amounts are not compared. */
  readonly lenient?: boolean
  /** The matching of the entries, if known from the same invoice in its own currency. */
  readonly matching?: Matching | undefined
  /** True if the base of the withholding includes the farmers' compensation (special scheme for farmers). */
  readonly compensated?: boolean
}

/**
 * Calculates a normalised invoice. Every line must have its final treatment and regime key. The function is pure and
 * does not change the invoice. If an amount has too many digits, returns the path of the first such amount instead.
 */
export function calculate(
  invoice: InvoiceBlock,
  { decimals = 2, lenient = false, matching: known, compensated = false }: CalculateOptions = {},
): Calculation | Overflow {
  const limit = limitOf(decimals)
  const tooLarge = (amount: Minor): boolean => !(amount < limit && amount > 0 - limit)
  const isLarge = ({ base, tax, consumptionTax }: TaxGroup): boolean =>
    tooLarge(base) || tooLarge(tax) || tooLarge(consumptionTax)

  const settled = settleLines(invoice, decimals, tooLarge)
  if ('overflow' in settled) return settled
  const { lines, groups } = settled
  let { grossTotal } = settled
  const adjusted = adjustGroups(invoice.totals, groups, invoice.lines, lines, grossTotal, decimals)
  if (tooLarge(adjusted.discount) || tooLarge(adjusted.surcharge) || tooLarge(grossTotal))
    return { overflow: '/invoice/totals' }

  const entries = invoice.taxes_outputs ?? []
  const matching = entries.length === 0 ? undefined : (known ?? matchEntries(entries, groups, decimals))
  // After a currency conversion, the bases of the entries are adjusted to the computed base instead.
  if (matching && !lenient && keepSplitBases(invoice, groups, lines, matching, decimals, adjusted))
    grossTotal = sum(groups.map((group) => group.gross))
  if (groups.some(isLarge)) return { overflow: '/invoice/taxes_outputs' }

  const { discounts, surcharges, discount, surcharge } = adjusted
  const mismatches = fillRows(groups, entries, matching, decimals, lenient)
  if (compensated) spreadCompensation(groups, invoice.lines, lines)
  const withheld = computeWithholding(invoice.lines, lines)
  const sentWithheld = invoice.taxes_withheld
  if (sentWithheld && !lenient) mismatches.push(...compareWithheld(withheld, sentWithheld, lines, decimals))
  const amounts = computeTotals(invoice.totals, groups, withheld, grossTotal, discount, surcharge, decimals)
  for (const name in amounts)
    if (tooLarge(amounts[name as keyof typeof amounts])) return { overflow: `/invoice/totals/${name}` }
  return {
    decimals,
    lines,
    groups,
    withheld,
    discounts,
    surcharges,
    adjustment: surcharge - discount,
    totals: amounts,
    matching,
    mismatches,
  }
}

interface Settled {
  readonly lines: readonly LineAmounts[]
  readonly groups: readonly TaxGroup[]
  readonly grossTotal: Minor
}

/** Returns the lines and groups before the discounts and surcharges of the document are applied. */
function settleLines(
  invoice: InvoiceBlock,
  decimals: number,
  tooLarge: (amount: Minor) => boolean,
): Settled | Overflow {
  const { lines, groups } = readLines(invoice.lines, decimals)
  let volume = 0
  const large = lines.findIndex(({ cost, gross }) => {
    volume += Math.abs(gross)
    return tooLarge(cost) || tooLarge(gross) || volume > EXACT_SUM
  })
  if (large >= 0) return { overflow: `/invoice/lines/${large}` }

  let grossTotal = 0
  for (const group of groups) {
    computeGroup(group, invoice.lines, lines, decimals)
    grossTotal += group.gross
  }

  const taxed = lines.findIndex(
    ({ tax, consumptionTax, grossWithTax }) =>
      tooLarge(tax) || tooLarge(consumptionTax) || tooLarge(grossWithTax),
  )
  if (taxed >= 0) return { overflow: `/invoice/lines/${taxed}` }
  return { lines, groups, grossTotal }
}

/** Returns a list with the total as its only amount if a total was sent without its list; otherwise an empty list. */
const totalWithoutList = (total: number | undefined, decimals: number): Minor[] =>
  total ? [toMinor(total, decimals)] : []

interface Adjusted {
  readonly discounts: readonly Minor[]
  readonly surcharges: readonly Minor[]
  readonly discount: Minor
  readonly surcharge: Minor
}

/**
 * Computes document discounts and surcharges, from their amount or, without an amount, from their rate on the sum of
 * the lines. Spreads them over the groups and sets the final base and tax of each group.
 */
function adjustGroups(
  totals: Totals,
  groups: readonly TaxGroup[],
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
  grossTotal: Minor,
  decimals: number,
): Adjusted {
  const { general_discounts, general_surcharges } = totals
  const amountOf = (amount: number | undefined, rate = 0): Minor =>
    amount !== undefined ? toMinor(amount, decimals) : percentOf(grossTotal, rate)
  const discounts =
    general_discounts?.map((entry) => amountOf(entry.discount_amount, entry.discount_rate)) ??
    totalWithoutList(totals.total_general_discounts, decimals)
  const surcharges =
    general_surcharges?.map((entry) => amountOf(entry.charge_amount, entry.charge_rate)) ??
    totalWithoutList(totals.total_general_surcharges, decimals)
  const discount = sum(discounts)
  const surcharge = sum(surcharges)
  spreadAdjustment(groups, lines, amounts, surcharge - discount)
  for (const group of groups) setBaseAndTax(group, adjustedBase(group, lines, amounts, decimals))
  return { discounts, surcharges, discount, surcharge }
}

/**
 * Keeps the bases sent for groups that the client split, and adjusts the bases of their lines to the sum of these
 * bases. Also changes the amounts without tax of lines with prices that include tax, if the document has no discounts
 * and surcharges and the entries add up to the amount charged. Returns whether an amount without tax changed.
 */
function keepSplitBases(
  invoice: InvoiceBlock,
  groups: readonly TaxGroup[],
  lines: readonly LineAmounts[],
  { byGroup, split }: Matching,
  decimals: number,
  { discounts, surcharges }: Adjusted,
): boolean {
  const isAdjusted = discounts.length > 0 || surcharges.length > 0
  let repriced = false
  groups.forEach((group, groupIndex) => {
    if (!split[groupIndex]) return
    const indexes = byGroup[groupIndex]!
    const entries = invoice.taxes_outputs!
    const difference = splitDifference(group, indexes, entries, decimals)
    if (difference === 0) return
    const base = group.base + difference
    if (group.withTax && !isAdjusted && addsUpToCharge(group, indexes, entries, decimals)) {
      computeGroup(group, invoice.lines, lines, decimals, base)
      repriced = true
    } else moveBases(group, invoice.lines, lines, difference)
    setBaseAndTax(group, base)
  })
  return repriced
}
