/** Rows of received invoices: their columns, and how one is found again. */
import type { CanonicalInvoice } from '../../invoice/index.ts'
import { ApiError } from '../errors/api-error.ts'
import { documentOf, type InvoiceRow, isReceivedKind, lockInvoice, orderOf } from '../store/invoices.ts'
import type { Tx } from '../store/store.ts'
import { columnsOf } from './columns.ts'

const REASONS = {
  issued: { en: 'it is an issued invoice', es: 'es una factura emitida' },
  other_identity: {
    en: 'another received invoice has the same supplier, number and year',
    es: 'otra factura recibida tiene el mismo emisor, número y año',
  },
} as const

const refused = (reason: keyof typeof REASONS, extra: { readonly invoice_id?: string } = {}): ApiError =>
  new ApiError('invoice_update_not_allowed', { reason: REASONS[reason], ...extra })

/** Columns that a received invoice has beside those of every document. */
export function receivedColumns(data: CanonicalInvoice) {
  const { header, issue_data } = data.invoice
  const issue_date = issue_data.issue_date ?? null
  const placed = {
    series: header.invoice_series_code ?? null,
    number: header.invoice_number ?? null,
    issue_date,
  }
  return {
    ...columnsOf(data),
    ...placed,
    ...orderOf(placed),
    issue_year: issue_date?.slice(0, 4) ?? null,
    // Tax is deducted once the invoice is here (art. 99.Tres and Cuatro Ley 37/1992).
    fiscal_date: issue_data.receipt_date ?? issue_date,
  }
}

type Columns = ReturnType<typeof receivedColumns>

/** The received invoice with this identity, locked. */
async function lockByIdentity(tx: Tx, companyId: string, columns: Columns): Promise<InvoiceRow | undefined> {
  const query = tx.db
    .selectFrom('invoices')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('direction', '=', 'received')
    .where('supplier_tax_id', '=', columns.supplier_tax_id)
    .where('number', '=', columns.number)
    .where('issue_year', '=', columns.issue_year)
  return (tx.locks ? query.forUpdate() : query).executeTakeFirst()
}

/** The invoice that a document is to be written into; undefined: a new one. */
export async function invoiceToUpdate(
  tx: Tx,
  companyId: string,
  columns: Columns,
  invoiceId: string | undefined,
): Promise<InvoiceRow | undefined> {
  const named = invoiceId === undefined ? undefined : await lockInvoice(tx, companyId, invoiceId)
  if (invoiceId !== undefined && !named) throw new ApiError('invoice_not_found')
  if (named && !isReceivedKind(named)) throw refused('issued')
  const same = await lockByIdentity(tx, companyId, columns)
  if (named && same && named.invoice_id !== same.invoice_id)
    throw refused('other_identity', { invoice_id: same.invoice_id })
  return named ?? same
}

/** The stored document of an invoice: one is written with each. */
export const canonicalOf = async (tx: Tx, { company_id, invoice_id }: InvoiceRow) => {
  const { sent, canonical } = await documentOf(tx.db, company_id, invoice_id)
  return { sent: JSON.parse(sent) as unknown, canonical: JSON.parse(canonical ?? '') as CanonicalInvoice }
}
