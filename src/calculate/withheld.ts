/** Income tax withheld: by line for information, by rate for what is paid (calculation page, section 3). */
import type { Line, TaxWithheld } from '../invoice/index.ts'
import { percentOf, toMinor, toNumber } from '../money/index.ts'
import { shareLines } from './groups.ts'
import type { LineAmounts, Mismatch, TaxGroup, WithheldGroup } from './model.ts'

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
      group = { rate, lines: [], base: 0, amount: 0, sent: undefined, index: undefined }
      byRate.set(rate, group)
      withheld.push(group)
    }
    group.lines.push(i)
    group.base += amount.withheldBase
  }
  for (const group of withheld) group.amount = percentOf(group.base, group.rate)
  return withheld
}

/** Holds the entries that the client sent against the computed groups; each rate has one. */
export function compareWithheld(
  withheld: readonly WithheldGroup[],
  entries: readonly TaxWithheld[] | undefined,
  decimals: number,
): Mismatch[] {
  const mismatches: Mismatch[] = []
  const report = (path: string, expected: number | null, received: number | null) =>
    mismatches.push({ code: 'taxes_withheld_mismatch', path, expected, received })
  const byRate = new Map(withheld.map((group) => [group.rate, group]))
  entries?.forEach((entry, index) => {
    const path = `/invoice/taxes_withheld/${index}`
    const group = byRate.get(entry.tax_rate)
    if (!group || group.sent) {
      report(path, null, entry.taxable_base)
      return
    }
    group.sent = entry
    group.index = index
    const tolerance = Math.max(1, group.lines.length)
    if (Math.abs(toMinor(entry.taxable_base, decimals) - group.base) > tolerance)
      report(`${path}/taxable_base`, toNumber(group.base, decimals), entry.taxable_base)
    if (Math.abs(toMinor(entry.tax_amount, decimals) - group.amount) > tolerance)
      report(`${path}/tax_amount`, toNumber(group.amount, decimals), entry.tax_amount)
  })
  if (entries && entries.length > 0)
    for (const group of withheld)
      if (!group.sent && group.base !== 0)
        report('/invoice/taxes_withheld', toNumber(group.base, decimals), null)
  return mismatches
}
