/**
 * The simplified invoice that a full invoice replaces (type F3). This is decided once, when the full invoice is issued,
 * and stored in its event `issued`. Books, records and later submissions read it from the event.
 */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { InvoiceReference } from '#records/fiscal/index.ts'
import type { Rows } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'

/** The replaced invoice, as stored in the event. */
export interface Replaced {
  readonly invoice_id: string
  readonly number: string
  readonly issue_date: string
}

const FULL = '01'

/** Returns the related invoice that a full invoice states; undefined if it states none. */
export function relatedOf({ invoice: { header, additional_data } }: CanonicalInvoice) {
  const related = additional_data?.related_invoice
  const number = related?.number?.trim()
  return header.invoice_type_code === FULL && number ? { ...related, number } : undefined
}

/** Returns the replaced invoice for each of these invoices, by the id of the replacing one. */
export async function replacementsOf(
  db: Rows,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Replaced>> {
  if (ids.length === 0) return new Map()
  const events = await db
    .select('events')
    .select(['invoice_id', 'details'])
    .where('invoice_id', 'in', ids)
    .where('event_code', '=', 'issued')
    .execute()
  return new Map(
    events.flatMap(({ invoice_id, details }) => {
      const { replaces } = fromJson(details)
      return replaces ? [[invoice_id, replaces as Replaced] as const] : []
    }),
  )
}

/** Returns the ids of all full invoices that were issued in exchange for a simplified one, in force or not. */
export async function fullInvoiceIdsReplacing(db: Rows, ticketId: string): Promise<readonly string[]> {
  const events = await db
    .find('events', { invoice_id: ticketId, event_code: 'replaced' })
    .select('details')
    .execute()
  return events.map(({ details }) => String(fromJson(details).invoice_id))
}

/** Returns the option `replaces` for building the records of an invoice. */
export const replacesOption = (replaced: Replaced | undefined): { replaces?: readonly InvoiceReference[] } =>
  replaced ? { replaces: [{ invoice_number: replaced.number, issue_date: replaced.issue_date }] } : {}

/** Returns the option `replaces` as it was decided when the invoice was issued. */
export const storedReplacement = async (db: Rows, invoiceId: string, data: CanonicalInvoice) =>
  replacesOption(relatedOf(data) && (await replacementsOf(db, [invoiceId])).get(invoiceId))
