/**
 * Compares a corrective invoice with the corrected invoice, if that is stored here, and with its other corrective
 * invoices. The result consists of warnings, which do not prevent saving: numbers may restart each year, so the stored
 * invoice may be a different one with the same number (art. 15 RD 1619/2012).
 */
import type { CanonicalInvoice, Extra, Locale, ValidationItem } from '#core/invoice/index.ts'
import { itemCollectorOf } from '#core/messages/index.ts'
import { toMinor, toNumber } from '#core/money/index.ts'
import { CORRECTION_WARNINGS } from '../../generated/texts/corrections.ts'
import { canonicalIn, documentOf, type InvoiceRow } from '../../store/invoices.ts'
import type { Rows } from '../../store/store.ts'
import { type CorrectiveRow, correctionsOf, correctiveRowOf, isCorrectedBy, NUMBERED } from './corrections.ts'
import { fullInvoiceReplacing } from './replaced-invoice.ts'
import { taxableBase, taxWithoutSurcharge } from './tax-amounts.ts'
import type { Validation } from './validate-sent.ts'

const CORRECTIVE = '/invoice/header/corrective'

/** Correction reason: discounts and rebates. */
const VOLUME_DISCOUNT = '20'

type Corrective = NonNullable<CanonicalInvoice['invoice']['header']['corrective']>
type Warn = (code: keyof typeof CORRECTION_WARNINGS, path: string, extra: Extra) => void

/** A corrective invoice that is being saved. Its row has an id if the invoice is already stored. */
interface Own {
  readonly data: CanonicalInvoice
  readonly block: Corrective
  readonly row: CorrectiveRow
}

/** Returns the invoices of the same issuer that have the number of the corrected invoice. */
async function named(db: Rows, { row }: Own): Promise<readonly InvoiceRow[]> {
  const found = await db
    .find('invoices', { number: row.corrected_number, direction: row.direction })
    .selectAll()
    .where('status', 'in', NUMBERED)
    .execute()
  return found.filter(
    (one) =>
      one.invoice_id !== row.invoice_id &&
      (one.direction === 'issued' || one.supplier_tax_id === row.supplier_tax_id),
  )
}

/**
 * Warns about an invoice that has the number of the corrected invoice, but another date or series. Numbers of invoices
 * issued here never restart. Elsewhere they may restart each year, so only invoices of the stated year are compared.
 */
function warnAboutOther({ block }: Own, found: readonly InvoiceRow[], warn: Warn): void {
  const { invoice_issue_date: date, invoice_series_code: series } = block
  const isOfYear = ({ issue_year, imported, direction }: InvoiceRow) =>
    date === undefined || issue_year === date.slice(0, 4) || (direction === 'issued' && imported === 0)
  const other = found.find(isOfYear)
  if (!other) return
  const { number } = other
  if (date !== undefined && date !== other.issue_date)
    warn('corrected_invoice_mismatch', `${CORRECTIVE}/invoice_issue_date`, {
      received: date,
      expected: other.issue_date,
      number,
    })
  else
    warn('corrected_invoice_mismatch', `${CORRECTIVE}/invoice_series_code`, {
      received: series ?? '',
      expected: other.series,
      number,
    })
}

/** Warns if the corrected amounts that a substitution states differ from the amounts of the corrected invoice. */
function compareAmounts({ block }: Own, original: CanonicalInvoice, warn: Warn): void {
  const { invoice_number: number } = block
  const { total_tax_outputs } = original.invoice.totals
  const compare = (field: 'corrected_taxable_base' | 'corrected_tax_amount', ...allowed: number[]) => {
    const received = block[field]
    const [expected] = allowed
    if (received !== undefined && !allowed.some((one) => toMinor(one) === toMinor(received)))
      warn('corrected_amounts_changed', `${CORRECTIVE}/${field}`, { received, expected, number })
  }
  compare('corrected_taxable_base', taxableBase(original))
  // The surcharge is a separate amount in the fiscal record, but part of the total tax of the invoice.
  compare('corrected_tax_amount', taxWithoutSurcharge(original), total_tax_outputs)
}

