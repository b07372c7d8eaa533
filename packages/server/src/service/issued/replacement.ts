/**
 * Decides whether a full invoice replaces the simplified invoice that it states as related (type F3). A full invoice
 * may also refer to a simplified one that it does not replace: a final invoice refers to the invoice of its advance
 * payment, which is another operation. The invoice is therefore F3 only if all conditions hold; otherwise it is F1, and
 * a warning states the failed condition.
 */

import {
  type CanonicalInvoice,
  type Extra,
  type Locale,
  taxKeyOf,
  taxKeyText,
  type ValidationItem,
} from '#core/invoice/index.ts'
import { createItem, messageText } from '#core/messages/index.ts'
import { type Minor, toMinor } from '#core/money/index.ts'
import { fiscalTypeOf } from '#records/fiscal/index.ts'
import { REPLACEMENT_CAUSES } from '../../generated/texts/corrections.ts'
import { canonicalIn, documentOf, lockInvoice } from '../../store/invoices.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { correctionsOf } from '../invoice/corrections.ts'
import { fullInvoiceReplacing } from '../invoice/replaced-invoice.ts'
import { type Replaced, relatedOf } from '../invoice/replacements.ts'
import { isInForce } from '../invoice/statuses.ts'
import { enrollmentOn } from '../sii/pending-records.ts'
import { environmentOf, openPeriodOf } from '../verifactu/verifactu-period.ts'

/** The condition that failed. The conditions are checked in this order. */
type Reason = keyof typeof REPLACEMENT_CAUSES

/** The simplified invoice that is stated as related, and why it is not replaced. */
export interface Replacement {
  readonly replaced: Replaced
  readonly failed: { readonly reason: Reason; readonly extra: Extra } | undefined
}

/** Returns the warning that a related simplified invoice is not replaced. */
export function notReplacedWarning(
  { replaced: { number }, failed }: Replacement,
  locale: Locale,
): readonly ValidationItem[] {
  if (!failed) return []
  const { reason, extra } = failed
  const { en, es } = REPLACEMENT_CAUSES[reason]
  const text = messageText(
    'art. 4 RD 1619/2012; Orden HAC/1177/2024, L2; Orden HFP/417/2017, anexo I',
    [
      `The invoice does not replace the simplified invoice {number}, so it is not of type F3: ${en}.`,
      'Correct it if this invoice is issued in exchange for that one; if it is another operation, such as the rest after an advance payment, leave it.',
    ],
    [
      `La factura no sustituye a la simplificada {number}, así que no es de tipo F3: ${es}.`,
      'Corríjalo si esta factura se expide en canje de aquella; si es otra operación, como el resto tras un anticipo, déjelo así.',
    ],
  )
  const path = '/invoice/additional_data/related_invoice'
  const item = {
    source: 'business',
    code: 'simplified_invoice_not_replaced',
    path,
    severity: 'warning',
  } as const
  return [createItem(text, { ...item, extra: { reason, number, ...extra } }, locale)]
}

/** Returns the related simplified invoice if it was issued or imported here; undefined if there is none. */
async function namedTicket(db: Rows, data: CanonicalInvoice) {
  const related = relatedOf(data)
  if (!related) return undefined
  const row = await db
    .find('invoices', { direction: 'issued', number: related.number })
    .selectAll()
    .executeTakeFirst()
  if (!row) return undefined
  const ticket = canonicalIn(await documentOf(db, row.invoice_id))
  return ticket.invoice.header.is_simplified ? { row, ticket, related } : undefined
}

type Ticket = NonNullable<Awaited<ReturnType<typeof namedTicket>>>

const typeOf = ({ invoice }: CanonicalInvoice, replaces: boolean) =>
  fiscalTypeOf(invoice, { notInCensus: false, withoutRecipient: false, replaces })?.type

/** Returns base, tax and surcharge of each tax key (`taxKeyOf`) of an invoice, as a text to compare. */
function breakdownOf({ invoice: { issue_data, taxes_outputs = [] } }: CanonicalInvoice): string {
  const groups = new Map<string, readonly [base: Minor, tax: Minor, surcharge: Minor]>()
  for (const entry of taxes_outputs) {
    const { tax_rate, taxable_base, tax_amount, equivalence_surcharge_amount = 0 } = entry
    const key = taxKeyText(taxKeyOf(entry, tax_rate))
    const [base, tax, surcharge] = groups.get(key) ?? [0, 0, 0]
    groups.set(key, [
      base + toMinor(taxable_base),
      tax + toMinor(tax_amount),
      surcharge + toMinor(equivalence_surcharge_amount),
    ])
  }
  return JSON.stringify([issue_data.tax_group_code, [...groups].sort()])
}

