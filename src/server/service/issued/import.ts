/**
 * Import of invoices that were issued elsewhere. Validation does not block: what is wrong is told and saved. There is
 * no fiscal record and nothing to tell the SII: whoever issued the invoice has done both (specification, "Import request").
 */
import { randomUUID } from 'node:crypto'
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { SaveResult } from '../../shapes/schemas.ts'
import {
  documentOf,
  type InvoiceRow,
  insertInvoice,
  lockInvoice,
  updateInvoice,
} from '../../store/invoices.ts'
import { fromJson, toJson } from '../../store/json.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { numberedColumns } from '../invoice/columns.ts'
import { acting, addEvent } from '../invoice/events.ts'
import { holdReturns, lockedFieldsChanged, returnsCovering } from '../invoice/filed-returns.ts'
import { type Judged, judgeSent, requireStorable } from '../invoice/judge.ts'
import { holderOf, holdImported, lockSeries } from '../invoice/numbering.ts'
import { raced, updateRefused } from '../invoice/refusals.ts'
import { isInForce } from '../invoice/statuses.ts'
import { idByReference } from './drafts.ts'

/** Judges a document as an import of this company. Throws what keeps it from being saved. */
export const judgeImport = async (call: Call, document: unknown): Promise<Judged> =>
  requireStorable(await judgeSent(call, document, 'import', { totals: 'check' }))

/** Throws where an invoice may not be replaced by an import of its number (specification, "Import request"). */
function requireReplaceable(row: InvoiceRow, seriesCode: string): void {
  if (row.imported !== 1) throw updateRefused('issued_here', row.invoice_id)
  if (!isInForce(row.status)) throw updateRefused('cancelled', row.invoice_id)
  if (row.series !== seriesCode) throw updateRefused('other_series', row.invoice_id)
}

/** Throws where a filed return has declared what would change, or would have had to declare what moves into it. */
async function requireUnlocked(tx: Tx, row: InvoiceRow, after: CanonicalInvoice): Promise<void> {
  const covering = (day: string | null) => returnsCovering(tx, day)
  const { fiscal_date } = numberedColumns(after, 'issued')
  const reasons = [...new Set([...(await covering(row.fiscal_date)), ...(await covering(fiscal_date))])]
  if (reasons.length === 0) return
  const { canonical } = await documentOf(tx, row.invoice_id)
  const before = fromJson(canonical)
  const locked_fields_changed = before ? lockedFieldsChanged(before, after) : ['/invoice']
  if (locked_fields_changed.length > 0)
    throw new ApiError('issued_invoice_fiscally_locked', { reasons, locked_fields_changed })
}

/** The imported invoice that a number stands for, locked; undefined: a new one. Throws who else holds what it needs. */
async function invoiceToReplace(
  tx: Tx,
  number: string,
  seriesCode: string,
  externalRef: string | null,
): Promise<InvoiceRow | undefined> {
  const holder = await holderOf(tx, number)
  const row = holder?.invoice_id ? await lockInvoice(tx, holder.invoice_id) : undefined
  if (holder?.invoice_id && row?.number !== number) throw raced()
  if (row) requireReplaceable(row, seriesCode)
  const referred = await idByReference(tx, externalRef)
  if (referred !== undefined && referred !== row?.invoice_id) {
    // Since the holder was looked for, the same import may have been done by another request.
    if (!row && (await holderOf(tx, number))?.invoice_id === referred) throw raced()
    throw updateRefused('other_ref', referred)
  }
  return row
}

/** Writes a judged import: over the imported invoice with its number, or as a new one. */
export async function importInvoice(
  tx: Tx,
  call: Call,
  sent: unknown,
  { data, errors, is_valid, canonical = toJson(data) }: Judged,
  details: Readonly<Record<string, unknown>> = {},
): Promise<SaveResult> {
  const who = acting(call)
  const columns = numberedColumns(data, 'issued')
  const number = columns.number ?? ''
  const seriesCode = columns.series ?? ''
  await holdReturns(tx)
  const row = await invoiceToReplace(tx, number, seriesCode, columns.external_ref)
  const series = await lockSeries(tx, seriesCode, who.stamp)
  const document = {
    sent: toJson(sent),
    canonical,
    errors: toJson(errors),
  }
  const has_errors = is_valid ? 0 : 1
  const told = { issue_date: columns.issue_date, series: seriesCode, number, ...details }
  if (row) {
    await requireUnlocked(tx, row, data)
    await updateInvoice(tx, row, { ...columns, has_errors, updated_at: who.stamp }, document)
    await addEvent(tx, who, row.invoice_id, {
      code: 'updated',
      from: row.status,
      to: row.status,
      details: told,
    })
    return { success: true, id: row.invoice_id, errors }
  }
  // Until the series was locked, another request may have taken the number.
  if (tx.locks && (await holderOf(tx, number))?.invoice_id) throw raced()
  const invoice_id = randomUUID()
  await holdImported(tx, series, number, invoice_id, columns.issue_date ?? '')
  await insertInvoice(
    tx,
    {
      invoice_id,
      direction: 'issued',
      status: 'issued',
      imported: 1,
      ...columns,
      has_errors,
      created_at: who.stamp,
      updated_at: who.stamp,
    },
    document,
  )
  await addEvent(tx, who, invoice_id, { code: 'imported', from: null, to: 'issued', details: told })
  return { success: true, id: invoice_id, errors }
}
