/** Exports every invoice: its canonical document, the document that the client sent, and its history. */
import { changedColumns } from '../../src/store/digests.ts'
import type { InvoiceRow } from '../../src/store/invoices.ts'
import type { Rows } from '../../src/store/store.ts'
import { fromJson } from '../../src/store/stored-json.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import type { ExportFolder } from './export-folder.ts'

/** Returns the subfolder for an id. There are 256, so that no folder contains too many files. */
export const shardOf = (id: string): string => id.slice(0, 2)

const KINDS = { issued: 'issued', received: 'received' } as const

/** Returns the columns that are not part of the document. */
const summaryOf = (row: InvoiceRow) => ({
  id: row.invoice_id,
  direction: row.direction,
  status: row.status,
  imported: row.imported === 1,
  series: row.series,
  number: row.number,
  issue_date: row.issue_date,
  fiscal_date: row.fiscal_date,
  external_ref: row.external_ref,
  total_base: row.total_base,
  total_tax: row.total_tax,
  total: row.total,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

const eventsOf = async (db: Rows, invoiceId: string) => {
  const rows = await db
    .select('events')
    .select([
      'event_id',
      'event_type',
      'event_code',
      'occurred_at',
      'user_id',
      'api_key_id',
      'from_status',
      'to_status',
      'details',
    ])
    .where('invoice_id', '=', invoiceId)
    .orderBy('event_id')
    .execute()
  return rows.map((row) => ({ ...row, details: fromJson(row.details) }))
}

/** Writes all invoices. Returns the problems of documents that changed in the database. */
export async function exportInvoices(db: Rows, folder: ExportFolder): Promise<readonly string[]> {
  const problems: string[] = []
  const invoices = db
    .select('invoices', { invoice_documents: 'invoice_id' })
    .selectAll('invoices')
    .select(['invoice_documents.sent', 'invoice_documents.canonical', 'invoice_documents.errors'])
    .select([
      'invoice_documents.sent_digest',
      'invoice_documents.canonical_digest',
      'invoice_documents.errors_digest',
    ])
  for await (const row of rowsInKeyOrder(invoices, 'invoices.invoice_id')) {
    const { invoice_id, direction, sent, canonical, errors } = row
    for (const column of changedColumns('invoice_documents', row))
      problems.push(`invoice ${invoice_id}: its stored ${column} changed`)
    const base = `invoices/${KINDS[direction]}/${shardOf(invoice_id)}/${invoice_id}`
    if (canonical !== null) await folder.text(`${base}.json`, canonical)
    if (sent !== null) await folder.text(`${base}.sent.json`, sent)
    await folder.json(`${base}.history.json`, {
      invoice: summaryOf(row),
      errors: fromJson(errors ?? '[]'),
      events: await eventsOf(db, invoice_id),
    })
    folder.count(row.status === 'draft' && direction === 'issued' ? 'drafts' : `${direction}_invoices`)
  }
  return problems
}