/** Whether the invoice is, or will be, in every system in which the company registers its invoices. */
async function isRecorded(db: Rows, { company, app }: Call, invoice_id: string): Promise<boolean> {
  const period = await openPeriodOf(db, app.clock)
  const record =
    !period ||
    (await db
      .find('verifactu_records', { invoice_id, tipo: 'alta', environment: environmentOf(period) })
      .select('sequence')
      .where('estado', '<>', 'rejected')
      .limit(1)
      .executeTakeFirst())
  const isInSii = company.data.fiscal_systems.sii_in_plan && enrollmentOn(company.data, app.clock.today())
  const reported =
    !isInSii ||
    (await db
      .find('sii_records', { invoice_id, book_type: 'ISSUED' })
      .select('status')
      .where(({ or, eb }) =>
        or([eb('registered', 'is not', null), eb('status', 'not in', ['rejected', 'deleted'])]),
      )
      .executeTakeFirst())
  return Boolean(record && reported)
}

const fail = (reason: Reason, extra: Extra = {}) => ({ reason, extra })

/** Returns the failure if the stated series or date is not that of the simplified invoice. */
function misnamed({ row, related: { series, issue_date } }: Ticket): Replacement['failed'] {
  if (series && series !== row.series) return fail('series', { received: series, expected: row.series })
  if (issue_date && issue_date !== row.issue_date)
    return fail('date', { received: issue_date, expected: row.issue_date })
  return undefined
}

/** Returns the first condition that does not hold. */
async function failureOf(
  db: Rows,
  call: Call,
  named: Ticket,
  data: CanonicalInvoice,
  day: string,
): Promise<Replacement['failed']> {
  const { row, ticket } = named
  const wrong = misnamed(named)
  if (wrong) return wrong
  if (row.imported === 1) return fail('imported')
  if (!isInForce(row.status)) return fail('cancelled')
  if (row.issue_date !== null && row.issue_date > day)
    return fail('later', { received: row.issue_date, expected: day })
  const { invoice_total: received } = data.invoice.totals
  if (toMinor(received) !== toMinor(row.total)) return fail('total', { received, expected: row.total })
  if (typeOf(ticket, false) === 'F1') return fail('qualified')
  if (typeOf(data, true) !== 'F3') return fail('recipient')
  if (breakdownOf(ticket) !== breakdownOf(data)) return fail('breakdown')
  const [credit] = (await correctionsOf(db, [row])).get(row.invoice_id)?.corrected_by ?? []
  if (credit) return fail('credited', { by: credit.number })
  const other = await fullInvoiceReplacing(db, row.invoice_id)
  if (other) return fail('replaced', { by: other.row.number })
  return (await isRecorded(db, call, row.invoice_id)) ? undefined : fail('not_recorded')
}

/** Returns whether an invoice with this date would replace its related simplified invoice; undefined without one. */
export async function replacementAtDate(
  db: Rows,
  call: Call,
  data: CanonicalInvoice,
  day: string,
): Promise<Replacement | undefined> {
  const named = await namedTicket(db, data)
  if (!named) return undefined
  const { invoice_id, number, issue_date } = named.row
  const replaced = { invoice_id, number: number ?? '', issue_date: issue_date ?? '' }
  return { replaced, failed: await failureOf(db, call, named, data, day) }
}

/**
 * Locks the related simplified invoice, so that it is replaced only once, and not cancelled at the same time. Call this
 * before locking the series and the chain, because a cancellation locks in the same order.
 */
export async function lockRelatedSimplified(tx: Tx, data: CanonicalInvoice): Promise<void> {
  const named = await namedTicket(tx, data)
  if (named) await lockInvoice(tx, named.row.invoice_id)
}

/** Returns the decision in the form that the event `issued` stores. */
export const decisionOf = ({ replaced, failed }: Replacement) =>
  failed ? { not_replaced: { ...replaced, reason: failed.reason } } : { replaces: replaced }
