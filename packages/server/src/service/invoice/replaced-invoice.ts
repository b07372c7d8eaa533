/**
 * Finds the stored invoices that an invoice corrects or replaces, and the invoices that replaced a stored one:
 * corrections by substitution, and full invoices issued in exchange for a simplified one (F3).
 */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { replacedBy } from '#records/fiscal/index.ts'
import { CANONICAL_COLUMNS, type InvoiceRow, unchangedCanonical } from '../../store/invoices.ts'
import type { Rows } from '../../store/store.ts'
import type { Status } from '../../store/tables.ts'
import { correctiveRowOf, IN_FORCE, isCorrectedBy } from './corrections.ts'
import { fullInvoiceIdsReplacing, relatedOf, replacementsOf } from './replacements.ts'

export interface StoredInvoice {
  readonly row: InvoiceRow
  readonly data: CanonicalInvoice
}

async function stored(
  db: Rows,
  column: 'invoice_id' | 'number' | 'corrected_number',
  values: readonly string[],
  statuses: readonly Status[] = IN_FORCE,
): Promise<readonly StoredInvoice[]> {
  const rows = await db
    .select('invoices', { invoice_documents: 'invoice_id' })
    .selectAll('invoices')
    .select(CANONICAL_COLUMNS)
    .where(`invoices.${column}`, 'in', values)
    .where('invoices.status', 'in', statuses)
    .orderBy('invoices.issue_date')
    .orderBy('invoices.created_at')
    .execute()
  return rows.flatMap(({ canonical, canonical_digest, ...row }) => {
    const data = unchangedCanonical({ invoice_id: row.invoice_id, canonical, canonical_digest })
    return data ? [{ row, data }] : []
  })
}

/** Returns the stored invoices that a corrective invoice corrects. Numbers may restart, so there can be several. */
export async function correctedInvoices(
  db: Rows,
  data: CanonicalInvoice,
  invoiceId?: string,
  statuses?: readonly Status[],
): Promise<readonly StoredInvoice[]> {
  const row = correctiveRowOf(data, invoiceId)
  if (row.corrected_number === null) return []
  const found = await stored(db, 'number', [row.corrected_number], statuses)
  return found.filter((one) => isCorrectedBy(one.row, row, data.invoice.header.corrective))
}

/**
 * Returns the invoice that a correction by substitution replaces, if the company has it. By default, it must be in
 * force. If `invoiceId` is the id of an F3, returns the simplified invoice that the F3 replaces.
 */
export async function replacedInvoice(
  db: Rows,
  data: CanonicalInvoice,
  invoiceId?: string,
  statuses?: readonly Status[],
): Promise<StoredInvoice | undefined> {
  if (invoiceId !== undefined && relatedOf(data)) {
    const ticket = (await replacementsOf(db, [invoiceId])).get(invoiceId)
    return ticket && (await stored(db, 'invoice_id', [ticket.invoice_id], statuses))[0]
  }
  return replacedBy(data.invoice) && (await correctedInvoices(db, data, invoiceId, statuses))[0]
}

/** Returns the F3 in force that replaces a simplified invoice. */
export async function fullInvoiceReplacing(db: Rows, ticketId: string): Promise<StoredInvoice | undefined> {
  const ids = await fullInvoiceIdsReplacing(db, ticketId)
  return ids.length === 0 ? undefined : (await stored(db, 'invoice_id', ids))[0]
}

/** Returns the F3 in force that replaces an invoice, otherwise its first correction by substitution in force. */
export async function replacementOf(db: Rows, original: InvoiceRow): Promise<StoredInvoice | undefined> {
  if (original.number === null) return undefined
  const exchange = await fullInvoiceReplacing(db, original.invoice_id)
  if (exchange) return exchange
  const found = await stored(db, 'corrected_number', [original.number])
  return found.find(
    ({ row, data: { invoice } }) =>
      replacedBy(invoice) !== undefined && isCorrectedBy(original, row, invoice.header.corrective),
  )
}
