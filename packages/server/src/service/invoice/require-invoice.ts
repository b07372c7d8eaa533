/** Finds the invoice of a request. Throws if it does not exist or is of another kind than the route expects. */
import { ApiError } from '../../errors/api-error.ts'
import { findInvoice, type InvoiceRow, lockInvoice } from '../../store/invoices.ts'
import type { Rows, Tx } from '../../store/store.ts'

type IsKind = (row: InvoiceRow) => boolean

function ofKind(row: InvoiceRow | undefined, isKind: IsKind): InvoiceRow {
  if (!row || !isKind(row)) throw new ApiError('invoice_not_found')
  return row
}

/** Locks and returns an invoice. Throws `invoice_not_found`. */
export const requireLocked = async (tx: Tx, invoiceId: string, isKind: IsKind): Promise<InvoiceRow> =>
  ofKind(await lockInvoice(tx, invoiceId), isKind)

/** Returns an invoice. Throws `invoice_not_found`. */
export const requireInvoice = async (db: Rows, invoiceId: string, isKind: IsKind): Promise<InvoiceRow> =>
  ofKind(await findInvoice(db, invoiceId), isKind)
