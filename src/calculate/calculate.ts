/** One invoice, calculated: lines, groups, document discounts, breakdown, withholding, totals. */
import type { InvoiceBlock } from '../invoice/index.ts'
import { type Minor, toMinor } from '../money/index.ts'
import { fillRows, type Matching, matchEntries, sentBase } from './breakdown.ts'
import { settleGroup, spreadAdjustment, taxGroup } from './groups.ts'
import { readLines } from './lines.ts'
import type { Calculation, Overflow, TaxGroup } from './model.ts'
import { adjustments, computeTotals } from './totals.ts'
import { compareWithheld, withhold } from './withheld.ts'

/** Sums of amounts stay exact below this, whatever their signs. */
const EXACT_SUM: Minor = 4e15

/** First amount that no longer has at most 12 integer digits; kept below 2^53 for currencies with more decimals. */
const limitOf = (decimals: number): Minor => Math.min(toMinor(1e12, decimals), 9e15)

const hasWithholding = (invoice: InvoiceBlock): boolean => {
  for (const line of invoice.lines) if (line.tax_withheld_rate !== undefined) return true
  return false
}

export interface CalculateOptions {
  /** Minor units of the currency. */
  readonly decimals?: number
  /** Entries are already known to match: take their keys and surcharges, compare nothing. */
  readonly lenient?: boolean
}

/**
 * Calculates a normalised invoice: every line has its final treatment and regime key. Pure; the invoice is not
 * touched. Answers the place of the first amount that does not fit instead, should there be one.
 */
export function calculate(invoice: InvoiceBlock, options: CalculateOptions = {}): Calculation | Overflow {
  const decimals = options.decimals ?? 2
  const lenient = options.lenient ?? false
  const limit = limitOf(decimals)
  const tooLarge = (amount: Minor): boolean => !(amount < limit && amount > 0 - limit)

  const { lines, groups } = readLines(invoice.lines, decimals)
  let volume = 0
  for (let i = 0; i < lines.length; i++) {
    const { cost, gross } = lines[i]!
    volume += Math.abs(gross)
    if (tooLarge(cost) || tooLarge(gross) || volume > EXACT_SUM) return { overflow: `/invoice/lines/${i}` }
  }

  const entries = invoice.taxes_outputs
  const matching: Matching | undefined =
    entries && entries.length > 0 ? matchEntries(entries, prepared(groups, lines), decimals) : undefined
  let grossTotal = 0
  let largestRate = 0
  for (const group of groups) {
    group.gross = 0
    settleGroup(
      group,
      invoice.lines,
      lines,
      decimals,
      matching && sentBase(group, matching.byGroup.get(group), entries!, decimals),
    )
    grossTotal += group.gross
    largestRate = Math.max(largestRate, group.rate, group.consumptionRate ?? 0)
    if (tooLarge(group.tax) || tooLarge(group.consumptionTax)) return { overflow: '/invoice/taxes_outputs' }
  }

  // Only where a line's tax could take it over the limit are the lines looked at once more.
  if (tooLarge(volume * (1 + largestRate / 100)))
    for (let i = 0; i < lines.length; i++) {
      const { tax, consumptionTax, grossWithTax } = lines[i]!
      if (tooLarge(tax) || tooLarge(consumptionTax) || tooLarge(grossWithTax))
        return { overflow: `/invoice/lines/${i}` }
    }

  const { totals } = invoice
  const discounts = totals.general_discounts
    ? adjustments(
        totals.general_discounts.map((entry) => ({
          amount: entry.discount_amount,
          rate: entry.discount_rate,
        })),
        grossTotal,
        decimals,
      )
    : alone(totals.total_general_discounts, decimals)
  const surcharges = totals.general_surcharges
    ? adjustments(
        totals.general_surcharges.map((entry) => ({ amount: entry.charge_amount, rate: entry.charge_rate })),
        grossTotal,
        decimals,
      )
    : alone(totals.total_general_surcharges, decimals)
  const discount = discounts.reduce((sum, amount) => sum + amount, 0)
  const surcharge = surcharges.reduce((sum, amount) => sum + amount, 0)
  if (tooLarge(discount) || tooLarge(surcharge) || tooLarge(grossTotal))
    return { overflow: '/invoice/totals' }
  const adjustment = surcharge - discount
  spreadAdjustment(groups, adjustment)
  for (const group of groups) {
    taxGroup(group)
    if (tooLarge(group.base) || tooLarge(group.tax) || tooLarge(group.consumptionTax))
      return { overflow: '/invoice/taxes_outputs' }
  }

  const mismatches = fillRows(groups, entries, matching, decimals, lenient)
  const withheld = hasWithholding(invoice) ? withhold(invoice.lines, lines, groups) : []
  const sentWithheld = invoice.taxes_withheld
  if (sentWithheld && !lenient) mismatches.push(...compareWithheld(withheld, sentWithheld, decimals))
  const amounts = computeTotals(totals, groups, withheld, grossTotal, discount, surcharge, decimals)
  for (const name in amounts)
    if (tooLarge(amounts[name as keyof typeof amounts])) return { overflow: `/invoice/totals/${name}` }
  return { decimals, lines, groups, withheld, discounts, surcharges, adjustment, totals: amounts, mismatches }
}

/** A total that was sent without its list stands for it. */
const alone = (total: number | undefined, decimals: number): Minor[] =>
  total === undefined ? [] : [toMinor(total, decimals)]

/** Groups with their plain gross, which is enough to tell which of them an entry means. */
function prepared(groups: readonly TaxGroup[], lines: readonly { gross: Minor }[]): readonly TaxGroup[] {
  for (const group of groups) {
    group.gross = 0
    for (const index of group.lines) group.gross += lines[index]!.gross
  }
  return groups
}
