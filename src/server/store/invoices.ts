/** Rows of invoices: written together with their document, and counted. */
import type { CanonicalInvoice } from '../../invoice/index.ts'
import { LARGE_DOCUMENT } from '../environment/limits.ts'
import { fromJson } from './json.ts'
import type { Own, Rows, Tx } from './rows.ts'

export type InvoiceRow = Own<'invoices'>
export type StoredDocument = Omit<Own<'invoice_documents'>, 'invoice_id'>

/** Places an issued invoice in its list: by series, newest date first, number; what has none comes last. */
export const orderOf = (row: Pick<InvoiceRow, 'series' | 'issue_date' | 'number'>) => ({
  sort_series: row.series === null ? '1' : `0${row.series}`,
  sort_date: row.series === null ? '' : (row.issue_date ?? ''),
  sort_number: row.number ?? '',
})

export async function insertInvoice(tx: Tx, row: InvoiceRow, document: StoredDocument): Promise<void> {
  await tx.insert('invoices', row)
  await tx.insert('invoice_documents', { invoice_id: row.invoice_id, ...document })
  tx.count({ after: row })
}

/** An invoice as changes leave it. */
export function changedInvoice(before: InvoiceRow, changes: Partial<InvoiceRow>): InvoiceRow {
  // A clock that was set back, or another machine's, does not make a change older than what it changes.
  const { updated_at = '' } = changes
  return {
    ...before,
    ...changes,
    ...(updated_at < before.updated_at ? { updated_at: before.updated_at } : {}),
  }
}

/** Names of the columns in which two rows of an invoice differ. */
export const columnsThatDiffer = (before: InvoiceRow, after: InvoiceRow): (keyof InvoiceRow)[] =>
  (Object.keys(after) as (keyof InvoiceRow)[]).filter((name) => after[name] !== before[name])

/** Writes what changed. `document` is left as it is where it is not given. */
export async function updateInvoice(
  tx: Tx,
  before: InvoiceRow,
  changes: Partial<InvoiceRow>,
  document?: Partial<StoredDocument>,
): Promise<InvoiceRow> {
  const after = changedInvoice(before, changes)
  const { invoice_id } = before
  // A column that is named is written in each of its indexes, changed or not.
  const changed = columnsThatDiffer(before, after).map((name) => [name, after[name]])
  if (changed.length > 0) await tx.change('invoices', Object.fromEntries(changed), { invoice_id })
  if (document) await tx.change('invoice_documents', document, { invoice_id })
  tx.count({ before, after })
  return after
}

export async function deleteInvoice(tx: Tx, row: InvoiceRow): Promise<void> {
  for (const table of ['invoices', 'invoice_documents'] as const)
    await tx.delete(table).where('invoice_id', '=', row.invoice_id).execute()
  tx.count({ before: row })
}

/** An invoice of the company, locked until the end of the transaction; undefined where there is none. */
export const lockInvoice = (tx: Tx, invoiceId: string): Promise<InvoiceRow | undefined> =>
  tx.lock('invoices').selectAll().where('invoice_id', '=', invoiceId).executeTakeFirst()

export const findInvoice = (rows: Rows, invoiceId: string): Promise<InvoiceRow | undefined> =>
  rows.select('invoices').selectAll().where('invoice_id', '=', invoiceId).executeTakeFirst()

export const documentOf = (rows: Rows, invoiceId: string): Promise<StoredDocument> =>
  rows
    .select('invoice_documents')
    .select(['sent', 'canonical', 'errors'])
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()

/** The canonical document of an invoice that is not a draft: each has one. */
export function canonicalIn({ canonical }: Pick<StoredDocument, 'canonical'>): CanonicalInvoice {
  if (canonical === null) throw new Error('An invoice without its document.')
  return fromJson(canonical)
}

/** A document that is judged in the transaction: a large one keeps nobody else waiting. */
export async function documentToValidate(tx: Tx, invoiceId: string): Promise<StoredDocument> {
  const document = await documentOf(tx, invoiceId)
  if (document.sent.length > LARGE_DOCUMENT) tx.requireOwnTransaction()
  return document
}

/** Kinds of invoices by route. Drafts belong to the issued kind. */
export const isIssuedKind = ({ direction }: InvoiceRow): boolean => direction === 'issued'
export const isReceivedKind = ({ direction }: InvoiceRow): boolean => direction === 'received'
/** `queued` is a draft that is reserved: it is still read under `/drafts`. */
export const isDraftKind = ({ direction, status }: InvoiceRow): boolean =>
  direction === 'issued' && (status === 'draft' || status === 'queued')
