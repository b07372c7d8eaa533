/**
 * Recalculates the amounts of a stored document from its quantities, prices and rates. Invoices issued here must match
 * to the cent. The amounts of imported and received invoices are compared with the amounts that were sent.
 */

import { minorUnitsOf } from '#core/catalogs/index.ts'
import type { CanonicalInvoice, Operation } from '#core/invoice/index.ts'
import { COMPUTED_MEMBERS, COMPUTED_TOTALS } from '#core/invoice/terms.ts'
import { keepDecimals } from '#core/money/index.ts'
import { reconcile, validate } from '#engine/index.ts'

/** Returns the document without computed fields, in the form that a client could have sent. */
export const withoutComputed = (text: string): CanonicalInvoice =>
  JSON.parse(text, (name, value: unknown) =>
    COMPUTED_MEMBERS.has(name) ? undefined : value,
  ) as CanonicalInvoice

export interface Difference {
  readonly code: 'total_differs' | 'sent_total_differs'
  readonly path: string
  readonly received: number
  readonly expected: number
}

export interface StoredInvoice {
  readonly canonical: string
  readonly sent: string
  /** Codes that the engine returned when the document was stored. */
  readonly errors: readonly { readonly code: string }[]
  readonly operation: Operation
}

/** Compares amounts with a tolerance of half a thousandth, because currencies have at most three decimals. */
const same = (a: number, b: number): boolean => Math.abs(a - b) < 0.0005

type Amounts = Readonly<Record<string, unknown>>

/**
 * Compares the totals that were sent with the stored totals, in the currency in which they were sent. The server rounds
 * totals with too many decimals and reports `excess_precision`.
 */
function sentTotals(sent: CanonicalInvoice, stored: CanonicalInvoice): readonly Difference[] {
  const given: Amounts = { ...sent.invoice.totals }
  const converted = stored.invoice.totals.invoice_currency
  // Issued invoices have amounts in euros. So do received invoices that state the other currency separately.
  const wasConverted =
    stored.meta.direction === 'received' &&
    converted !== undefined &&
    sent.invoice.totals.invoice_currency === undefined
  const kept: Amounts = { ...(wasConverted ? converted : stored.invoice.totals) }
  const base = wasConverted ? '/invoice/totals/invoice_currency' : '/invoice/totals'
  const currency = wasConverted ? sent.invoice.issue_data.invoice_currency?.invoice_currency_code : 'EUR'
  const decimals = minorUnitsOf(currency ?? 'EUR') ?? 2
  return COMPUTED_TOTALS.flatMap((name) => {
    const [total, received] = [given[name], kept[name]]
    if (typeof total !== 'number') return []
    const expected = keepDecimals(total, decimals)
    const shown = typeof received === 'number' ? received : 0
    return same(expected, shown)
      ? []
      : [{ code: 'sent_total_differs', path: `${base}/${name}`, received: shown, expected } as const]
  })
}

const TOTAL = /^\/invoice\/totals\/(\w+)$/

/** Returns the totals computed from sent totals. For example, the amount to pay depends on a sent invoice total. */
function followingTotals(document: CanonicalInvoice, given: Amounts, operation: Operation): Amounts {
  const { invoice } = document
  const totals = Object.fromEntries(
    Object.entries(invoice.totals).filter(
      ([name]) => given[name] !== undefined || !COMPUTED_TOTALS.some((one) => one === name),
    ),
  )
  const asSent = { ...document, invoice: { ...invoice, totals } }
  return { ...validate(asSent, { operation, totals: 'check' }).data?.invoice.totals }
}

/** Returns the differences between stored and recalculated amounts. Throws if the engine cannot read the document. */
export function differencesOf({ canonical, sent, errors, operation }: StoredInvoice): readonly Difference[] {
  const document = withoutComputed(canonical)
  const rows = reconcile(document, { operation })
  if (rows.length === 0) throw new Error('not an invoice')
  const isOwn = operation === 'draft' || operation === 'issue'
  const original = isOwn ? undefined : (JSON.parse(sent) as CanonicalInvoice)
  const given: Amounts = { ...original?.invoice.totals }
  const following = isOwn ? {} : followingTotals(document, given, operation)
  const known = !isOwn && errors.some(({ code }) => code.endsWith('_mismatch'))
  const computed = rows.flatMap(({ path, sent: received, computed, within_tolerance }) => {
    const total = TOTAL.exec(path)?.[1]
    const wasSent = !isOwn && (total === undefined || given[total] !== undefined)
    const follows = total === undefined ? undefined : following[total]
    const expected = typeof follows === 'number' ? follows : computed
    const right = known || (wasSent ? within_tolerance : same(received, expected))
    return right ? [] : [{ code: 'total_differs', path, received, expected } as const]
  })
  return original ? [...sentTotals(original, document), ...computed] : computed
}
