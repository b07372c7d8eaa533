/** Rows of received invoices: their columns, and how one is found again. */
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import {
  canonicalIn,
  documentToJudge,
  type InvoiceRow,
  isReceivedKind,
  lockInvoice,
} from '../../store/invoices.ts'
import { fromJson } from '../../store/json.ts'
import type { Tx } from '../../store/store.ts'
import { numberedColumns } from '../invoice/columns.ts'
import { updateRefused } from '../invoice/refusals.ts'

/** The columns of a received invoice. */
export const receivedColumns = (data: CanonicalInvoice) => numberedColumns(data, 'received')

type Columns = ReturnType<typeof receivedColumns>

/** The received invoice with this identity, locked. */
const lockByIdentity = (
  tx: Tx,
  { supplier_tax_id, number, issue_year }: Columns,
): Promise<InvoiceRow | undefined> =>
  tx
    .lock('invoices')
    .selectAll()
    .where('direction', '=', 'received')
    .where('supplier_tax_id', '=', supplier_tax_id)
    .where('number', '=', number)
    .where('issue_year', '=', issue_year)
    .executeTakeFirst()

/** The invoice that a document is to be written into; undefined: a new one. */
export async function invoiceToUpdate(
  tx: Tx,
  columns: Columns,
  invoiceId: string | undefined,
): Promise<InvoiceRow | undefined> {
  const named = invoiceId === undefined ? undefined : await lockInvoice(tx, invoiceId)
  if (invoiceId !== undefined && !named) throw new ApiError('invoice_not_found')
  if (named && !isReceivedKind(named)) throw updateRefused('issued')
  const same = await lockByIdentity(tx, columns)
  if (named && same && named.invoice_id !== same.invoice_id)
    throw updateRefused('other_identity', same.invoice_id)
  return named ?? same
}

/** The stored document of an invoice: one is written with each. */
export const canonicalOf = async (tx: Tx, { invoice_id }: InvoiceRow) => {
  const document = await documentToJudge(tx, invoice_id)
  return { sent: fromJson(document.sent), canonical: canonicalIn(document) }
}
