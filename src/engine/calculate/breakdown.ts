/**
 * Compares the client's breakdown with the computed one (calculation page, section 4). Each entry must match a computed
 * group. Several entries may split one group, for example into goods with and without equivalence surcharge. Each then
 * becomes its own row.
 */
import type { TaxOutput } from '#core/invoice/index.ts'
import { type Minor, percentOf, sum, toleranceOf, toMinor, toNumber } from '#core/money/index.ts'
import type { BreakdownRow, Matching, Mismatch, TaxGroup } from './calculation-model.ts'

/** Returns the surcharge of a row: `base x percent`, or the amount sent if there is no percentage. */
function surchargeOf(entry: TaxOutput | undefined, base: Minor, decimals: number) {
  const rate = entry?.equivalence_surcharge
  if (rate !== undefined) return { surchargeRate: rate, surcharge: percentOf(base, rate) }
  const amount = entry?.equivalence_surcharge_amount
  return { surchargeRate: undefined, surcharge: amount === undefined ? undefined : toMinor(amount, decimals) }
}

interface RowCheck {
  readonly entries: readonly TaxOutput[]
  readonly decimals: number
  /** Reports a mismatch, unless the entries are known to match. */
  readonly report: (
    suffix: string,
    expected: number | null,
    received: number | null,
    sum?: Mismatch['sum'],
  ) => void
}

function compare(
  check: RowCheck,
  index: number,
  field: 'taxable_base' | 'tax_amount' | 'consumption_tax_amount' | 'equivalence_surcharge_amount',
  expected: Minor | undefined,
  tolerance: Minor,
): void {
  const received = check.entries[index]![field]
  if (received === undefined || expected === undefined) return
  if (Math.abs(toMinor(received, check.decimals) - expected) > tolerance)
    check.report(`/${index}/${field}`, toNumber(expected, check.decimals), received)
}

/** Returns the row of a group with at most one entry. */
function singleRow(group: TaxGroup, index: number | undefined, check: RowCheck): BreakdownRow {
  const sent = index === undefined ? undefined : check.entries[index]
  const { base, tax, consumptionTax } = group
  const surcharge = surchargeOf(sent, base, check.decimals)
  if (index !== undefined) {
    const tolerance = toleranceOf(group)
    compare(check, index, 'taxable_base', base, tolerance)
    compare(check, index, 'tax_amount', tax, tolerance)
    compare(check, index, 'consumption_tax_amount', consumptionTax, tolerance)
    compare(check, index, 'equivalence_surcharge_amount', surcharge.surcharge, tolerance)
  }
  const { surchargeRate, surcharge: amount } = surcharge
  return { base, tax, consumptionTax, surchargeRate, surcharge: amount, sent, index }
}

const sentBases = (indexes: readonly number[], entries: readonly TaxOutput[], decimals: number): Minor[] =>
  indexes.map((index) => toMinor(entries[index]!.taxable_base, decimals))

/**
 * Returns the sum of the bases sent for a split group, minus the base of the group. The difference is within the
 * tolerance, so the calculation keeps the bases sent.
 */
export function splitDifference(
  group: TaxGroup,
  indexes: readonly number[],
  entries: readonly TaxOutput[],
  decimals: number,
): Minor {
  // The margin is exactly price minus purchase price; entries never change it.
  return group.margin ? 0 : sum(sentBases(indexes, entries, decimals)) - group.base
}

/** Returns the tax that an entry states: Spanish tax or, in a one-stop-shop group, foreign tax. */
const sentTaxOf = (group: TaxGroup, entry: TaxOutput): number | undefined =>
  group.consumptionRate === undefined ? entry.tax_amount : entry.consumption_tax_amount

/** Whether the bases and taxes of the entries that split a group add up to the amount charged. */
export const addsUpToCharge = (
  group: TaxGroup,
  indexes: readonly number[],
  entries: readonly TaxOutput[],
  decimals: number,
): boolean => {
  const taxes = indexes.map((index) => toMinor(sentTaxOf(group, entries[index]!) ?? 0, decimals))
  return sum(sentBases(indexes, entries, decimals)) + sum(taxes) === group.charged
}

