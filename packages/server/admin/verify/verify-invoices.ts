/** Checks every invoice: its document, columns, amounts, number and history. */
import type { CanonicalInvoice, Operation, ValidationItem } from '#core/invoice/index.ts'
import { draftColumns, numberedColumns } from '../../src/service/invoice/invoice-columns.ts'
import { eventStatusOf } from '../../src/service/invoice/statuses.ts'
import type { InvoiceRow } from '../../src/store/invoices.ts'
import type { CompanyRow, Rows } from '../../src/store/store.ts'
import { fromJson, type Json } from '../../src/store/stored-json.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import { differencesOf } from './verify-amounts.ts'
import { verifyDigests } from './verify-digests.ts'
import type { Report, Subject } from './verify-report.ts'

const operationOf = ({ direction, imported, number }: InvoiceRow): Operation =>
  direction === 'received' ? 'received' : imported === 1 ? 'import' : number === null ? 'draft' : 'issue'

const subjectOf = ({ invoice_id, number, external_ref }: InvoiceRow): Subject => ({
  kind: 'invoice',
  id: invoice_id,
  name: number ?? external_ref,
})

/** Returns the column values that the document determines. */
function expectedColumns(row: InvoiceRow, document: CanonicalInvoice): Partial<InvoiceRow> {
  const isUnnumbered = row.direction === 'issued' && row.number === null
  const { external_ref, ...columns } = isUnnumbered
    ? draftColumns(document)
    : numberedColumns(document, row.direction)
  // An imported invoice without a reference is stored with its number as reference, so that column is not compared.
  return external_ref === null ? columns : { ...columns, external_ref }
}

interface StoredText {
  readonly sent: string | null
  readonly canonical: Json<CanonicalInvoice> | null
  readonly errors: Json<readonly ValidationItem[]> | null
}

/** Checks the document. Returns false if there is no canonical document to compute from. */
function verifyDocument(report: Report, row: InvoiceRow, stored: StoredText): boolean {
  const subject = subjectOf(row)
  const { sent, canonical, errors } = stored
  report.checked('invoices')
  if (sent === null || errors === null) {
    report.fail('document_missing', subject)
    return true
  }
  verifyDigests(report, subject, 'invoice_documents', stored)
  if (canonical === null) return false
  report.checked('totals')
  try {
    const items = fromJson(errors)
    report.columns('column_differs', subject, row, expectedColumns(row, fromJson(canonical)))
    report.columns('flag_differs', subject, row, {
      has_errors: items.some(({ severity }) => severity === 'error') ? 1 : 0,
    })
    const document = { canonical, sent, errors: items, operation: operationOf(row) }
    for (const { code, ...found } of differencesOf(document)) report.fail(code, subject, { ...found })
  } catch (error) {
    report.unreadable('document_unreadable', subject, error)
  }
  return true
}

interface Held {
  readonly holder: string | null
  readonly held: string | null
  readonly held_series: string | null
}

/** Checks that the number of an issued invoice is assigned to it, so that it cannot be assigned again. */
function verifyNumber(report: Report, row: InvoiceRow, { holder, held, held_series: received }: Held): void {
  const { number, series: expected } = row
  if (row.direction !== 'issued' || number === null) return
  const subject = subjectOf(row)
  if (held === null || holder === null) report.fail('number_not_held', subject, { number })
  else if (holder !== row.invoice_id) report.fail('number_twice', subject, { number, holder })
  else if (received !== expected) report.fail('number_of_series', subject, { number, received, expected })
}

type EventRow = CompanyRow<'events'>

/** Yields the history of each invoice with an id after `after` and up to `last`, including deleted invoices. */
async function* historiesOf(db: Rows, after: string, last: string | undefined) {
  const rows = db.select('events').selectAll().where('invoice_id', '>', after)
  const wanted = last === undefined ? rows : rows.where('invoice_id', '<=', last)
  let history: EventRow[] = []
  for await (const row of rowsInKeyOrder(wanted, 'invoice_id', 'event_id')) {
    const [before] = history
    if (before && before.invoice_id !== row.invoice_id) {
      yield history
      history = []
    }
    history.push(row)
  }
  if (history.length > 0) yield history
}

/** Compares the status, the times and the origin of an invoice with its history. */
function verifyHistory(report: Report, row: InvoiceRow, history: readonly EventRow[]): void {
  const subject = subjectOf(row)
  const last = history.findLast(({ to_status }) => to_status !== null)?.to_status
  if (last !== eventStatusOf(row.status))
    report.fail('status_without_event', subject, { status: row.status, last: last ?? null })
  const [first] = history
  const wasWritten = history.some(({ occurred_at }) => occurred_at === row.updated_at)
  report.columns('flag_differs', subject, row, {
    imported: first?.event_code === 'imported' ? 1 : 0,
    created_at: first?.occurred_at,
    ...(row.status === 'cancelled' ? {} : { cancellation_gap: null }),
    ...(wasWritten ? {} : { updated_at: history.at(-1)?.occurred_at }),
  })
}

/** Checks the histories of these invoices, and of deleted invoices whose ids lie between theirs. */
async function verifyHistories(
  db: Rows,
  report: Report,
  rows: readonly InvoiceRow[],
  after: string,
  last?: string,
) {
  const invoices = new Map(rows.map((row) => [row.invoice_id, row]))
  report.checked('events', rows.length)
  for await (const found of historiesOf(db, after, last)) {
    const history = found.toSorted((a, b) => a.sequence - b.sequence)
    const [{ invoice_id: id } = { invoice_id: '' }] = history
    const row = invoices.get(id)
    const subject: Subject = row ? subjectOf(row) : { kind: 'invoice', id }
    for (const event of history) verifyDigests(report, subject, 'events', event)
    const sequence = history.at(-1)?.sequence
    if (history.some((event, at) => event.sequence !== at + 1))
      report.fail('event_gap', subject, { count: history.length, last: sequence ?? 0 })
    if (row) verifyHistory(report, row, history)
    else if (history.at(-1)?.event_code !== 'deleted') report.fail('invoice_missing', subject)
    invoices.delete(id)
  }
  for (const row of invoices.values()) report.fail('no_event', subjectOf(row))
}

export async function verifyInvoices(db: Rows, report: Report): Promise<void> {
  const invoices = db
    .select('invoices', { invoice_documents: 'invoice_id', numbers: 'number' })
    .selectAll('invoices')
    .select([
      'invoice_documents.sent',
      'invoice_documents.canonical',
      'invoice_documents.errors',
      'invoice_documents.sent_digest',
      'invoice_documents.canonical_digest',
      'invoice_documents.errors_digest',
      'numbers.number as held',
      'numbers.invoice_id as holder',
      'numbers.series_code as held_series',
    ])
  let without = 0
  let after = ''
  let waiting: InvoiceRow[] = []
  for await (const row of rowsInKeyOrder(invoices, 'invoices.invoice_id')) {
    if (!verifyDocument(report, row, row)) without++
    verifyNumber(report, row, row)
    waiting.push(row)
    if (waiting.length < 200) continue
    await verifyHistories(db, report, waiting, after, row.invoice_id)
    after = row.invoice_id
    waiting = []
  }
  await verifyHistories(db, report, waiting, after)
  if (without > 0) report.note('no_canonical', { count: without })
}
