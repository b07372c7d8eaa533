/** Stored invoices that a correction by substitution replaces, and the corrections that replaced an invoice. */
import { replacedBy } from '../../../fiscal/correction.ts'
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import { fromJson } from '../../store/json.ts'
import type { Rows } from '../../store/store.ts'
import type { Status } from '../../store/tables.ts'

export interface StoredInvoice {
  readonly row: Pick<InvoiceRow, (typeof COLUMNS)[number]>
  readonly data: CanonicalInvoice
}

/** A received invoice with errors is a draft, and not in the books. */
const IN_FORCE: readonly Status[] = ['issued', 'sent', 'received']
const COLUMNS = [
  'invoice_id',
  'direction',
  'status',
  'series',
  'number',
  'issue_date',
  'supplier_tax_id',
  'corrected_number',
] as const

async function storedBy(
  db: Rows,
  column: 'number' | 'corrected_number',
  value: string,
): Promise<readonly StoredInvoice[]> {
  const rows = await db
    .select('invoices', { invoice_documents: 'invoice_id' })
    .select(COLUMNS.map((name) => `invoices.${name}` as const))
    .select('invoice_documents.canonical')
    .where(`invoices.${column}`, '=', value)
    .orderBy('invoices.issue_date')
    .orderBy('invoices.created_at')
    .execute()
  return rows.flatMap(({ canonical, ...row }) =>
    canonical === null ? [] : [{ row, data: fromJson(canonical) }],
  )
}

/** Whether a correction by substitution names this invoice: number, date and series, and the supplier of a received one. */
function isReplaced(original: StoredInvoice['row'], by: StoredInvoice): boolean {
  const replaced = replacedBy(by.data.invoice)
  const series = by.data.invoice.header.corrective?.invoice_series_code
  return (
    replaced !== undefined &&
    original.invoice_id !== by.row.invoice_id &&
    original.direction === by.row.direction &&
    original.number === replaced.number &&
    (replaced.issueDate === undefined || original.issue_date === replaced.issueDate) &&
    (series === undefined || original.series === null || original.series === series) &&
    (original.direction === 'issued' || original.supplier_tax_id === by.row.supplier_tax_id)
  )
}

/** Returns the invoice in force that a correction by substitution replaces, if the company has it. */
export async function replacedInvoice(db: Rows, by: StoredInvoice): Promise<StoredInvoice | undefined> {
  const replaced = replacedBy(by.data.invoice)
  if (!replaced || replaced.number === '') return undefined
  const found = await storedBy(db, 'number', replaced.number)
  return found.find(({ row }) => IN_FORCE.includes(row.status) && isReplaced(row, by))
}

/** Returns the first correction by substitution in force of an invoice. */
export async function replacementOf(
  db: Rows,
  original: StoredInvoice['row'],
): Promise<StoredInvoice | undefined> {
  if (original.number === null) return undefined
  const found = await storedBy(db, 'corrected_number', original.number)
  return found.find((one) => IN_FORCE.includes(one.row.status) && isReplaced(original, one))
}
