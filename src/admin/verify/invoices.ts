/** Checks every invoice: document, columns, amounts, number, history. */
import type { CanonicalInvoice, Operation, ValidationItem } from '../../invoice/index.ts'
import { columnsOf, numberedColumns } from '../../server/service/invoice/columns.ts'
import { internalStatus } from '../../server/service/invoice/statuses.ts'
import { type InvoiceRow, orderOf } from '../../server/store/invoices.ts'
import { fromJson, type Json } from '../../server/store/json.ts'
import type { Rows } from '../../server/store/store.ts'
import { inOrder } from '../pages.ts'
import { differencesOf } from './amounts.ts'
import type { Report, Subject } from './report.ts'

const operationOf = ({ direction, imported, number }: InvoiceRow): Operation =>
  direction === 'received' ? 'received' : imported === 1 ? 'import' : number === null ? 'draft' : 'issue'

const subjectOf = ({ invoice_id, number, external_ref }: InvoiceRow): Subject => ({
  kind: 'invoice',
  id: invoice_id,
  name: number ?? external_ref,
})

/** Returns the columns expected from the document. */
function expectedColumns(row: InvoiceRow, document: CanonicalInvoice): Partial<InvoiceRow> {
  const { external_ref, ...columns } = columnsOf(document)
  const { number, issue_date, issue_year } = numberedColumns(document, row.direction)
  return {
    ...columns,
    // An import without a reference is identified by its number.
    ...(external_ref === null ? {} : { external_ref }),
    ...(row.number === null ? {} : { number, issue_date, issue_year }),
    ...orderOf(row),
  }
}

interface StoredText {
  readonly sent: string | null
  readonly canonical: Json<CanonicalInvoice> | null
  readonly errors: Json<readonly ValidationItem[]> | null
}

/** Checks the document. Returns false if there is no canonical document to compute from. */
function verifyDocument(report: Report, row: InvoiceRow, { sent, canonical, errors }: StoredText): boolean {
  const subject = subjectOf(row)
  report.checked('invoices')
  if (sent === null || errors === null) {
    report.fail('document_missing', subject)
    return true
  }
  if (canonical === null) return false
  report.checked('totals')
  try {
    report.columns('column_differs', subject, row, expectedColumns(row, fromJson(canonical)))
    const stored = {
      canonical,
      sent,
      errors: fromJson(errors),
      operation: operationOf(row),
    }
    for (const { code, ...found } of differencesOf(stored)) report.fail(code, subject, { ...found })
  } catch (error) {
    report.unreadable('document_unreadable', subject, error)
  }
  return true
}

interface Held {
  readonly holder: string | null
  readonly held: string | null
}

/** Checks that the number is reserved for its invoice, so that it cannot be assigned again. */
function verifyNumber(report: Report, row: InvoiceRow, { holder, held }: Held): void {
  if (row.direction !== 'issued' || row.number === null || holder === row.invoice_id) return
  const subject = subjectOf(row)
  if (held === null || holder === null) report.fail('number_not_held', subject, { number: row.number })
  else report.fail('number_twice', subject, { number: row.number, holder })
}

/** Returns the statuses in the events of each invoice between two ids. */
async function historiesOf(db: Rows, first: string, last: string) {
  const rows = await db
    .select('events')
    .select(['invoice_id', 'to_status'])
    .distinct()
    .where('invoice_id', '>=', first)
    .where('invoice_id', '<=', last)
    .execute()
  const histories = new Map<string, Set<string | null>>()
  for (const { invoice_id, to_status } of rows)
    histories.set(invoice_id, (histories.get(invoice_id) ?? new Set()).add(to_status))
  return histories
}

async function verifyHistories(db: Rows, report: Report, rows: readonly InvoiceRow[]) {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return
  const histories = await historiesOf(db, first.invoice_id, last.invoice_id)
  for (const row of rows) {
    report.checked('events')
    const states = histories.get(row.invoice_id)
    if (!states) report.fail('no_event', subjectOf(row))
    else if (!states.has(internalStatus(row.status)))
      report.fail('status_without_event', subjectOf(row), { status: row.status })
  }
}

export async function verifyInvoices(db: Rows, report: Report): Promise<void> {
  const invoices = db
    .select('invoices', { invoice_documents: 'invoice_id', numbers: 'number' })
    .selectAll('invoices')
    .select([
      'invoice_documents.sent',
      'invoice_documents.canonical',
      'invoice_documents.errors',
      'numbers.number as held',
      'numbers.invoice_id as holder',
    ])
  let without = 0
  let waiting: InvoiceRow[] = []
  const flush = async () => {
    await verifyHistories(db, report, waiting)
    waiting = []
  }
  for await (const row of inOrder(invoices, 'invoices.invoice_id')) {
    if (!verifyDocument(report, row, row)) without++
    verifyNumber(report, row, row)
    waiting.push(row)
    if (waiting.length >= 200) await flush()
  }
  await flush()
  if (without > 0) report.note('no_canonical', { count: without })
}
