/** The invoice that an address names, or the refusal. */
import { ApiError } from '../../errors/api-error.ts'
import { findInvoice, type InvoiceRow, lockInvoice } from '../../store/invoices.ts'
import type { Rows, Tx } from '../../store/store.ts'

/** The invoice of a route's kind, locked. Throws `invoice_not_found`. */
export async function requireLocked(
  tx: Tx,
  invoiceId: string,
  isKind: (row: InvoiceRow) => boolean,
): Promise<InvoiceRow> {
  const row = await lockInvoice(tx, invoiceId)
  if (!row || !isKind(row)) throw new ApiError('invoice_not_found')
  return row
}

/** The invoice of a route's kind. Throws `invoice_not_found`. */
export async function requireInvoice(
  db: Rows,
  invoiceId: string,
  isKind: (row: InvoiceRow) => boolean,
): Promise<InvoiceRow> {
  const row = await findInvoice(db, invoiceId)
  if (!row || !isKind(row)) throw new ApiError('invoice_not_found')
  return row
}
