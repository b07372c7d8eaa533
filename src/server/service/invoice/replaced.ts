/** Stored invoices that a corrective invoice corrects or replaces, and the corrections that replaced an invoice. */
import { replacedBy } from '../../../fiscal/correction.ts'
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import { fromJson } from '../../store/json.ts'
import type { Rows } from '../../store/store.ts'
import type { Status } from '../../store/tables.ts'
import { correctiveRowOf, IN_FORCE, isCorrectedBy } from './corrections.ts'

export interface StoredInvoice {
  readonly row: InvoiceRow
  readonly data: CanonicalInvoice
}

async function stored(
  db: Rows,
  column: 'number' | 'corrected_number',
  value: string,
  statuses: readonly Status[] = IN_FORCE,
): Promise<readonly StoredInvoice[]> {
  const rows = await db
    .select('invoices', { invoice_documents: 'invoice_id' })
    .selectAll('invoices')
    .select('invoice_documents.canonical')
    .where(`invoices.${column}`, '=', value)
    .where('invoices.status', 'in', statuses)
    .orderBy('invoices.issue_date')
    .orderBy('invoices.created_at')
    .execute()
  return rows.flatMap(({ canonical, ...row }) =>
    canonical === null ? [] : [{ row, data: fromJson(canonical) }],
  )
}

/** Returns the stored invoices that a corrective invoice corrects. Numbers may restart, so they can be several. */
export async function correctedInvoices(
  db: Rows,
  data: CanonicalInvoice,
  invoiceId?: string,
  statuses?: readonly Status[],
): Promise<readonly StoredInvoice[]> {
  const row = correctiveRowOf(data, invoiceId)
  if (row.corrected_number === null) return []
  const found = await stored(db, 'number', row.corrected_number, statuses)
  return found.filter((one) => isCorrectedBy(one.row, row, data.invoice.header.corrective))
}

/** Returns the invoice that a correction by substitution replaces, if the company has it, by default in force. */
export async function replacedInvoice(
  db: Rows,
  data: CanonicalInvoice,
  invoiceId?: string,
  statuses?: readonly Status[],
): Promise<StoredInvoice | undefined> {
  if (!replacedBy(data.invoice)) return undefined
  const [original] = await correctedInvoices(db, data, invoiceId, statuses)
  return original
}

/** Returns the first correction by substitution in force of an invoice. */
export async function replacementOf(db: Rows, original: InvoiceRow): Promise<StoredInvoice | undefined> {
  if (original.number === null) return undefined
  const found = await stored(db, 'corrected_number', original.number)
  return found.find(
    ({ row, data: { invoice } }) =>
      replacedBy(invoice) !== undefined && isCorrectedBy(original, row, invoice.header.corrective),
  )
}
