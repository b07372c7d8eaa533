/** Rows of invoices: written together with their document and the counts that lists show. */
import type { Selectable } from 'kysely'
import type { Reader, Tx } from './store.ts'
import type { Direction, InvoiceDocumentsTable, InvoicesTable, Status } from './tables.ts'

export type InvoiceRow = Selectable<InvoicesTable>
export type StoredDocument = Pick<InvoiceDocumentsTable, 'sent' | 'canonical' | 'errors'>

/** Counts of a process go to one slot of these. */
const SLOTS = 8
const SLOT = Math.floor(Math.random() * SLOTS)

interface Counted {
  readonly direction: Direction
  readonly status: Status
  readonly document_series: string | null
}

const sameCount = (a: Counted, b: Counted): boolean =>
  a.direction === b.direction && a.status === b.status && a.document_series === b.document_series

interface Change {
  readonly row: Counted
  readonly by: 1 | -1
}

/** Counts of one company that go up or down together. */
async function count({ db }: Tx, companyId: string, changes: readonly Change[]): Promise<void> {
  await db
    .insertInto('invoice_counts')
    .values(
      changes.map(({ row, by }) => ({
        company_id: companyId,
        direction: row.direction,
        status: row.status,
        series: row.document_series ?? '',
        slot: SLOT,
        n: by,
      })),
    )
    .onConflict((on) =>
      on
        .columns(['company_id', 'direction', 'status', 'series', 'slot'])
        .doUpdateSet(({ ref, eb }) => ({ n: eb(ref('invoice_counts.n'), '+', ref('excluded.n')) })),
    )
    .execute()
}

/** Places an issued invoice in its list: by series, newest date first, number; what has none comes last. */
export const orderOf = (row: Pick<InvoiceRow, 'series' | 'issue_date' | 'number'>) => ({
  sort_series: row.series === null ? '1' : `0${row.series}`,
  sort_date: row.series === null ? '' : (row.issue_date ?? ''),
  sort_number: row.number ?? '',
})

export async function insertInvoice(tx: Tx, row: InvoiceRow, document: StoredDocument): Promise<void> {
  await tx.db.insertInto('invoices').values(row).execute()
  await tx.db
    .insertInto('invoice_documents')
    .values({ company_id: row.company_id, invoice_id: row.invoice_id, ...document })
    .execute()
  await count(tx, row.company_id, [{ row, by: 1 }])
}

/** Writes what changed. `document` is left as it is where it is not given. */
export async function updateInvoice(
  tx: Tx,
  before: InvoiceRow,
  changes: Partial<InvoiceRow>,
  document?: Partial<StoredDocument>,
): Promise<InvoiceRow> {
  // A clock that was set back, or another machine's, does not make a change older than what it changes.
  const { updated_at = '' } = changes
  const after = {
    ...before,
    ...changes,
    ...(updated_at < before.updated_at ? { updated_at: before.updated_at } : {}),
  }
  const { company_id, invoice_id } = before
  // A column that is named is written in each of its indexes, changed or not.
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name as keyof InvoiceRow])
  if (changed.length > 0)
    await tx.db
      .updateTable('invoices')
      .set(Object.fromEntries(changed) as Partial<InvoiceRow>)
      .where('company_id', '=', company_id)
      .where('invoice_id', '=', invoice_id)
      .execute()
  if (document)
    await tx.db
      .updateTable('invoice_documents')
      .set(document)
      .where('company_id', '=', company_id)
      .where('invoice_id', '=', invoice_id)
      .execute()
  if (!sameCount(before, after))
    await count(tx, company_id, [
      { row: before, by: -1 },
      { row: after, by: 1 },
    ])
  return after
}

export async function deleteInvoice(tx: Tx, row: InvoiceRow): Promise<void> {
  const { company_id, invoice_id } = row
  await tx.db
    .deleteFrom('invoices')
    .where('company_id', '=', company_id)
    .where('invoice_id', '=', invoice_id)
    .execute()
  await tx.db
    .deleteFrom('invoice_documents')
    .where('company_id', '=', company_id)
    .where('invoice_id', '=', invoice_id)
    .execute()
  await count(tx, company_id, [{ row, by: -1 }])
}

/** An invoice of the company, locked until the end of the transaction; undefined where there is none. */
export async function lockInvoice(
  { db, locks }: Tx,
  companyId: string,
  invoiceId: string,
): Promise<InvoiceRow | undefined> {
  const query = db
    .selectFrom('invoices')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('invoice_id', '=', invoiceId)
  return (locks ? query.forUpdate() : query).executeTakeFirst()
}

export async function findInvoice(
  db: Reader,
  companyId: string,
  invoiceId: string,
): Promise<InvoiceRow | undefined> {
  return db
    .selectFrom('invoices')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirst()
}

export async function documentOf(
  db: Reader | Tx['db'],
  companyId: string,
  invoiceId: string,
): Promise<StoredDocument> {
  return db
    .selectFrom('invoice_documents')
    .select(['sent', 'canonical', 'errors'])
    .where('company_id', '=', companyId)
    .where('invoice_id', '=', invoiceId)
    .executeTakeFirstOrThrow()
}

/** Kinds of invoices by route. Drafts belong to the issued kind. */
export const isIssuedKind = ({ direction }: InvoiceRow): boolean => direction === 'issued'
export const isReceivedKind = ({ direction }: InvoiceRow): boolean => direction === 'received'
/** `queued` is a draft that is reserved: it is still read under `/drafts`. */
export const isDraftKind = ({ direction, status }: InvoiceRow): boolean =>
  direction === 'issued' && (status === 'draft' || status === 'queued')
