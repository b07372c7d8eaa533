/**
 * Compares corrective invoices with the invoices that they correct. The results are notes, because such data can be
 * correct: an invoice can be cancelled after its correction, and a supplier's correction is stored as it was received.
 */
import { correctionsOf, IN_FORCE } from '../../src/service/invoice/corrections.ts'
import type { InvoiceRow } from '../../src/store/invoices.ts'
import type { Rows } from '../../src/store/store.ts'
import { fromJson } from '../../src/store/stored-json.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import { CountedNotes, type Report } from './verify-report.ts'

const MOST = 200

/** Returns the status and the document of invoices, by id. */
async function documentsOf(db: Rows, ids: readonly string[]) {
  const rows = await db
    .select('invoices', { invoice_documents: 'invoice_id' })
    .select(['invoices.invoice_id', 'invoices.status', 'invoice_documents.canonical'])
    .where('invoices.invoice_id', 'in', ids)
    .execute()
  return new Map(
    rows.map(({ invoice_id, status, canonical }) => [invoice_id, { status, document: fromJson(canonical) }]),
  )
}

type Stored = Awaited<ReturnType<typeof documentsOf>> extends Map<string, infer One> ? One : never

/** A corrective invoice and the invoice that it corrects. */
interface Pair {
  readonly row: InvoiceRow
  readonly isSubstitution: boolean
  readonly corrective: Stored | undefined
  readonly originalId: string
  readonly original: Stored
}

/** Returns the corrective invoices whose original is stored. Also reads changed documents, which `verify` reports. */
async function pairsOf(db: Rows, rows: readonly InvoiceRow[]): Promise<readonly Pair[]> {
  if (rows.length === 0) return []
  const corrections = await correctionsOf(db, rows, ({ canonical }) => fromJson(canonical))
  const found = rows.flatMap((row) => {
    const corrects = corrections.get(row.invoice_id)?.corrects
    const originalId = corrects?.corrected_invoice_id
    return originalId ? [{ row, originalId, isSubstitution: corrects.correction_type === 'S' }] : []
  })
  if (found.length === 0) return []
  const documents = await documentsOf(
    db,
    found.flatMap(({ row, originalId }) => [row.invoice_id, originalId]),
  )
  return found.flatMap((one) => {
    const original = documents.get(one.originalId)
    return original ? [{ ...one, original, corrective: documents.get(one.row.invoice_id) }] : []
  })
}

const taxGroupOf = (stored: Stored | undefined): string | undefined =>
  stored?.document?.invoice.issue_data.tax_group_code

/** Adds the notes about a correction. `replaced` maps originals to their first correction by substitution so far. */
function compare(
  { row, isSubstitution, corrective, originalId, original }: Pair,
  notes: CountedNotes,
  replaced: Map<string, string>,
): void {
  const names = { invoice: row.number, corrected: row.corrected_number }
  if (!IN_FORCE.includes(original.status))
    notes.add('corrected_not_in_force', { ...names, status: original.status })
  const [received, expected] = [taxGroupOf(corrective), taxGroupOf(original)]
  if (expected !== undefined && received !== expected)
    notes.add('corrected_tax_group', { ...names, received, expected })
  if (!isSubstitution) return
  const before = replaced.get(originalId)
  if (before === undefined) replaced.set(originalId, row.number ?? row.invoice_id)
  else notes.add('corrected_twice', { ...names, before })
}

export async function verifyCorrections(db: Rows, report: Report): Promise<void> {
  const correctives = db
    .select('invoices')
    .selectAll('invoices')
    .where('corrected_number', 'is not', null)
    .where('status', 'in', IN_FORCE)
  const notes = new CountedNotes(report)
  const replaced = new Map<string, string>()
  let waiting: InvoiceRow[] = []
  const flush = async () => {
    for (const pair of await pairsOf(db, waiting)) compare(pair, notes, replaced)
    waiting = []
  }
  for await (const row of rowsInKeyOrder(correctives, 'invoices.invoice_id')) {
    report.checked('corrections')
    waiting.push(row)
    if (waiting.length >= MOST) await flush()
  }
  await flush()
  notes.report()
}
