/**
 * Amounts that the document leaves outside of every taxable base. In the canonical invoice discounts and surcharges of
 * the document enter the base, and so does all of a line: what the issuer did not tax is a line that is not subject.
 */
import { required } from '../../errors/index.ts'
import { NON_TAXABLE } from '../../invoice/index.ts'
import type { ReadingReport } from '../model/index.ts'
import { addUp, apart } from './amounts.ts'
import { type Cursor, optional } from './cursor.ts'
import type { Line, ReadLine } from './read-lines.ts'

/** A line for an amount that is not taxed; its sign is that of the quantity. */
function untaxed(description: string, amount: number, withheld: number | undefined): Line {
  return {
    item_description: description,
    quantity: amount < 0 ? -1 : 1,
    unit_price_without_tax: Math.abs(amount),
    tax_treatment_code: NON_TAXABLE,
    non_taxable_reason: 'ARTICLES_7_14_OTHER',
    ...optional('tax_withheld_rate', withheld),
  } as Line
}

export interface Outside {
  readonly lines: readonly ReadLine[]
  /** True where discounts and surcharges of the document have become lines. */
  readonly adjustments: boolean
}

const NOTHING: Outside = { lines: [], adjustments: false }

const asLine = (line: Line, path: string, amount: number): ReadLine => ({
  line,
  path,
  rate: 0,
  gross: amount,
  base: amount,
})

/** Discounts and surcharges of the document, one line for each. */
function adjustmentLines(totals: Cursor, round: (amount: number) => number): ReadLine[] {
  const discounts = totals.list('GeneralDiscounts', 'Discount').map((entry) => {
    const amount = -round(required(entry.number('DiscountAmount')))
    return asLine(untaxed(entry.text('DiscountReason') ?? 'Descuento', amount, undefined), entry.path, amount)
  })
  const charges = totals.list('GeneralSurcharges', 'Charge').map((entry) => {
    const amount = round(required(entry.number('ChargeAmount')))
    return asLine(untaxed(entry.text('ChargeReason') ?? 'Cargo', amount, undefined), entry.path, amount)
  })
  return [...discounts, ...charges].filter(({ gross }) => gross !== 0)
}

/** What each line has beyond the base that it states. */
function restOfLines(lines: readonly ReadLine[], round: (amount: number) => number): ReadLine[] {
  return lines.flatMap(({ line, path, gross, base }) => {
    const rest = round(addUp([gross, -base]))
    if (rest === 0) return []
    const description = `${line.item_description} (fuera de la base imponible)`
    return [asLine(untaxed(description, rest, line.tax_withheld_rate), path, rest)]
  })
}

/**
 * The lines that have to be added so that bases are what the document states. `bases` is their sum, `tolerance` in
 * ten-thousandths.
 */
export function outsideOfBase(
  totals: Cursor,
  lines: readonly ReadLine[],
  bases: number,
  tolerance: number,
  round: (amount: number) => number,
  report: ReadingReport,
): Outside {
  const missing = addUp([required(totals.number('TotalGrossAmountBeforeTaxes')), -bases])
  if (apart(missing, 0) <= tolerance) return NOTHING
  const candidates: Outside[] = [
    { lines: adjustmentLines(totals, round), adjustments: true },
    { lines: restOfLines(lines, round), adjustments: false },
  ]
  const found = candidates.find(
    ({ lines: added }) =>
      added.length > 0 && apart(addUp(added.map(({ gross }) => gross)), missing) <= tolerance,
  )
  if (!found) return NOTHING
  for (const { path, gross } of found.lines) report.warn('format.outside_of_base', path, { received: gross })
  return found
}

/** The lines as they are taxed: without what became a line of its own. */
export function withinBase(
  lines: readonly ReadLine[],
  { lines: added, adjustments }: Outside,
): readonly ReadLine[] {
  if (added.length === 0 || adjustments) return [...lines, ...added]
  const split = new Set(added.map(({ path }) => path))
  const inside = lines.map((read) => {
    if (!split.has(read.path)) return read
    const { discount_rate, discount_amount, charge_rate, charge_amount, ...line } = read.line
    const { base } = read
    // Most often only discounts and charges are outside, and quantity and price stay what they are.
    const whole = line.total_cost_without_tax === base
    const price = whole ? {} : { quantity: base < 0 ? -1 : 1, unit_price_without_tax: Math.abs(base) }
    const amounts = { total_cost_without_tax: base, gross_amount_without_tax: base }
    return { ...read, line: { ...line, ...price, ...amounts } as Line, gross: base }
  })
  return [...inside, ...added]
}
