/**
 * The breakdown that the client sent, held against the computed one (calculation page, section 4). Each entry
 * must match a computed group; several entries may split one group (the same goods with and without
 * equivalence surcharge), and each is then a row of its own.
 */
import { EXEMPT, NON_TAXABLE, REVERSE_CHARGE, TAXED, type TaxOutput } from '../invoice/index.ts'
import { type Minor, percentOf, toMinor, toNumber } from '../money/index.ts'
import { includedBase } from './groups.ts'
import type { BreakdownRow, Mismatch, TaxGroup } from './model.ts'

/** With more groups than this that an entry could mean, only the first are weighed: time stays linear. */
const MAX_CANDIDATES = 64

const same = <T>(sent: T | undefined, computed: T | undefined): boolean =>
  sent === undefined || sent === computed

/** Treatment that an entry names, or lets one conclude. */
const treatmentOfEntry = (entry: TaxOutput): string | undefined =>
  entry.tax_treatment_code ??
  (entry.reverse_charge
    ? REVERSE_CHARGE
    : entry.exemption_reason_code !== undefined || entry.exemption_reason_text !== undefined
      ? EXEMPT
      : entry.non_taxable_reason !== undefined || entry.consumption_country_code !== undefined
        ? NON_TAXABLE
        : undefined)

const fits = (entry: TaxOutput, group: TaxGroup): boolean => {
  const treatment = treatmentOfEntry(entry)
  return (
    same(treatment, group.treatment) &&
    (group.treatment === TAXED
      ? entry.tax_rate === group.rate
      : treatment !== undefined || entry.tax_rate === 0) &&
    same(entry.tax_regime_key, group.regimeKey) &&
    (group.treatment !== EXEMPT || same(entry.exemption_reason_code, group.reason)) &&
    (group.treatment !== NON_TAXABLE || same(entry.non_taxable_reason, group.reason)) &&
    same(entry.consumption_country_code, group.consumptionCountry) &&
    same(entry.consumption_tax_rate, group.first.consumption_tax_rate) &&
    same(entry.consumption_rate_type as string | undefined, group.consumptionRateType) &&
    same(entry.supply_type as string | undefined, group.supplyType)
  )
}

/** Entries sent for each group, and the entries that no group answers. */
export interface Matching {
  readonly byGroup: ReadonlyMap<TaxGroup, number[]>
  readonly orphans: readonly number[]
}

export function matchEntries(
  entries: readonly TaxOutput[],
  groups: readonly TaxGroup[],
  decimals: number,
): Matching {
  const byGroup = new Map<TaxGroup, number[]>()
  const orphans: number[] = []
  const byRate = new Map<string, TaxGroup[]>()
  for (const group of groups)
    for (const key of [`${group.rate}`, `${group.rate}|${group.regimeKey}`]) {
      const known = byRate.get(key)
      if (known) known.push(group)
      else byRate.set(key, [group])
    }
  const prelim = (group: TaxGroup): Minor =>
    group.withTax && !group.margin ? includedBase(group) : group.ownBase || group.gross
  entries.forEach((entry, index) => {
    const rate =
      treatmentOfEntry(entry) === TAXED || treatmentOfEntry(entry) === undefined ? entry.tax_rate : 0
    const key = entry.tax_regime_key === undefined ? `${rate}` : `${rate}|${entry.tax_regime_key}`
    const base = toMinor(entry.taxable_base, decimals)
    let best: TaxGroup | undefined
    let bestScore = Number.POSITIVE_INFINITY
    const candidates = byRate.get(key) ?? []
    let weighed = 0
    for (let i = 0; i < candidates.length && weighed < MAX_CANDIDATES; i++) {
      const group = candidates[i]!
      if (!fits(entry, group)) continue
      weighed += 1
      // A group that no entry has taken yet comes first; among those, the one with the nearest base.
      const score = Math.abs(prelim(group) - base) + (byGroup.has(group) ? 1e15 : 0)
      if (score < bestScore) {
        best = group
        bestScore = score
      }
    }
    if (!best) orphans.push(index)
    else {
      const taken = byGroup.get(best)
      if (taken) taken.push(index)
      else byGroup.set(best, [index])
    }
  })
  return { byGroup, orphans }
}

/** A cent per line of the group, at least one. */
const toleranceOf = (group: TaxGroup): Minor => Math.max(1, group.lines.length)

/** In price-with-tax mode the bases of a split group are the client's, where they come near enough. */
export function sentBase(
  group: TaxGroup,
  indexes: readonly number[] | undefined,
  entries: readonly TaxOutput[],
  decimals: number,
): Minor | undefined {
  if (!indexes || indexes.length < 2 || !group.withTax || group.margin) return undefined
  const total = indexes.reduce((sum, index) => sum + toMinor(entries[index]!.taxable_base, decimals), 0)
  return Math.abs(total - includedBase(group)) <= toleranceOf(group) ? total : undefined
}

/** Surcharge of a row: `base x percent`, or the amount alone where no percentage was sent. */
function surchargeOf(entry: TaxOutput | undefined, base: Minor, decimals: number) {
  const rate = entry?.equivalence_surcharge
  if (rate !== undefined) return { surchargeRate: rate, surcharge: percentOf(base, rate) }
  const amount = entry?.equivalence_surcharge_amount
  return { surchargeRate: undefined, surcharge: amount === undefined ? undefined : toMinor(amount, decimals) }
}

interface RowCheck {
  readonly lenient: boolean
  readonly decimals: number
  readonly mismatches: Mismatch[]
}

