/**
 * Calculates the income tax withheld: per line for information, per rate for the total (calculation page, section 3).
 */
import type { InvoiceBlock, Line, TaxWithheld } from '#core/invoice/index.ts'
import { FARMERS_OR_EXPORT } from '#core/invoice/terms.ts'
import { allocate, type Minor, percentOf, sum, toleranceOf, toMinor, toNumber } from '#core/money/index.ts'
import type {
  Calculation,
  LineAmounts,
  Mismatch,
  TaxGroup,
  WithheldGroup,
  WithheldRow,
} from './calculation-model.ts'
import { byWithholding } from './groups.ts'

const rowOf = (base: Minor, rate: number, sent?: TaxWithheld, index?: number): WithheldRow => ({
  base,
  amount: percentOf(base, rate),
  sent,
  index,
})

/**
 * Distributes the compensation of the farmers' regime over the lines. It is part of the farmer's income (art. 95.4 RD
 * 439/2007, art. 130 Ley 37/1992).
 */
export function spreadCompensation(
  groups: readonly TaxGroup[],
  lines: readonly Line[],
  amounts: readonly LineAmounts[],
): void {
  for (const { regimeKey, rows, lines: indexes } of groups) {
    const compensation = sum(rows.map(({ tax }) => tax))
    if (regimeKey !== FARMERS_OR_EXPORT || compensation === 0) continue
    const bases = indexes.map((index) => amounts[index]!.gross + amounts[index]!.share)
    const parts = allocate(compensation, bases, byWithholding(lines, indexes))
    indexes.forEach((index, at) => {
      amounts[index]!.compensation = parts[at]!
    })
  }
}

/** Returns the groups by rate, in order of first appearance, and sets the withheld amounts of the lines. */
export function computeWithholding(lines: readonly Line[], amounts: readonly LineAmounts[]): WithheldGroup[] {
  const withheld: WithheldGroup[] = []
  const byRate = new Map<number, WithheldGroup>()
  for (let i = 0; i < lines.length; i++) {
    const rate = lines[i]!.tax_withheld_rate
    if (rate === undefined) continue
    const amount = amounts[i]!
    amount.withheldBase = amount.gross + amount.share + amount.compensation
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

/**
 * Changes the bases of a group's lines by `difference` in total, so that they add up to the entries that split the
 * group.
 */
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

interface Check {
  readonly entries: readonly TaxWithheld[]
  readonly amounts: readonly LineAmounts[]
  readonly decimals: number
  readonly report: (
    path: string,
    expected: number | null,
    received: number | null,
    sum?: Mismatch['sum'],
  ) => void
}

const pathOf = (index: number, member = ''): string => `/invoice/taxes_withheld/${index}${member}`

/** Compares the entries of one rate with their group. If they agree, they become the rows of the group. */
function compareGroup(group: WithheldGroup, taken: readonly number[], check: Check): void {
  const { entries, amounts, decimals, report } = check
  const tolerance = toleranceOf(group)
  const bases = taken.map((index) => toMinor(entries[index]!.taxable_base, decimals))
  const difference = sum(bases) - group.base
  const isSplit = taken.length > 1
  if (Math.abs(difference) > tolerance) {
    // If several entries differ in sum, the wrong entry is unknown, so the difference is reported on the last entry.
    const last = taken.at(-1)!
    const expected = toNumber(bases.at(-1)! - difference, decimals)
    const sums = { entries: toNumber(sum(bases), decimals), lines: toNumber(group.base, decimals) }
    report(pathOf(last, '/taxable_base'), expected, entries[last]!.taxable_base, isSplit ? sums : undefined)
    if (isSplit) return
  }
  if (isSplit) moveWithheld(group, amounts, difference)
  group.rows = taken.map((index, at) => {
    const { tax_amount: received } = entries[index]!
    const row = rowOf(isSplit ? bases[at]! : group.base, group.rate, entries[index], index)
    if (Math.abs(toMinor(received, decimals) - row.amount) > tolerance)
      report(pathOf(index, '/tax_amount'), toNumber(row.amount, decimals), received)
    return row
  })
}

/**
 * Compares the client's entries with the computed groups. Several entries of one rate split their group if they add up
 * to it. Each then becomes its own row, with the base sent.
 */
export function compareWithheld(
  withheld: readonly WithheldGroup[],
  entries: readonly TaxWithheld[],
  amounts: readonly LineAmounts[],
  decimals: number,
): Mismatch[] {
  const mismatches: Mismatch[] = []
  const report: Check['report'] = (path, expected, received, sums) =>
    mismatches.push({ code: 'taxes_withheld_mismatch', path, expected, received, ...(sums && { sum: sums }) })
  const byRate = new Map<number, number[]>(withheld.map((group) => [group.rate, []]))
  entries.forEach((entry, index) => {
    const taken = byRate.get(entry.tax_rate)
    if (taken) taken.push(index)
    else report(pathOf(index), null, entry.taxable_base)
  })
  for (const group of withheld) {
    const taken = byRate.get(group.rate)!
    if (taken.length > 0) compareGroup(group, taken, { entries, amounts, decimals, report })
    else if (entries.length > 0 && group.base !== 0)
      report('/invoice/taxes_withheld', toNumber(group.base, decimals), null)
  }
  return mismatches
}

/**
 * Whether the withholding that the client sent agrees with the calculation: lines, entries and, if totals are checked,
 * the total withheld and the amount to pay.
 */
export function isSentWithholdingCorrect(
  sent: InvoiceBlock,
  { decimals, lines, totals, mismatches }: Calculation,
  check: boolean,
): boolean {
  const near = (amount: number | undefined, computed: Minor, tolerance: Minor): boolean =>
    amount === undefined || Math.abs(toMinor(amount, decimals) - computed) <= tolerance
  const ofTotals = toleranceOf({ lines })
  return (
    mismatches.every(({ code }) => code !== 'taxes_withheld_mismatch') &&
    sent.lines.every(
      ({ tax_withheld_base, tax_withheld_amount }, index) =>
        near(tax_withheld_base, lines[index]!.withheldBase, 1) &&
        near(tax_withheld_amount, lines[index]!.withheld, 1),
    ) &&
    (!check ||
      (near(sent.totals.total_taxes_withheld, totals.total_taxes_withheld, ofTotals) &&
        near(sent.totals.total_executable_amount, totals.total_executable_amount, ofTotals)))
  )
}
