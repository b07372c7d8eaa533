/**
 * Amounts outside the taxable bases of the document. In the canonical invoice, lines and document-level discounts and
 * surcharges are always part of a base. So an amount that the issuer did not tax becomes a separate line that is not
 * subject to tax.
 */
import { required } from '#core/errors/index.ts'
import { NON_TAXABLE } from '#core/invoice/terms.ts'
import type { ReadingReport } from '../model/index.ts'
import { addUp, distance } from './facturae-amounts.ts'
import { type Cursor, optional } from './facturae-cursor.ts'
import type { Line, ReadLine } from './read-facturae-lines.ts'

/** Returns a line for an untaxed amount. The quantity has the sign of the amount. */
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

export interface OutsideAmounts {
  readonly lines: readonly ReadLine[]
  /** Whether document-level discounts and surcharges became lines. */
  readonly adjustments: boolean
}

const NOTHING: OutsideAmounts = { lines: [], adjustments: false }

const asLine = (line: Line, path: string, amount: number): ReadLine => ({
  line,
  path,
  rate: 0,
  gross: amount,
  base: amount,
})

/** Returns a line for each document-level discount and surcharge. */
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

/** Returns a line with the untaxed amount for each line whose amount differs from its stated base. */
function restOfLines(lines: readonly ReadLine[], round: (amount: number) => number): ReadLine[] {
  return lines.flatMap(({ line, path, gross, base }) => {
    const rest = round(addUp([gross, -base]))
    if (rest === 0) return []
    const description = `${line.item_description} (fuera de la base imponible)`
    return [asLine(untaxed(description, rest, line.tax_withheld_rate), path, rest)]
  })
}

/**
 * Returns the lines to add so that the bases match the breakdown. `bases` is the stated sum of bases; `tolerance` is in
 * ten-thousandths.
 */
export function linesOutsideBase(
  totals: Cursor,
  lines: readonly ReadLine[],
  bases: number,
  tolerance: number,
  round: (amount: number) => number,
  report: ReadingReport,
): OutsideAmounts {
  const missing = addUp([required(totals.number('TotalGrossAmountBeforeTaxes')), -bases])
  if (distance(missing, 0) <= tolerance) return NOTHING
  const candidates: OutsideAmounts[] = [
    { lines: adjustmentLines(totals, round), adjustments: true },
    { lines: restOfLines(lines, round), adjustments: false },
  ]
  const found = candidates.find(
    ({ lines: added }) =>
      added.length > 0 && distance(addUp(added.map(({ gross }) => gross)), missing) <= tolerance,
  )
  if (!found) return NOTHING
  for (const { path, gross } of found.lines) report.warn('format.outside_of_base', path, { received: gross })
  return found
}

/** Returns all lines and the added lines. Amounts that became separate lines are removed from the original lines. */
export function linesWithinBase(
  lines: readonly ReadLine[],
  { lines: added, adjustments }: OutsideAmounts,
): readonly ReadLine[] {
  if (added.length === 0 || adjustments) return [...lines, ...added]
  const split = new Set(added.map(({ path }) => path))
  const inside = lines.map((read) => {
    if (!split.has(read.path)) return read
    const { discount_rate, discount_amount, charge_rate, charge_amount, ...line } = read.line
    const { base } = read
    // Quantity and price are kept if only discounts and charges are outside the base.
    const whole = line.total_cost_without_tax === base
    const price = whole ? {} : { quantity: base < 0 ? -1 : 1, unit_price_without_tax: Math.abs(base) }
    const amounts = { total_cost_without_tax: base, gross_amount_without_tax: base }
    return { ...read, line: { ...line, ...price, ...amounts } as Line, gross: base }
  })
  return [...inside, ...added]
}
