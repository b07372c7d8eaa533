/** Deletes imported invoices. Invoices issued here can only be cancelled (API specification, "Additional rules"). */
import { ApiError } from '../../errors/api-error.ts'
import { type InvoiceRow, isIssuedKind } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { deleteInvoiceWithFiles } from '../attachments/attached-documents.ts'
import { actionOf } from '../invoice/events.ts'
import { lockReasonsOf, preventFiling } from '../invoice/filed-returns.ts'
import { detachInvoiceFromNumber } from '../invoice/numbering.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { removePaymentReporting } from '../sii/cash-basis/duty.ts'
import { cancelPayments } from '../sii/cash-basis/payments.ts'
import { isAcceptedBySii, removePendingRow } from '../sii/pending-records.ts'

async function reasonsAgainst(tx: Tx, row: InvoiceRow): Promise<readonly string[]> {
  if (row.status === 'draft' || row.status === 'queued') return [row.status]
  if (row.imported !== 1) return ['not_imported']
  const filed = await lockReasonsOf(tx, row)
  // An import is reported to the SII only when it is cancelled. Its record then stays in the book.
  return (await isAcceptedBySii(tx, row.invoice_id, 'ISSUED')) ? [...filed, 'accepted_by_sii'] : filed
}

/** Deletes an imported invoice and its attachments. Afterwards, only an import can use its number. */
export async function removeImported(tx: Tx, call: Call, invoiceId: string): Promise<void> {
  await preventFiling(tx)
  const row = await requireLocked(tx, invoiceId, isIssuedKind)
  const reasons = await reasonsAgainst(tx, row)
  if (reasons.length > 0) throw new ApiError('invoice_delete_not_allowed', { reasons })
  const who = actionOf(call)
  await cancelPayments(tx, 'ISSUED', invoiceId, who.stamp)
  await removePaymentReporting(tx, invoiceId, 'ISSUED')
  await removePendingRow(tx, { invoice_id: invoiceId, book_type: 'ISSUED' }, who.stamp)
  if (row.number !== null) await detachInvoiceFromNumber(tx, row.number)
  await deleteInvoiceWithFiles(tx, call, who, row, { series: row.series, number: row.number })
}
