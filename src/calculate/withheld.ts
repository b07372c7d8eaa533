/** Income tax withheld: by line for information, by rate for what is paid (calculation page, section 3). */
import type { Line, TaxWithheld } from '../invoice/index.ts'
import { allocate, type Minor, percentOf, sum, toMinor, toNumber } from '../money/index.ts'
import { shareLines } from './groups.ts'
import type { LineAmounts, Mismatch, TaxGroup, WithheldGroup, WithheldRow } from './model.ts'

const rowOf = (base: Minor, rate: number, sent?: TaxWithheld, index?: number): WithheldRow => ({
  base,
  amount: percentOf(base, rate),
  sent,
  index,
})

/** Groups by rate, in order of first appearance; fills the lines' withheld amounts. */
export function withhold(
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
  groups: readonly TaxGroup[],
): WithheldGroup[] {
  const withheld: WithheldGroup[] = []
  const byRate = new Map<number, WithheldGroup>()
  for (let i = 0; i < lines.length; i++) {
    const rate = lines[i]!.tax_withheld_rate
    if (rate === undefined) continue
    if (withheld.length === 0) shareLines(groups, lines, amounts)
    const amount = amounts[i]!
    amount.withheldBase = amount.gross + amount.share
    amount.withheld = percentOf(amount.withheldBase, rate)
    let group = byRate.get(rate)
    if (!group) {
      group = { rate, lines: [], base: 0, rows: [] }
      byRate.set(rate, group)
      withheld.push(group)
    }
    group.lines.push(i)
    group.base += amount.withheldBase
  }
  for (const group of withheld) group.rows = [rowOf(group.base, group.rate)]
  return withheld
}

/** One cent per line of the group, at least one. */
const toleranceOf = (group: WithheldGroup): Minor => Math.max(1, group.lines.length)

/** Line bases follow the entries that split their group, as they do in the breakdown. */
function moveWithheld(group: WithheldGroup, amounts: readonly LineAmounts[], difference: Minor): void {
  if (difference === 0) return
  const sizes = group.lines.map((index) => Math.abs(amounts[index]!.withheldBase))
  const parts = allocate(difference, sizes, () => 0)
  group.base += difference
  group.lines.forEach((index, at) => {
    const amount = amounts[index]!
    amount.withheldBase += parts[at]!
    amount.withheld = percentOf(amount.withheldBase, group.rate)
  })
}

/**
 * Holds the entries that the client sent against the computed groups. Several entries of one rate split its
 * group, where they add up to it; each is then a row of its own, with the base sent.
 */
export function compareWithheld(
  withheld: readonly WithheldGroup[],
  entries: readonly TaxWithheld[],
  amounts: readonly LineAmounts[],
  decimals: number,
): Mismatch[] {
  const mismatches: Mismatch[] = []
  const report = (
    path: string,
    expected: number | null,
    received: number | null,
    more?: Pick<Mismatch, 'sum'>,
  ) => mismatches.push({ code: 'taxes_withheld_mismatch', path, expected, received, ...more })
  const at = (index: number) => `/invoice/taxes_withheld/${index}`
  const byRate = new Map<number, number[]>(withheld.map((group) => [group.rate, []]))
  entries.forEach((entry, index) => {
    const taken = byRate.get(entry.tax_rate)
    if (taken) taken.push(index)
    else report(at(index), null, entry.taxable_base)
  })
  for (const group of withheld) {
    const taken = byRate.get(group.rate)!
    const tolerance = toleranceOf(group)
    const bases = taken.map((index) => toMinor(entries[index]!.taxable_base, decimals))
    const difference = sum(bases) - group.base
    if (taken.length === 0) {
      if (entries.length > 0 && group.base !== 0)
        report('/invoice/taxes_withheld', toNumber(group.base, decimals), null)
      continue
    }
    const near = Math.abs(difference) <= tolerance
    if (!near && taken.length > 1) {
      // The one that would have to change is not known: the last one closes the sum.
      const last = taken.at(-1)!
      const expected = bases.at(-1)! - difference
      report(`${at(last)}/taxable_base`, toNumber(expected, decimals), entries[last]!.taxable_base, {
        sum: { entries: toNumber(sum(bases), decimals), lines: toNumber(group.base, decimals) },
      })
      continue
    }
    if (taken.length > 1) moveWithheld(group, amounts, difference)
    else if (!near)
      report(
        `${at(taken[0]!)}/taxable_base`,
        toNumber(group.base, decimals),
        entries[taken[0]!]!.taxable_base,
      )
    group.rows = taken.map((index, place) =>
      rowOf(taken.length > 1 ? bases[place]! : group.base, group.rate, entries[index], index),
    )
    for (const { index, amount, sent } of group.rows)
      if (Math.abs(toMinor(sent!.tax_amount, decimals) - amount) > tolerance)
        report(`${at(index!)}/tax_amount`, toNumber(amount, decimals), sent!.tax_amount)
  }
  return mismatches
}