/** Returns the index of the largest amount. If several amounts are equal, the last one is used. */
const largest = (values: readonly Minor[]): number =>
  values.reduce((best, value, at) => (Math.abs(value) >= Math.abs(values[best]!) ? at : best), 0)

/** Adds the difference to the largest amount sent, so that the amounts add up to the total. */
const restOnLargest = (sent: readonly Minor[], total: Minor): Minor[] => {
  const rest = total - sum(sent)
  const at = largest(sent)
  return sent.map((value, index) => (index === at ? value + rest : value))
}

/**
 * Reports entries that do not add up to their group. The expected amount is the base that the largest entry would need.
 */
function compareSum({ entries, decimals, report }: RowCheck, group: TaxGroup, indexes: readonly number[]) {
  const bases = sentBases(indexes, entries, decimals)
  const at = largest(bases)
  const index = indexes[at]!
  const total = sum(bases)
  const expected = toNumber(bases[at]! + group.base - total, decimals)
  report(`/${index}/taxable_base`, expected, entries[index]!.taxable_base, {
    entries: toNumber(total, decimals),
    lines: toNumber(group.base, decimals),
  })
}

/** Returns a row for each entry of a group that the client split. */
function splitRows(group: TaxGroup, indexes: readonly number[], check: RowCheck): BreakdownRow[] {
  const { decimals, entries } = check
  const tolerance = toleranceOf(group)
  const bases = restOnLargest(sentBases(indexes, entries, decimals), group.base)
  const foreign = group.consumptionRate !== undefined
  const rate = group.consumptionRate ?? group.rate
  const ownTaxes = bases.map((base) => percentOf(base, rate))
  const keepsCharge = group.withTax && group.share === 0
  const taxes = keepsCharge
    ? restOnLargest(
        indexes.map((index, at) => {
          const sent = group.margin ? undefined : sentTaxOf(group, entries[index]!)
          return sent === undefined ? ownTaxes[at]! : toMinor(sent, decimals)
        }),
        foreign ? group.consumptionTax : group.tax,
      )
    : ownTaxes
  return indexes.map((index, at) => {
    const sent = entries[index]!
    const base = bases[at]!
    const tax = foreign ? 0 : taxes[at]!
    const consumptionTax = foreign ? taxes[at]! : 0
    const surcharge = surchargeOf(sent, base, decimals)
    compare(check, index, 'tax_amount', tax, tolerance)
    compare(check, index, 'consumption_tax_amount', consumptionTax, tolerance)
    compare(check, index, 'equivalence_surcharge_amount', surcharge.surcharge, tolerance)
    return { base, tax, consumptionTax, ...surcharge, sent, index }
  })
}

/** Returns the rows of a group that has entries: one row, or one per entry if they split it. */
function rowsOf(
  group: TaxGroup,
  indexes: readonly number[],
  split: boolean | undefined,
  check: RowCheck,
): BreakdownRow[] {
  if (indexes.length < 2) return [singleRow(group, indexes[0], check)]
  if (split) return splitRows(group, indexes, check)
  compareSum(check, group, indexes)
  const surcharge = surchargeOf(check.entries[indexes[0]!], group.base, check.decimals)
  return [{ ...singleRow(group, undefined, check), ...surcharge }]
}

/** Fills the rows of every group and returns the mismatches of the client's breakdown. */
export function fillRows(
  groups: readonly TaxGroup[],
  entries: readonly TaxOutput[],
  matching: Matching | undefined,
  decimals: number,
  lenient: boolean,
): Mismatch[] {
  const mismatches: Mismatch[] = []
  const report: RowCheck['report'] = (suffix, expected, received, sums) => {
    if (lenient) return
    const path = `/invoice/taxes_outputs${suffix}`
    mismatches.push({ code: 'taxes_outputs_mismatch', path, expected, received, ...(sums && { sum: sums }) })
  }
  const check = { entries, decimals, report }
  groups.forEach((group, groupIndex) => {
    const indexes = matching?.byGroup[groupIndex] ?? []
    group.rows = rowsOf(group, indexes, matching?.split[groupIndex], check)
    if (matching && indexes.length === 0 && group.base !== 0) report('', toNumber(group.base, decimals), null)
  })
  for (const index of matching?.orphans ?? []) report(`/${index}`, null, entries[index]!.taxable_base)
  return mismatches
}
