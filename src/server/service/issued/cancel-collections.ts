/** Collections of an invoice that is cancelled or deleted count no more; they stay, with the moment. */
import type { Tx } from '../../store/store.ts'

/** Answers how many were in force. */
export async function cancelCollections(tx: Tx, invoiceId: string, stamp: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .update('collections', { cancelled_at: stamp })
    .where('invoice_id', '=', invoiceId)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
