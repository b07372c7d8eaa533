/**
 * Reports received invoices to the SII. Only invoices with the status `received` are in its book (art. 63.3 RD
 * 1624/1992).
 */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { removeCashBasis } from '../sii/cash-basis/duty.ts'
import { forget, markForSii } from '../sii/pending.ts'

const BOOK = 'RECEIVED'

const recordOf = (db: Rows, invoiceId: string) =>
  db
    .select('sii_records')
    .select(['status', 'operation_type', 'accepted_at', 'sending_id'])
    .where('invoice_id', '=', invoiceId)
    .where('book_type', '=', BOOK)
    .executeTakeFirst()

type SiiRecord = NonNullable<Awaited<ReturnType<typeof recordOf>>>

/** Whether the tax authority has accepted an earlier state of the invoice, or this one. */
const isAccepted = ({ status, accepted_at }: SiiRecord): boolean =>
  accepted_at !== null || status === 'accepted' || status === 'accepted_with_errors'

/** Returns A1 (modification) if the tax authority has or may have the invoice, otherwise A0 (registration). */
function operationAfter(record: SiiRecord | undefined): 'A0' | 'A1' {
  if (!record) return 'A0'
  if (isAccepted(record)) return 'A1'
  // A pending operation does not change. The tax authority does not store a rejected record.
  if (record.status === 'pending') return record.operation_type === 'A0' ? 'A0' : 'A1'
  return record.status === 'rejected' ? 'A0' : 'A1'
}

export const isAcceptedBySii = async (db: Rows, invoiceId: string): Promise<boolean> => {
  const record = await recordOf(db, invoiceId)
  return record !== undefined && isAccepted(record)
}

/**
 * Removes the pending record of an invoice that is no longer `received`. A record that the tax authority has accepted
 * stays accepted. A record in flight is kept until its response.
 */
async function withdraw(tx: Tx, invoiceId: string, stamp: string): Promise<void> {
  const record = await recordOf(tx, invoiceId)
  if (record?.status !== 'pending' || record.sending_id !== null) return
  if (isAccepted(record))
    await tx
      .update('sii_records', { status: 'accepted', updated_at: stamp })
      .where('invoice_id', '=', invoiceId)
      .where('book_type', '=', BOOK)
      .execute()
  else await forgetInSii(tx, invoiceId, stamp)
}

/** Removes the pending record and the cash-basis row of an invoice that is deleted. */
export async function forgetInSii(tx: Tx, invoiceId: string, stamp: string): Promise<void> {
  await forget(tx, { invoice_id: invoiceId, book_type: BOOK }, stamp)
  await removeCashBasis(tx, invoiceId, BOOK)
}

/** Marks an invoice to be reported if it is `received`. Otherwise removes its pending record. */
export async function settleSii(
  tx: Tx,
  call: Call,
  row: InvoiceRow,
  data: CanonicalInvoice,
  stamp: string,
): Promise<void> {
  if (row.status !== 'received') return withdraw(tx, row.invoice_id, stamp)
  const record = await recordOf(tx, row.invoice_id)
  await markForSii(tx, call, row, data, operationAfter(record), stamp)
}
