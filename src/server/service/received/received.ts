/**
 * Received invoices: one for each supplier, number and year. Validation does not block: an invoice with errors is
 * `draft`, pending review, and any other is `received` (specification, "Received invoices").
 */
import { randomUUID } from 'node:crypto'
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { SavedValidateResult, SaveResult } from '../../shapes/schemas.ts'
import {
  deleteInvoice,
  type InvoiceRow,
  insertInvoice,
  isReceivedKind,
  updateInvoice,
} from '../../store/invoices.ts'
import { toJson } from '../../store/json.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { removeDocumentsOf } from '../attachments/documents.ts'
import { acting, addEvent, type EventCode } from '../invoice/events.ts'
import { holdReturns } from '../invoice/filed-returns.ts'
import type { Judged } from '../invoice/judge.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { requireVersionOf } from '../invoice/version.ts'
import { cancelPayments } from '../sii/cash-basis/payments.ts'
import { isInReturn, reasonsToKeep, requireUnlocked } from './locks.ts'
import { canonicalOf, invoiceToUpdate, receivedColumns } from './rows.ts'
import { forgetInSii, settleSii } from './sii.ts'
import { asReceived, judgeReceived, judgeSaved, withReceiptDate } from './verdict.ts'

const statusOf = (is_valid: boolean) => (is_valid ? 'received' : 'draft')

/** Writes a verdict over an invoice. `sent` is left as it was where it is not given. */
async function rewrite(
  tx: Tx,
  call: Call,
  row: InvoiceRow,
  before: CanonicalInvoice,
  verdict: Judged,
  event: { readonly code: EventCode; readonly sent?: unknown; readonly details?: Record<string, unknown> },
): Promise<InvoiceRow> {
  const { data, errors, is_valid } = verdict
  await requireUnlocked(tx, row, before, data)
  const who = acting(call)
  const after = await updateInvoice(
    tx,
    row,
    {
      ...receivedColumns(data),
      // What was declared stays in the books, whatever is wrong with its other data.
      status: (await isInReturn(tx, row)) ? 'received' : statusOf(is_valid),
      has_errors: is_valid ? 0 : 1,
      updated_at: who.stamp,
    },
    {
      ...('sent' in event ? { sent: toJson(event.sent) } : {}),
      canonical: toJson(data),
      errors: toJson(errors),
    },
  )
  // The same document again changes nothing that the agency would have to be told.
  if (after.status !== row.status || JSON.stringify(before.invoice) !== JSON.stringify(data.invoice))
    await settleSii(tx, call, after, data, who.stamp)
  const { code, details } = event
  await addEvent(tx, who, row.invoice_id, {
    code,
    from: row.status,
    to: after.status,
    ...(details ? { details } : {}),
  })
  return after
}

/** `PUT /received-invoices`: registers an invoice, or updates the one with its identity or id. */
export async function saveReceived(
  tx: Tx,
  call: Call,
  sent: unknown,
  judged: Judged,
  invoiceId: string | undefined,
): Promise<SaveResult> {
  const document = asReceived(sent)
  await holdReturns(tx)
  const row = await invoiceToUpdate(tx, receivedColumns(judged.data), invoiceId)
  requireVersionOf(call, row)
  if (row) {
    const { canonical } = await canonicalOf(tx, row)
    const complete = withReceiptDate(document, canonical.invoice.issue_data.receipt_date)
    const verdict = complete === document ? judged : await judgeReceived(tx, call, complete)
    await rewrite(tx, call, row, canonical, verdict, { code: 'updated', sent })
    return { success: verdict.is_valid, id: row.invoice_id, errors: verdict.errors }
  }
  const { data, errors, is_valid } = judged
  const who = acting(call)
  const fresh: InvoiceRow = {
    invoice_id: randomUUID(),
    direction: 'received',
    status: statusOf(is_valid),
    imported: 0,
    ...receivedColumns(data),
    has_errors: is_valid ? 0 : 1,
    created_at: who.stamp,
    updated_at: who.stamp,
  }
  await insertInvoice(tx, fresh, {
    sent: toJson(sent),
    canonical: toJson(data),
    errors: toJson(errors),
  })
  if (is_valid) await settleSii(tx, call, fresh, data, who.stamp)
  await addEvent(tx, who, fresh.invoice_id, { code: 'received', from: null, to: fresh.status })
  return { success: is_valid, id: fresh.invoice_id, errors }
}

/** Judges a saved invoice as of today, and keeps the result; its status follows. */
export async function revalidateReceived(
  tx: Tx,
  call: Call,
  invoiceId: string,
): Promise<SavedValidateResult> {
  await holdReturns(tx)
  const row = await requireLocked(tx, invoiceId, isReceivedKind)
  const { sent, canonical } = await canonicalOf(tx, row)
  const { data, errors, is_valid } = judgeSaved(call, sent, canonical)
  // A declared document is judged but not computed anew: what was declared stays.
  const kept = data === null || (await isInReturn(tx, row)) ? canonical : data
  const after = await rewrite(
    tx,
    call,
    row,
    canonical,
    { data: kept, errors, is_valid },
    { code: 'validated', details: { is_valid } },
  )
  return { id: invoiceId, is_valid, status: after.status, errors }
}

export async function deleteReceived(tx: Tx, call: Call, invoiceId: string): Promise<void> {
  await holdReturns(tx)
  const row = await requireLocked(tx, invoiceId, isReceivedKind)
  requireVersionOf(call, row)
  const reasons = await reasonsToKeep(tx, row)
  if (reasons.length > 0) throw new ApiError('invoice_delete_not_allowed', { reasons })
  await removeDocumentsOf(tx, call, invoiceId)
  const { stamp } = acting(call)
  await cancelPayments(tx, 'RECEIVED', invoiceId, stamp)
  await forgetInSii(tx, invoiceId, stamp)
  await deleteInvoice(tx, row)
  await addEvent(tx, acting(call), invoiceId, { code: 'deleted', from: row.status, to: null })
}
