/**
 * The breakdown that the client sent, held against the computed one (calculation page, section 4). Each entry
 * must match a computed group; several entries may split one group (the same goods with and without
 * equivalence surcharge), and each is then a row of its own.
 */
import type { TaxOutput } from '../invoice/index.ts'
import { type Minor, percentOf, sum, toMinor, toNumber } from '../money/index.ts'
import { toleranceOf } from './matching.ts'
import type { BreakdownRow, Matching, Mismatch, TaxGroup } from './model.ts'

/** Surcharge of a row: `base x percent`, or the amount alone where no percentage was sent. */
function surchargeOf(entry: TaxOutput | undefined, base: Minor, decimals: number) {
  const rate = entry?.equivalence_surcharge
  if (rate !== undefined) return { surchargeRate: rate, surcharge: percentOf(base, rate) }
  const amount = entry?.equivalence_surcharge_amount
  return { surchargeRate: undefined, surcharge: amount === undefined ? undefined : toMinor(amount, decimals) }
}

interface RowCheck {
  readonly entries: readonly TaxOutput[]
  readonly decimals: number
  /** Says nothing where the entries are known to match. */
  readonly report: (
    place: string,
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

/** One row for a group that at most one entry stands for. */
function singleRow(group: TaxGroup, index: number | undefined, check: RowCheck): BreakdownRow {
  const sent = index === undefined ? undefined : check.entries[index]
  const { base, tax, consumptionTax } = group
  const surcharge = surchargeOf(sent, base, check.decimals)
  if (sent && index !== undefined) {
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

/** By how much the entries that split a group are off its base, within the tolerance: their bases are kept. */
export function splitDifference(
  group: TaxGroup,
  indexes: readonly number[],
  entries: readonly TaxOutput[],
  decimals: number,
): Minor {
  // The margin is what the purchase left, to the cent; no entry moves it.
  return group.margin ? 0 : sum(sentBases(indexes, entries, decimals)) - group.base
}

/** Place of the largest amount, the last among equals. */
const largest = (values: readonly Minor[]): number =>
  values.reduce((best, value, at) => (Math.abs(value) >= Math.abs(values[best]!) ? at : best), 0)

/** Amounts sent, moved onto the total they must add up to: the largest takes the cents. */
const restOnLargest = (sent: readonly Minor[], total: Minor): Minor[] => {
  const rest = total - sum(sent)
  const at = largest(sent)
  return sent.map((value, index) => (index === at ? value + rest : value))
}

/** Entries that do not add up to their group: what the largest would have to be. */
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

/** A row for each entry of a group that the client split. */
function splitRows(group: TaxGroup, indexes: readonly number[], check: RowCheck): BreakdownRow[] {
  const { decimals, entries } = check
  const tolerance = toleranceOf(group)
  const bases = restOnLargest(sentBases(indexes, entries, decimals), group.base)
  const foreign = group.consumptionRate !== undefined
  const rate = group.consumptionRate ?? group.rate
  const ownTaxes = bases.map((base) => percentOf(base, rate))
  const keepsCharge = group.withTax && group.share === 0
  const sentTax = (entry: TaxOutput) => (foreign ? entry.consumption_tax_amount : entry.tax_amount)
  const taxes = keepsCharge
    ? restOnLargest(
        indexes.map((index, at) => {
          const sent = group.margin ? undefined : sentTax(entries[index]!)
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

/** Rows of a group that entries stand for: one, or as many as it was split in. */
function rowsOf(
  group: TaxGroup,
  indexes: readonly number[],
  split: boolean,
  check: RowCheck,
): BreakdownRow[] {
  if (indexes.length < 2) return [singleRow(group, indexes[0], check)]
  if (split) return splitRows(group, indexes, check)
  compareSum(check, group, indexes)
  const surcharge = surchargeOf(check.entries[indexes[0]!], group.base, check.decimals)
  return [{ ...singleRow(group, undefined, check), ...surcharge }]
}

/** Fills the rows of every group and reports what the client's breakdown has wrong. */
export function fillRows(
  groups: readonly TaxGroup[],
  entries: readonly TaxOutput[],
  matching: Matching | undefined,
  decimals: number,
  lenient: boolean,
): Mismatch[] {
  const mismatches: Mismatch[] = []
  const report: RowCheck['report'] = (place, expected, received, sums) => {
    if (lenient) return
    const path = `/invoice/taxes_outputs${place}`
    mismatches.push({ code: 'taxes_outputs_mismatch', path, expected, received, ...(sums && { sum: sums }) })
  }
  const check = { entries, decimals, report }
  groups.forEach((group, place) => {
    const indexes = matching?.byGroup[place] ?? []
    group.rows = rowsOf(group, indexes, matching?.split[place] ?? false, check)
    if (matching && indexes.length === 0 && (group.base !== 0 || group.tax !== 0))
      report('', toNumber(group.base, decimals), null)
  })
  for (const index of matching?.orphans ?? []) report(`/${index}`, null, entries[index]!.taxable_base)
  return mismatches
}
