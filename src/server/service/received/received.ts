/**
 * Received invoices, identified by supplier, number and year. Errors do not prevent saving: an invoice with errors has
 * the status `draft` (pending review), any other has `received` (API specification, "Received invoices").
 */
import { randomUUID } from 'node:crypto'
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { SavedValidateResult, SaveResult } from '../../shapes/schemas.ts'
import {
  canonicalIn,
  documentToValidate,
  type InvoiceRow,
  isReceivedKind,
  lockInvoice,
} from '../../store/invoices.ts'
import { fromJson } from '../../store/json.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { removeInvoice } from '../attachments/documents.ts'
import { numberedColumns } from '../invoice/columns.ts'
import { withCorrectionWarnings } from '../invoice/correction-warnings.ts'
import { actionOf, type EventCode } from '../invoice/events.ts'
import { holdReturns, requireUnlocked, returnsCovering } from '../invoice/filed-returns.ts'
import { updateRefused } from '../invoice/refusals.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { insertValidated, updateValidated, type Written } from '../invoice/save.ts'
import type { Validated } from '../invoice/validate.ts'
import { requireVersionOf } from '../invoice/version.ts'
import { cancelPayments } from '../sii/cash-basis/payments.ts'
import { forgetInSii, isAcceptedBySii, settleSii } from './sii.ts'
import { asReceived, receivedAsStored, validateReceived, validateSaved } from './validate.ts'

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
    .lock('invoices')
    .selectAll()
    .where('direction', '=', 'received')
    .where('supplier_tax_id', '=', supplier_tax_id)
    .where('number', '=', number)
    .where('issue_year', '=', issue_year)
    .executeTakeFirst()
  if (named && same && named.invoice_id !== same.invoice_id)
    throw updateRefused('other_identity', same.invoice_id)
  return named ?? same
}

/** Whether a filed return has declared the invoice. */
const isInReturn = async (tx: Tx, row: InvoiceRow): Promise<boolean> =>
  (await returnsCovering(tx, row)).length > 0

const statusOf = (is_valid: boolean) => (is_valid ? 'received' : 'draft')

/** Stores a validation of an existing invoice. Without `sent`, the stored document is kept. */
async function rewrite(
  tx: Tx,
  call: Call,
  code: EventCode,
  row: InvoiceRow,
  before: CanonicalInvoice,
  written: Written<Validated>,
): Promise<InvoiceRow> {
  const { data, is_valid } = written.validation
  await requireUnlocked(tx, row, data)
  const who = actionOf(call)
  // A declared invoice stays in the books, even if its non-fiscal data has errors.
  const status = (await isInReturn(tx, row)) ? 'received' : statusOf(is_valid)
  const columns = { ...receivedColumns(data), status } as const
  const after = await updateValidated(tx, who, code, row, columns, written)
  // If nothing changed, there is nothing new to report to the SII.
  if (after.status !== row.status || JSON.stringify(before.invoice) !== JSON.stringify(data.invoice))
    await settleSii(tx, call, after, data, who.stamp)
  return after
}

/** `PUT /received-invoices`: registers an invoice, or updates the one with its identity or id. */
export async function saveReceived(
  tx: Tx,
  call: Call,
  sent: unknown,
  validated: Validated,
  invoiceId: string | undefined,
): Promise<SaveResult> {
  const document = asReceived(sent)
  await holdReturns(tx)
  const row = await invoiceToUpdate(tx, receivedColumns(validated.data), invoiceId)
  requireVersionOf(call, row)
  if (row) {
    const canonical = canonicalIn(await documentToValidate(tx, row.invoice_id))
    const validation = await withCorrectionWarnings(
      tx,
      call.locale,
      await validateReceived(tx, call, document, (one) => receivedAsStored(one, canonical)),
      row.invoice_id,
    )
    await rewrite(tx, call, 'updated', row, canonical, { validation, sent })
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
  if (is_valid) await settleSii(tx, call, fresh, data, who.stamp)
  return { success: is_valid, id: fresh.invoice_id, errors }
}

/** Validates a saved invoice as of today, stores the result, and sets its status accordingly. */
export async function revalidateReceived(
  tx: Tx,
  call: Call,
  invoiceId: string,
): Promise<SavedValidateResult> {
  await holdReturns(tx)
  const row = await requireLocked(tx, invoiceId, isReceivedKind)
  const document = await documentToValidate(tx, invoiceId)
  const canonical = canonicalIn(document)
  const { data, errors, is_valid } = await withCorrectionWarnings(
    tx,
    call.locale,
    validateSaved(call, fromJson(document.sent), canonical),
    invoiceId,
  )
  // A declared document is validated, but its declared amounts are kept and not recalculated.
  const kept = data === null || (await isInReturn(tx, row)) ? canonical : data
  const written = { validation: { data: kept, errors, is_valid }, details: { is_valid } }
  const after = await rewrite(tx, call, 'validated', row, canonical, written)
  return { id: invoiceId, is_valid, status: after.status, errors }
}

export async function deleteReceived(tx: Tx, call: Call, invoiceId: string): Promise<void> {
  await holdReturns(tx)
  const row = await requireLocked(tx, invoiceId, isReceivedKind)
  requireVersionOf(call, row)
  const filed = await returnsCovering(tx, row)
  const reasons = (await isAcceptedBySii(tx, invoiceId)) ? [...filed, 'accepted_by_sii'] : filed
  if (reasons.length > 0) throw new ApiError('invoice_delete_not_allowed', { reasons })
  const who = actionOf(call)
  await cancelPayments(tx, 'RECEIVED', invoiceId, who.stamp)
  await forgetInSii(tx, invoiceId, who.stamp)
  await removeInvoice(tx, call, who, row)
}
