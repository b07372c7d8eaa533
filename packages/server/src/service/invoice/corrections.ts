/** Links between corrective invoices and the invoices they correct. */
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { InvoiceSummary } from '../../shapes/schemas.ts'
import { type InvoiceRow, unchangedCanonical } from '../../store/invoices.ts'
import type { Rows } from '../../store/store.ts'
import type { Status } from '../../store/tables.ts'
import { columnsOf } from './invoice-columns.ts'

type Corrective = NonNullable<CanonicalInvoice['invoice']['header']['corrective']>
type Corrects = NonNullable<NonNullable<InvoiceSummary['corrections']>['corrects']>
type Blocks = ReadonlyMap<string, Corrective | undefined>

const ORIGINAL = ['invoice_id', 'series', 'number', 'issue_date', 'direction', 'supplier_tax_id'] as const
type Original = Pick<InvoiceRow, (typeof ORIGINAL)[number]>

/** The columns of a corrective invoice that state which invoice it corrects. */
export type CorrectiveRow = Pick<
  InvoiceRow,
  'invoice_id' | 'direction' | 'supplier_tax_id' | 'corrected_number'
>

/** Returns the columns that state which invoice a document corrects. The document may not be stored yet. */
export const correctiveRowOf = (data: CanonicalInvoice, invoiceId = ''): CorrectiveRow => {
  const { supplier_tax_id, corrected_number } = columnsOf(data)
  const direction = data.meta.direction === 'received' ? 'received' : 'issued'
  return { invoice_id: invoiceId, direction, supplier_tax_id, corrected_number }
}

/** Whether two values agree. A missing value agrees with any. */
const agree = (a: string | null | undefined, b: string | null | undefined): boolean =>
  a == null || b == null || a === b

/**
 * Whether a corrective invoice corrects this original, compared by number, series and date. For received invoices the
 * supplier must match too, because every supplier chooses its own numbers.
 */
export const isCorrectedBy = (
  original: Original,
  corrective: CorrectiveRow,
  block: Corrective | undefined,
): boolean =>
  original.number !== null &&
  original.number === corrective.corrected_number &&
  original.invoice_id !== corrective.invoice_id &&
  original.direction === corrective.direction &&
  (original.direction === 'issued' || original.supplier_tax_id === corrective.supplier_tax_id) &&
  agree(block?.invoice_series_code, original.series) &&
  agree(block?.invoice_issue_date, original.issue_date)

/** Returns the `corrective` block of each invoice. */
async function blocksOf(db: Rows, ids: readonly string[], read: typeof unchangedCanonical): Promise<Blocks> {
  const rows = await db
    .select('invoice_documents')
    .select(['invoice_id', 'canonical', 'canonical_digest'])
    .where('invoice_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.invoice_id, read(row)?.invoice.header.corrective]))
}

/** Returns the data of the corrected invoice that a corrective invoice states, and whether that invoice is stored. */
const corrects = (block: Corrective, original: Original | undefined): Corrects => ({
  correction_type: block.correction_type ?? null,
  reason_code: block.reason_code ?? null,
  corrected_series: block.invoice_series_code ?? null,
  corrected_number: block.invoice_number ?? null,
  corrected_issue_date: block.invoice_issue_date ?? null,
  match_status: original ? 'matched' : 'not_found',
  corrected_invoice_id: original?.invoice_id ?? null,
})

/** Statuses of invoices in force: neither drafts nor cancelled. */
export const IN_FORCE: readonly Status[] = ['issued', 'sent', 'received']

/** Statuses of invoices that may have a number. A received invoice with errors has a number and the status `draft`. */
export const NUMBERED: readonly Status[] = [...IN_FORCE, 'cancelled', 'draft']

/** Finds the corrective invoices that state the number of any of these invoices, oldest first. */
async function findCorrectives(db: Rows, rows: readonly InvoiceRow[]) {
  const numbers = [...new Set(rows.flatMap(({ number }) => number ?? []))]
  if (numbers.length === 0) return []
  const found = await db
    .select('invoices')
    .selectAll()
    .where('corrected_number', 'in', numbers)
    .where('status', 'in', IN_FORCE)
    .execute()
  return found.sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
}

/** Finds the invoices whose number any of these corrective invoices states. */
async function findOriginals(db: Rows, rows: readonly InvoiceRow[]): Promise<readonly Original[]> {
  const numbers = [...new Set(rows.flatMap(({ corrected_number }) => corrected_number ?? []))]
  if (numbers.length === 0) return []
  return db.select('invoices').select(ORIGINAL).where('number', 'in', numbers).execute()
}

/** Returns the member `corrections` of each invoice, by invoice id. Takes three queries in total. */
export async function correctionsOf(db: Rows, rows: readonly InvoiceRow[], read = unchangedCanonical) {
  const correctives = await findCorrectives(db, rows)
  const originals = await findOriginals(db, rows)
  const correcting = [...correctives, ...rows.filter(({ corrected_number }) => corrected_number !== null)]
  const ids = correcting.map(({ invoice_id }) => invoice_id)
  const blocks: Blocks = ids.length === 0 ? new Map() : await blocksOf(db, ids, read)
  return new Map(
    rows.map((row) => {
      const block = row.corrected_number === null ? undefined : blocks.get(row.invoice_id)
      const original = originals.find((one) => isCorrectedBy(one, row, block))
      const corrected_by = correctives
        .filter((one) => isCorrectedBy(row, one, blocks.get(one.invoice_id)))
        .map(({ invoice_id, series, number, issue_date }) => ({
          invoice_id,
          series,
          number,
          issue_date,
          correction_type: blocks.get(invoice_id)?.correction_type ?? null,
        }))
      const corrections = {
        ...(block && { corrects: corrects(block, original) }),
        ...(corrected_by.length > 0 && { corrected_by }),
      }
      return [row.invoice_id, block || corrected_by.length > 0 ? corrections : null]
    }),
  )
}