function compare(
  check: RowCheck,
  index: number,
  field: string,
  expected: Minor,
  received: number | undefined,
  tolerance: Minor,
): void {
  if (received === undefined || check.lenient) return
  if (Math.abs(toMinor(received, check.decimals) - expected) <= tolerance) return
  check.mismatches.push({
    code: 'taxes_outputs_mismatch',
    path: `/invoice/taxes_outputs/${index}/${field}`,
    expected: toNumber(expected, check.decimals),
    received,
  })
}

function compareSurcharge(
  check: RowCheck,
  index: number,
  expected: Minor | undefined,
  sent: TaxOutput,
  tolerance: Minor,
): void {
  if (expected === undefined) return
  const received = sent.equivalence_surcharge_amount
  compare(check, index, 'equivalence_surcharge_amount', expected, received, tolerance)
}

/** One row for a group that at most one entry stands for. */
function singleRow(
  group: TaxGroup,
  index: number | undefined,
  entries: readonly TaxOutput[],
  check: RowCheck,
): BreakdownRow {
  const sent = index === undefined ? undefined : entries[index]
  const { base, tax, consumptionTax } = group
  const surcharge = surchargeOf(sent, base, check.decimals)
  if (sent && index !== undefined) {
    const tolerance = toleranceOf(group)
    compare(check, index, 'taxable_base', base, sent.taxable_base, tolerance)
    compare(check, index, 'tax_amount', tax, sent.tax_amount, tolerance)
    compare(check, index, 'consumption_tax_amount', consumptionTax, sent.consumption_tax_amount, tolerance)
    compareSurcharge(check, index, surcharge.surcharge, sent, tolerance)
  }
  return { base, tax, consumptionTax, ...surcharge, sent, index }
}

const largest = (values: readonly Minor[]): number =>
  values.reduce((best, value, at) => (Math.abs(value) > Math.abs(values[best]!) ? at : best), 0)

/** Amounts sent, moved onto the total they must add up to: the largest takes the cents. */
const fitted = (sent: readonly Minor[], total: Minor): Minor[] => {
  const rest = total - sent.reduce((sum, value) => sum + value, 0)
  const at = largest(sent)
  return sent.map((value, index) => (index === at ? value + rest : value))
}

/** A row for each entry of a group that the client split. */
function splitRows(
  group: TaxGroup,
  indexes: readonly number[],
  entries: readonly TaxOutput[],
  check: RowCheck,
): BreakdownRow[] {
  const { decimals } = check
  const tolerance = toleranceOf(group)
  const sentBases = indexes.map((index) => toMinor(entries[index]!.taxable_base, decimals))
  const total = sentBases.reduce((sum, base) => sum + base, 0)
  const first = indexes[0]!
  if (Math.abs(total - group.base) > tolerance && !check.lenient) {
    compare(check, first, 'taxable_base', group.base, toNumber(total, decimals), tolerance)
    return [
      {
        ...singleRow(group, undefined, entries, check),
        ...surchargeOf(entries[first], group.base, decimals),
      },
    ]
  }
  const bases = fitted(sentBases, group.base)
  const keepsCharge = group.withTax && group.share === 0 && !group.margin
  const foreign = group.consumptionRate !== undefined
  const rate = group.consumptionRate ?? group.rate
  const included = foreign ? group.consumptionTax : group.tax
  const taxes = keepsCharge
    ? fitted(
        indexes.map((index, at) => {
          const entry = entries[index]!
          return toMinor(
            (foreign ? entry.consumption_tax_amount : entry.tax_amount) ??
              toNumber(percentOf(bases[at]!, rate), decimals),
            decimals,
          )
        }),
        included,
      )
    : bases.map((base) => percentOf(base, rate))
  return indexes.map((index, at) => {
    const sent = entries[index]!
    const base = bases[at]!
    const tax = foreign ? 0 : taxes[at]!
    const consumptionTax = foreign ? taxes[at]! : 0
    const surcharge = surchargeOf(sent, base, decimals)
    compare(check, index, 'tax_amount', tax, sent.tax_amount, tolerance)
    if (foreign)
      compare(check, index, 'consumption_tax_amount', consumptionTax, sent.consumption_tax_amount, tolerance)
    compareSurcharge(check, index, surcharge.surcharge, sent, tolerance)
    return { base, tax, consumptionTax, ...surcharge, sent, index }
  })
}

/** Fills the rows of every group and reports what the client's breakdown has wrong. */
export function fillRows(
  groups: readonly TaxGroup[],
  entries: readonly TaxOutput[] | undefined,
  matching: Matching | undefined,
  decimals: number,
  lenient: boolean,
): Mismatch[] {
  const mismatches: Mismatch[] = []
  const check = { lenient, decimals, mismatches }
  for (const group of groups) {
    const indexes = matching?.byGroup.get(group)
    group.rows =
      indexes && indexes.length > 1
        ? splitRows(group, indexes, entries!, check)
        : [singleRow(group, indexes?.[0], entries ?? [], check)]
    if (matching && !indexes && !lenient && entries!.length > 0 && (group.base !== 0 || group.tax !== 0))
      mismatches.push({
        code: 'taxes_outputs_mismatch',
        path: '/invoice/taxes_outputs',
        expected: toNumber(group.base, decimals),
        received: null,
      })
  }
  for (const index of matching && !lenient ? matching.orphans : [])
    mismatches.push({
      code: 'taxes_outputs_mismatch',
      path: `/invoice/taxes_outputs/${index}`,
      expected: null,
      received: entries![index]!.taxable_base,
    })
  return mismatches
}
