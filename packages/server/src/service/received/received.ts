/**
 * Received invoices. Supplier, number and year identify an invoice. Errors do not prevent saving: an invoice with
 * errors has the status `draft` (pending review), any other has `received` (API specification, "Received invoices").
 */
import { randomUUID } from 'node:crypto'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { SavedValidateResult, SaveResult } from '../../shapes/schemas.ts'
import {
  canonicalIn,
  documentToValidate,
  type InvoiceRow,
  isReceivedKind,
  lockInvoice,
  type StoredDocument,
} from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import type { Call } from '../access/call.ts'
import { deleteInvoiceWithFiles } from '../attachments/attached-documents.ts'
import { withCorrectionWarnings } from '../invoice/correction-warnings.ts'
import { actionOf } from '../invoice/events.ts'
import { lockReasonsOf, preventFiling, requireNotFiled } from '../invoice/filed-returns.ts'
import { numberedColumns } from '../invoice/invoice-columns.ts'
import { updateRefused } from '../invoice/refusals.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { insertValidated, updateValidated, updateValidationResult } from '../invoice/save-invoice.ts'
import type { Validated, Validation } from '../invoice/validate-sent.ts'
import { requireMatchingEtag } from '../invoice/version.ts'
import { withPaymentWarnings } from '../sii/cash-basis/payment-warnings.ts'
import { cancelPayments } from '../sii/cash-basis/payments.ts'
import { isAcceptedBySii } from '../sii/pending-records.ts'
import { removePendingInSii, updatePendingInSii } from './received-sii.ts'
import { asReceived, receivedAsStored, validateReceived, validateSaved } from './validate-received.ts'

const receivedColumns = (data: CanonicalInvoice) => numberedColumns(data, 'received')

/** Locks and returns the invoice that a document updates; undefined if the document is new. */
async function invoiceToUpdate(
  tx: Tx,
  { supplier_tax_id, number, issue_year }: ReturnType<typeof receivedColumns>,
  invoiceId: string | undefined,
): Promise<InvoiceRow | undefined> {
  const named = invoiceId === undefined ? undefined : await lockInvoice(tx, invoiceId)
  if (invoiceId !== undefined && !named) throw new ApiError('invoice_not_found')
  if (named && !isReceivedKind(named)) throw updateRefused('issued')
  const same = await tx
    .lock('invoices', { direction: 'received', supplier_tax_id, number, issue_year })
    .selectAll()
    .executeTakeFirst()
  if (named && same && named.invoice_id !== same.invoice_id)
    throw updateRefused('other_identity', same.invoice_id)
  return named ?? same
}

/** Whether a filed return includes the invoice. */
const isInReturn = async (tx: Tx, row: InvoiceRow): Promise<boolean> =>
  (await lockReasonsOf(tx, row)).length > 0

const statusOf = (is_valid: boolean) => (is_valid ? 'received' : 'draft')

/** Stores a validation of an existing invoice. Without `sent`, the stored document is kept. */
async function rewrite(
  tx: Tx,
  call: Call,
  row: InvoiceRow,
  stored: StoredDocument,
  validation: Validated,
  sent?: unknown,
): Promise<InvoiceRow> {
  const { data, is_valid } = validation
  await requireNotFiled(tx, row, data)
  const who = actionOf(call)
  // An invoice in a filed return stays in the books, even if its non-fiscal data has errors.
  const status = (await isInReturn(tx, row)) ? 'received' : statusOf(is_valid)
  const columns = { ...receivedColumns(data), status } as const
  const after =
    sent === undefined
      ? await updateValidationResult(tx, who, row, stored, columns, validation)
      : await updateValidated(tx, who, 'updated', row, columns, { validation, sent })
  // If nothing changed, there is nothing new to report to the SII.
  if (
    after.status !== row.status ||
    JSON.stringify(canonicalIn(stored).invoice) !== JSON.stringify(data.invoice)
  )
    await updatePendingInSii(tx, call, after, data, who.stamp)
  return after
}

/** Adds the warnings about the invoice that a stored invoice corrects, and about the payments of the stored invoice. */
const withWarnings = async <V extends Validation>(
  tx: Tx,
  { locale }: Call,
  validation: V,
  invoiceId: string,
): Promise<V> =>
  withPaymentWarnings(tx, locale, await withCorrectionWarnings(tx, locale, validation, invoiceId), invoiceId)

/** `PUT /received-invoices`: registers an invoice, or updates the invoice with the same identity or id. */
export async function saveReceived(
  tx: Tx,
  call: Call,
  sent: unknown,
  validated: Validated,
  invoiceId: string | undefined,
): Promise<SaveResult> {
  const document = asReceived(sent)
  await preventFiling(tx)
  const row = await invoiceToUpdate(tx, receivedColumns(validated.data), invoiceId)
  await requireMatchingEtag(tx, call, row?.invoice_id)
  if (row) {
    const stored = await documentToValidate(tx, row.invoice_id)
    const canonical = canonicalIn(stored)
    const validation = await withWarnings(
      tx,
      call,
      await validateReceived(tx, call, document, (one) => receivedAsStored(one, canonical)),
      row.invoice_id,
    )
    await rewrite(tx, call, row, stored, validation, sent)
    return { success: validation.is_valid, id: row.invoice_id, errors: validation.errors }
  }
  const validation = await withCorrectionWarnings(tx, call.locale, validated)
  const { data, errors, is_valid } = validation
  const who = actionOf(call)
  const placed = {
    invoice_id: randomUUID(),
    direction: 'received',
    status: statusOf(is_valid),
    imported: 0,
    ...receivedColumns(data),
  } as const
  const fresh = await insertValidated(tx, who, 'received', placed, { validation, sent })
  if (is_valid) await updatePendingInSii(tx, call, fresh, data, who.stamp)
  return { success: is_valid, id: fresh.invoice_id, errors }
}

/** Validates a saved invoice as of today, stores the result, and sets its status accordingly. */
export async function revalidateReceived(
  tx: Tx,
  call: Call,
  invoiceId: string,
): Promise<SavedValidateResult> {
  await preventFiling(tx)
  const row = await requireLocked(tx, invoiceId, isReceivedKind)
  await requireMatchingEtag(tx, call, row.invoice_id)
  const document = await documentToValidate(tx, invoiceId)
  const canonical = canonicalIn(document)
  const { data, errors, is_valid } = await withWarnings(
    tx,
    call,
    validateSaved(call, fromJson(document.sent), canonical),
    invoiceId,
  )
  // The document of an invoice in a filed return is validated, but its amounts are not recalculated.
  const kept = data === null || (await isInReturn(tx, row)) ? canonical : data
  const after = await rewrite(tx, call, row, document, { data: kept, errors, is_valid })
  return { id: invoiceId, is_valid, status: after.status, errors }
}

export async function deleteReceived(tx: Tx, call: Call, invoiceId: string): Promise<void> {
  await preventFiling(tx)
  const row = await requireLocked(tx, invoiceId, isReceivedKind)
  await requireMatchingEtag(tx, call, row.invoice_id)
  const filed = await lockReasonsOf(tx, row)
  const reasons = (await isAcceptedBySii(tx, invoiceId, 'RECEIVED')) ? [...filed, 'accepted_by_sii'] : filed
  if (reasons.length > 0) throw new ApiError('invoice_delete_not_allowed', { reasons })
  const who = actionOf(call)
  await cancelPayments(tx, 'RECEIVED', invoiceId, who.stamp)
  await removePendingInSii(tx, invoiceId, who.stamp)
  await deleteInvoiceWithFiles(tx, call, who, row)
}
