/** Collections of issued invoices and payments of received ones. Both have the same columns, in two tables. */
import type { Rows, Tx } from '../../../store/store.ts'
import type { Book } from '../../../store/tables.ts'

export interface Payment {
  readonly id: string
  readonly invoice_id: string
  /** `YYYY-MM-DD`. */
  readonly date: string
  /** Amount in euros; negative if it corrects an earlier payment. */
  readonly amount: number
  /** Code of the catalog `payment-methods`. It determines the means of payment (`Medio`) in the SII. */
  readonly method: string
  readonly account: string | null
  readonly cancelled_at: string | null
  readonly created_at: string
}

const COLUMNS = ['invoice_id', 'date', 'amount', 'method', 'account', 'cancelled_at', 'created_at'] as const

const tableOf = { ISSUED: 'collections', RECEIVED: 'payments' } as const
const keyOf = { ISSUED: 'collection_id', RECEIVED: 'payment_id' } as const

/** Returns the payments of a book, or of one invoice, by date and then in the order of registration. */
export function paymentsOf(db: Rows, book: Book, invoiceId?: string): Promise<Payment[]> {
  const all = db.select(tableOf[book]).select(COLUMNS).select(`${keyOf[book]} as id`)
  const wanted = invoiceId === undefined ? all : all.where('invoice_id', '=', invoiceId)
  return wanted.orderBy('date').orderBy('created_at').execute()
}

export async function insertPayment(tx: Tx, book: Book, { id, ...payment }: Payment): Promise<void> {
  if (book === 'ISSUED') await tx.insert('collections', { ...payment, collection_id: id })
  else await tx.insert('payments', { ...payment, payment_id: id })
}

/** Cancels the payments of an invoice that is cancelled or deleted; returns their number. The rows are kept. */
export async function cancelPayments(tx: Tx, book: Book, invoiceId: string, stamp: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .update(tableOf[book], { cancelled_at: stamp })
    .where('invoice_id', '=', invoiceId)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Cancels a payment that was registered by mistake. */
export async function cancelPayment(tx: Tx, book: Book, id: string, stamp: string): Promise<void> {
  await tx
    .update(tableOf[book], { cancelled_at: stamp })
    .where(keyOf[book], '=', id)
    .where('cancelled_at', 'is', null)
    .execute()
}

export async function isCancelled(db: Rows, book: Book, id: string): Promise<boolean> {
  const rows = db.select(tableOf[book]).where(keyOf[book], '=', id)
  return (await rows.select('cancelled_at').executeTakeFirst())?.cancelled_at != null
}
