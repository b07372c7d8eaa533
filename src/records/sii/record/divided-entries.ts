/**
 * Divides the entries of the tax breakdown by properties of their lines: goods and services, investment goods,
 * self-assessed rates, deductible percentages. The parts of an entry add up to its base, tax and surcharge, to the
 * cent.
 */
import { required } from '#core/errors/index.ts'
import { type InvoiceBlock, type Line, type TaxOutput, taxKeyOf, taxKeyText } from '#core/invoice/index.ts'
import { TAXED } from '#core/invoice/terms.ts'
import { allocate, type Minor, percentOf, sum, toMinor } from '#core/money/index.ts'
import { hasSurcharge } from '../../fiscal/fiscal-operation.ts'

/** A category of lines; lines with the same `key` are grouped. */
export interface Category {
  readonly key: string
}

export interface DividedEntry<K extends Category> {
  readonly entry: TaxOutput
  /** Index of the entry in `taxes_outputs`. */
  readonly index: number
  readonly category: K
  readonly base: Minor
  readonly tax: Minor
  readonly surcharge: Minor
}

const lineGroup = (line: Line): string =>
  taxKeyText(taxKeyOf(line, line.tax_treatment_code === TAXED ? (line.tax_output_rate ?? 0) : 0))

const baseOf = (line: Line): Minor => toMinor(line.tax_output_base ?? 0)

const noPreference = () => 0

/**
 * Returns shares that add up to `total`. Spreads the difference over them in proportion to their absolute size.
 *
 * @example
 * spreadDifference(10, [4, 5]) // => [4, 6]
 */
export function spreadDifference(total: Minor, shares: readonly Minor[]): Minor[] {
  const missing = total - sum(shares)
  if (missing === 0) return [...shares]
  const sizes = shares.map((share) => Math.abs(share))
  const rest = allocate(missing, sizes, noPreference)
  return shares.map((share, at) => share + required(rest[at]))
}

interface Row {
  readonly entry: TaxOutput
  readonly index: number
  readonly base: Minor
}

/**
 * Distributes the bases of rows over categories and returns them as `result[row][category]`. The sum of a row is its
 * base; the sum of a category is its pool.
 */
function spreadRows(rows: readonly Row[], pools: readonly Minor[]): Minor[][] {
  const left = [...pools]
  return rows.map((row, at) => {
    if (at === rows.length - 1) return left
    const shares = allocate(row.base, left, noPreference)
    shares.forEach((share, category) => {
      left[category]! -= share
    })
    return shares
  })
}

/**
 * Divides every entry by the categories of its lines. An entry with equivalence surcharge goes to categories for which
 * `bears` is true, as long as their lines have a base left. `overdrawn` lists the entries with surcharge whose base
 * exceeds the bases of these categories.
 */
export function divideEntries<K extends Category>(
  invoice: InvoiceBlock,
  categoryOf: (line: Line) => K,
  bears: (category: K) => boolean = () => true,
): { pieces: DividedEntry<K>[]; overdrawn: number[] } {
  const lines = grouped(invoice.lines, lineGroup)
  const entries = required(invoice.taxes_outputs).map((entry, index) => ({
    entry,
    index,
    base: toMinor(entry.taxable_base),
  }))
  const groups = grouped(entries, ({ entry }) => taxKeyText(taxKeyOf(entry, entry.tax_rate)))
  const pieces: DividedEntry<K>[] = []
  const overdrawn: number[] = []
  for (const [key, rows] of groups) {
    // The engine never creates an entry without lines. An entry of another origin is divided by all lines of the
    // invoice.
    const { categories, own } = categoriesOf(lines.get(key) ?? invoice.lines, categoryOf)
    const pools = spreadDifference(sum(rows.map((row) => row.base)), own)
    pieces.push(...divide(rows, categories, pools, bears, overdrawn))
  }
  return { pieces: pieces.sort((a, b) => a.index - b.index), overdrawn }
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const known = groups.get(key)
    if (known) known.push(one)
    else groups.set(key, [one])
  }
  return groups
}

/** Returns the categories of the lines, and the sum of the bases of each category. */
function categoriesOf<K extends Category>(lines: readonly Line[], categoryOf: (line: Line) => K) {
  const sums = new Map<string, { category: K; own: Minor }>()
  for (const line of lines) {
    const category = categoryOf(line)
    const known = sums.get(category.key)
    if (known) known.own += baseOf(line)
    else sums.set(category.key, { category, own: baseOf(line) })
  }
  const sorted = [...sums.keys()].sort().map((key) => required(sums.get(key)))
  return { categories: sorted.map(({ category }) => category), own: sorted.map(({ own }) => own) }
}

function divide<K extends Category>(
  rows: readonly Row[],
  categories: readonly K[],
  pools: readonly Minor[],
  bears: (category: K) => boolean,
  overdrawn: number[],
): DividedEntry<K>[] {
  const surcharged = rows.filter(({ entry }) => hasSurcharge(entry))
  if (categories.length === 1) {
    if (!bears(required(categories[0]))) overdrawn.push(...surcharged.map(({ index }) => index))
    return rows.flatMap((row) => divideRow(row, categories, [row.base]))
  }
  const plain = rows.filter(({ entry }) => !hasSurcharge(entry))
  const left = [...pools]
  const result: DividedEntry<K>[] = []
  for (const row of surcharged) {
    const weights = left.map((pool, at) => (bears(required(categories[at])) ? pool : 0))
    const shares =
      plain.length === 0 && row === surcharged.at(-1) ? left : allocate(row.base, weights, noPreference)
    const beyond = shares.some(
      (share, at) => !fits(share, bears(required(categories[at])) ? required(left[at]) : 0),
    )
    if (beyond) overdrawn.push(row.index)
    result.push(...divideRow(row, categories, shares))
    shares.forEach((share, at) => {
      left[at]! -= share
    })
  }
  spreadRows(plain, left).forEach((shares, at) => {
    result.push(...divideRow(required(plain[at]), categories, shares))
  })
  return result
}

/** Whether a share is within its pool. Both may be negative. */
const fits = (share: Minor, pool: Minor): boolean =>
  share === 0 || (share > 0 ? pool >= share : pool <= share)

/**
 * Returns the parts of one row. Parts without amounts are removed, unless all parts are; then the first is returned.
 */
function divideRow<K extends Category>(
  row: Row,
  categories: readonly K[],
  bases: readonly Minor[],
): DividedEntry<K>[] {
  const { entry, index } = row
  const taxes = spreadDifference(
    toMinor(entry.tax_amount),
    bases.map((base) => percentOf(base, entry.tax_rate)),
  )
  const surcharges = spreadDifference(
    toMinor(entry.equivalence_surcharge_amount ?? 0),
    bases.map((base) => percentOf(base, entry.equivalence_surcharge ?? 0)),
  )
  const pieces = categories.map((category, at) => ({
    entry,
    index,
    category,
    base: required(bases[at]),
    tax: required(taxes[at]),
    surcharge: required(surcharges[at]),
  }))
  const full = pieces.filter(({ base, tax, surcharge }) => base !== 0 || tax !== 0 || surcharge !== 0)
  return full.length > 0 ? full : pieces.slice(0, 1)
}