/** Warns if an invoice has a correction by substitution, or if corrections by differences exceed its amounts. */
async function compareCorrections(db: Rows, own: Own, original: InvoiceRow, warn: Warn): Promise<void> {
  const { data, block, row } = own
  const { number } = original
  const all = (await correctionsOf(db, [original])).get(original.invoice_id)?.corrected_by ?? []
  const others = all.filter(({ invoice_id }) => invoice_id !== row.invoice_id)
  const substitution = others.findLast(({ correction_type }) => correction_type === 'S')
  if (block.correction_type === 'S') {
    if (substitution)
      warn('corrected_invoice_substituted', `${CORRECTIVE}/invoice_number`, {
        by: substitution.number,
        number,
      })
    return
  }
  const totals = await totalsOf(
    db,
    others.map(({ invoice_id }) => invoice_id),
  )
  const whole = toMinor(substitution ? totals.get(substitution.invoice_id)! : original.total)
  const differences = others.filter(({ correction_type }) => correction_type !== 'S')
  const sum = differences.reduce(
    (so_far, { invoice_id }) => so_far + toMinor(totals.get(invoice_id)!),
    toMinor(data.invoice.totals.invoice_total),
  )
  // Each correction may differ by one cent because of rounding.
  const left = Math.sign(whole) * (whole + sum)
  if (left < -1 - differences.length)
    warn('corrected_amount_exceeded', '/invoice/totals/invoice_total', {
      received: toNumber(sum),
      expected: toNumber(whole),
      number,
    })
}

async function totalsOf(db: Rows, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select('invoices')
    .select(['invoice_id', 'total'])
    .where('invoice_id', 'in', ids)
    .execute()
  return new Map(rows.map(({ invoice_id, total }) => [invoice_id, total]))
}

async function compareWith(db: Rows, own: Own, original: InvoiceRow, warn: Warn): Promise<void> {
  const { number } = original
  const { header } = own.data.invoice
  const canonical = canonicalIn(await documentOf(db, original.invoice_id))
  const expected = canonical.invoice.header.is_simplified ? '04' : '03'
  const received = header.invoice_type_code
  if (received !== expected)
    warn('corrective_type_wrong', '/invoice/header/invoice_type_code', { received, expected, number })
  if (original.status === 'cancelled')
    warn('corrected_invoice_cancelled', `${CORRECTIVE}/invoice_number`, { number })
  const exchange = await fullInvoiceReplacing(db, original.invoice_id)
  if (exchange)
    warn('corrected_invoice_exchanged', `${CORRECTIVE}/invoice_number`, { by: exchange.row.number, number })
  // A volume discount corrects all invoices of a period and states the number of the last one (art. 15.4).
  if (own.block.reason_code === VOLUME_DISCOUNT && own.block.tax_period) return
  if (own.block.correction_type === 'S') compareAmounts(own, canonical, warn)
  await compareCorrections(db, own, original, warn)
}

/** Returns the warnings about the corrected invoice. `invoiceId` is the id of the corrective invoice, if stored. */
export async function correctionWarnings(
  db: Rows,
  locale: Locale,
  data: CanonicalInvoice,
  invoiceId?: string,
): Promise<readonly ValidationItem[]> {
  const row = correctiveRowOf(data, invoiceId)
  const { corrective: block } = data.invoice.header
  if (row.corrected_number === null || !block) return []
  const own: Own = { data, block, row }
  const { warnings, warn } = itemCollectorOf(CORRECTION_WARNINGS, locale)
  const found = await named(db, own)
  const matching = found.filter((one) => isCorrectedBy(one, own.row, block))
  const [original, ambiguous] = matching
  if (!original) warnAboutOther(own, found, warn)
  else if (!ambiguous) await compareWith(db, own, original, warn)
  return warnings
}

/** Adds the warnings of `correctionWarnings` to a validation. */
export async function withCorrectionWarnings<V extends Validation>(
  db: Rows,
  locale: Locale,
  validation: V,
  invoiceId?: string,
): Promise<V> {
  const { data, errors } = validation
  if (!data) return validation
  return { ...validation, errors: [...errors, ...(await correctionWarnings(db, locale, data, invoiceId))] }
}
