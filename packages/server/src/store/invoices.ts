/** Writes rows of invoices together with their documents and counts. */
import { ConditionError, isCondition } from '#core/errors/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { LARGE_DOCUMENT } from '../environment/server-limits.ts'
import { changedColumns } from './digests.ts'
import type { CompanyRow, Rows, Tx } from './rows.ts'
import { fromJson } from './stored-json.ts'
import type { CompanyTable, Row } from './tables.ts'

export type InvoiceRow = CompanyRow<'invoices'>
export type StoredDocument = Omit<CompanyRow<'invoice_documents'>, 'invoice_id'>

/**
 * Returns the sort columns of an issued invoice: by series, newest date first, then by number. Invoices without a
 * series sort last.
 */
export const sortColumnsOf = (row: Pick<InvoiceRow, 'series' | 'issue_date' | 'number'>) => ({
  sort_series: row.series === null ? '1' : `0${row.series}`,
  sort_date: row.series === null ? '' : (row.issue_date ?? ''),
  sort_number: row.number ?? '',
})

export async function insertInvoice(tx: Tx, row: InvoiceRow, document: StoredDocument): Promise<void> {
  await tx.insert('invoices', row)
  await tx.insert('invoice_documents', { invoice_id: row.invoice_id, ...document })
  tx.count({ after: row })
}

/** Returns an invoice with changes applied. */
export function invoiceWithChanges(before: InvoiceRow, changes: Partial<InvoiceRow>): InvoiceRow {
  // A clock may have been set back, or may be slow on another machine. The change must not have an earlier time than
  // the row.
  const { updated_at = '' } = changes
  return {
    ...before,
    ...changes,
    ...(updated_at < before.updated_at ? { updated_at: before.updated_at } : {}),
  }
}

/** Names of the columns in which two rows of an invoice differ. */
export const differingColumns = (before: InvoiceRow, after: InvoiceRow): (keyof InvoiceRow)[] =>
  (Object.keys(after) as (keyof InvoiceRow)[]).filter((name) => after[name] !== before[name])

/** Writes the changed columns. Without `document`, the stored document stays the same. */
export async function updateInvoice(
  tx: Tx,
  before: InvoiceRow,
  changes: Partial<InvoiceRow>,
  document?: Partial<StoredDocument>,
): Promise<InvoiceRow> {
  const after = invoiceWithChanges(before, changes)
  const { invoice_id } = before
  // PostgreSQL updates the indexes of all columns in an update statement, even if their values are the same.
  const changed = differingColumns(before, after).map((name) => [name, after[name]])
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

/** Locks an invoice of the company until the end of the transaction. Returns undefined if it does not exist. */
export const lockInvoice = (tx: Tx, invoiceId: string): Promise<InvoiceRow | undefined> =>
  tx.lock('invoices').selectAll().where('invoice_id', '=', invoiceId).executeTakeFirst()

export const findInvoice = (rows: Rows, invoiceId: string): Promise<InvoiceRow | undefined> =>
  rows.select('invoices').selectAll().where('invoice_id', '=', invoiceId).executeTakeFirst()

/** The columns of a document that `unchangedCanonical` needs, for queries that join other tables. */
export const CANONICAL_COLUMNS = [
  'invoice_documents.canonical',
  'invoice_documents.canonical_digest',
] as const

/**
 * Returns the canonical document in a row; null if it has none. Throws if the text differs from the one that the store
 * wrote.
 */
export function unchangedCanonical({
  invoice_id,
  canonical,
  canonical_digest,
}: Pick<Row<'invoice_documents'>, 'canonical'> & {
  readonly invoice_id: string
  readonly canonical_digest: string | null
}): CanonicalInvoice | null {
  requireUnchanged('invoice_documents', { canonical, canonical_digest }, `invoice ${invoice_id}`)
  return fromJson(canonical)
}

/** Returns the canonical document of an invoice. Every invoice that is not a draft has one. */
export function canonicalIn({ canonical }: Pick<StoredDocument, 'canonical'>): CanonicalInvoice {
  if (canonical === null) throw new Error('An invoice without its document.')
  return fromJson(canonical)
}

const damage = (what: string): ConditionError =>
  new ConditionError(
    'database_damaged',
    `${what} in the database. Run \`cuadra-admin verify\`, which names all changes.`,
  )

/** Returns the result of work; undefined if stored data that it needs is damaged. */
export async function unlessDamaged<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isCondition(error, 'database_damaged')) return undefined
    throw error
  }
}

/** Throws an error with the names of the columns that differ from their digests. */
function requireUnchanged(table: CompanyTable, row: object, subject: string): void {
  const columns = changedColumns(table, row).map((column) => `${table}.${column}`)
  if (columns.length > 0) throw damage(`${columns.join(', ')} of ${subject} changed`)
}

/** Reads the document of an invoice. Throws if its texts differ from those that the store wrote. */
export async function documentOf(rows: Rows, invoiceId: string): Promise<StoredDocument> {
  const row = await rows
    .find('invoice_documents', { invoice_id: invoiceId })
    .selectAll()
    .executeTakeFirstOrThrow()
  requireUnchanged('invoice_documents', row, `invoice ${invoiceId}`)
  return { sent: row.sent, canonical: row.canonical, errors: row.errors }
}

/**
 * Throws an error if stored data is missing or differs from its digest: the settings of the company and, if an id is
 * given, an invoice and its document.
 */
export async function requireUndamaged(rows: Rows, invoiceId: string | undefined): Promise<void> {
  const company = await rows.select('companies').selectAll().executeTakeFirst()
  if (company) requireUnchanged('companies', company, `company ${rows.companyId}`)
  if (invoiceId === undefined) return
  const subject = `invoice ${invoiceId}`
  for (const table of ['invoice_documents', 'events', 'attachments'] as const) {
    const found = await rows.select(table).selectAll().where('invoice_id', '=', invoiceId).execute()
    for (const row of found) requireUnchanged(table, row, subject)
    const isMissing = table === 'invoice_documents' && found.length === 0
    if (isMissing && (await findInvoice(rows, invoiceId)))
      throw damage(`The document of ${subject} is missing`)
  }
}

/** Reads a document in order to validate it in the transaction. A large document requires a transaction of its own. */
export async function documentToValidate(tx: Tx, invoiceId: string): Promise<StoredDocument> {
  const document = await documentOf(tx, invoiceId)
  if (document.sent.length > LARGE_DOCUMENT) tx.requireOwnTransaction()
  return document
}

/** Whether an invoice is available at the routes of issued invoices, which include drafts. */
export const isIssuedKind = ({ direction }: InvoiceRow): boolean => direction === 'issued'
export const isReceivedKind = ({ direction }: InvoiceRow): boolean => direction === 'received'
/** Whether `/drafts` includes an invoice. A `queued` invoice is a reserved draft, so it is included. */
export const isDraftKind = ({ direction, status }: InvoiceRow): boolean =>
  direction === 'issued' && (status === 'draft' || status === 'queued')
