/**
 * Reports received invoices to the SII. Only invoices with the status `received` are in the book of received invoices
 * (art. 63.3 RD 1624/1992).
 */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { removePaymentReporting } from '../sii/cash-basis/duty.ts'
import { isAccepted, isInSii, markForSii, removePendingRow, siiRecordRow } from '../sii/pending-records.ts'

const BOOK = 'RECEIVED'

type SiiRecord = NonNullable<Awaited<ReturnType<typeof siiRecordRow>>>

/** Returns A1 (modification) if the tax authority has or may have the invoice, otherwise A0 (registration). */
function operationAfter(record: SiiRecord | undefined): 'A0' | 'A1' {
  if (!record) return 'A0'
  if (isAccepted(record)) return 'A1'
  // The operation of a pending record does not change. The tax authority does not store a rejected record.
  if (record.status === 'pending') return record.operation_type === 'A0' ? 'A0' : 'A1'
  return record.status === 'rejected' ? 'A0' : 'A1'
}

const isAtAuthority = (record: SiiRecord): boolean => record.sending_id !== null || isAccepted(record)

/** Removes the pending record and the cash-basis row of an invoice that is deleted. */
export async function removePendingInSii(tx: Tx, invoiceId: string, stamp: string): Promise<void> {
  await removePendingRow(tx, { invoice_id: invoiceId, book_type: BOOK }, stamp)
  await removePaymentReporting(tx, invoiceId, BOOK)
}

/**
 * Marks an invoice to be reported if its status is `received`. An invoice whose status returns to `draft` is also
 * marked if the tax authority has it or may have it; it is sent once it is `received` again. Otherwise its pending
 * record is removed.
 */
export async function updatePendingInSii(
  tx: Tx,
  call: Call,
  row: InvoiceRow,
  data: CanonicalInvoice,
  stamp: string,
): Promise<void> {
  const record = await siiRecordRow(tx, row.invoice_id, BOOK)
  if (
    row.status === 'received' ? record || isInSii(call.company.data, data) : record && isAtAuthority(record)
  )
    await markForSii(tx, call, row, data, operationAfter(record), stamp)
  else if (record?.status === 'pending') await removePendingInSii(tx, row.invoice_id, stamp)
}
