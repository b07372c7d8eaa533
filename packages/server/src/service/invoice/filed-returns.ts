/**
 * Filed tax returns. The fiscal data of an invoice in a filed return must not change. Mistakes are corrected with a
 * corrective invoice or a complementary return (art. 122 Ley 58/2003, art. 89 Ley 37/1992).
 */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import { documentOf, type InvoiceRow } from '../../store/invoices.ts'
import type { Rows, Tx } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import { differences, fiscalDataOf, shortenPointers } from './fiscal-data.ts'
import { numberedColumns } from './invoice-columns.ts'

export interface Period {
  readonly period: string
  readonly first_day: string
  readonly last_day: string
}

const PERIOD = /^([1-9]\d{3})-(?:Q([1-4])|(0[1-9]|1[0-2]))$/

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Parses a quarter or a month. Throws a `RangeError` that states the expected format. */
export function parseFilingPeriod(text: string): Period {
  const [, year, quarter, month] = PERIOD.exec(text) ?? []
  if (year === undefined)
    throw new RangeError(
      `"${text.slice(0, 40)}" is not a filing period. Write a quarter as 2026-Q3 or a month as 2026-09`,
    )
  const last = quarter === undefined ? Number(month) : Number(quarter) * 3
  const first = quarter === undefined ? last : last - 2
  // In `Date.UTC`, day 0 of the next month is the last day of the month.
  const days = new Date(Date.UTC(Number(year), last, 0)).getUTCDate()
  return {
    period: text,
    first_day: `${year}-${twoDigits(first)}-01`,
    last_day: `${year}-${twoDigits(last)}-${days}`,
  }
}

/**
 * Prevents returns from being filed until the end of the transaction. Call it before `lockReasonsOf`, so that no
 * return is filed between the check and the commit. The lock is shared, so writers of invoices do not wait for each
 * other.
 */
export async function preventFiling(tx: Tx): Promise<void> {
  if (tx.locks) await tx.select('companies').select('tax_id').forKeyShare().execute()
}

/** Marks a return as filed, which locks the invoices of its period. Does nothing if it is already marked. */
export async function fileReturn(tx: Tx, period: string, stamp: string): Promise<Period> {
  const filed = parseFilingPeriod(period)
  await tx.lock('companies').select('tax_id').execute()
  await tx.insertNew('filed_returns', { ...filed, filed_at: stamp })
  return filed
}

/** Removes the mark of a filed return. Returns false if there was none. */
export async function removeFiledReturn(tx: Tx, period: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .delete('filed_returns', { period: parseFilingPeriod(period).period })
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the filed returns that overlap a period. */
export async function overlappingReturns(
  tx: Tx,
  { first_day, last_day }: Period,
): Promise<readonly Period[]> {
  return tx
    .select('filed_returns')
    .select(['period', 'first_day', 'last_day'])
    .where('first_day', '<=', last_day)
    .where('last_day', '>=', first_day)
    .orderBy('period')
    .execute()
}

/**
 * Returns the reasons why an invoice is locked, such as `filed_return:2026-Q3`; an empty list if it is not locked. A
 * received invoice that is pending review is not part of any return, so it can still be completed or deleted.
 */
export async function lockReasonsOf(
  db: Rows,
  { direction, status, fiscal_date: fiscalDate }: Pick<InvoiceRow, 'direction' | 'status' | 'fiscal_date'>,
): Promise<readonly string[]> {
  if (fiscalDate === null || (direction === 'received' && status !== 'received')) return []
  const rows = await db
    .select('filed_returns')
    .select('period')
    .where('first_day', '<=', fiscalDate)
    .where('last_day', '>=', fiscalDate)
    .orderBy('period')
    .execute()
  return rows.map(({ period }) => `filed_return:${period}`)
}

/** Returns JSON pointers to the fiscal fields that differ or, if there are many, to the blocks that contain them. */
export const changedFiscalFields = (before: CanonicalInvoice, after: CanonicalInvoice): readonly string[] =>
  shortenPointers(differences(fiscalDataOf(before), fiscalDataOf(after)))

/** Throws if fiscal fields change and a filed return covers the invoice, either before or after the change. */
export async function requireNotFiled(tx: Tx, row: InvoiceRow, after: CanonicalInvoice): Promise<void> {
  const { direction, invoice_id } = row
  const { fiscal_date } = numberedColumns(after, direction)
  const moved = await lockReasonsOf(tx, { ...row, fiscal_date })
  const reasons = [...new Set([...(await lockReasonsOf(tx, row)), ...moved])]
  if (reasons.length === 0) return
  const before = fromJson((await documentOf(tx, invoice_id)).canonical)
  const locked_fields_changed = before ? changedFiscalFields(before, after) : ['/invoice']
  if (locked_fields_changed.length > 0)
    throw new ApiError(`${direction}_invoice_fiscally_locked`, { reasons, locked_fields_changed })
}
