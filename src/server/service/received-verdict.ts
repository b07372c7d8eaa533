/** The engine's verdict on a received invoice: with its direction forced and the euros of a foreign currency found. */
import { toItems } from '../../engine.ts'
import { type CanonicalInvoice, type Locale, type Options, valueAt } from '../../invoice/index.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Reader, Tx } from '../store/store.ts'
import type { Call } from './call.ts'
import { type Judged, judge, judgeSent, requireStorable, type Told, type Verdict } from './judge.ts'
import { rateDayOf, rateForDocument } from './rates.ts'

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A copy with one member of one block set; what has no such block is left to the schema. */
function withMember(document: unknown, block: string, change: (old: Members) => Members): unknown {
  if (!isObject(document)) return document
  const [first = '', ...rest] = block.split('/')
  const old = document[first]
  if (!isObject(old)) return document
  const fresh = rest.length > 0 ? withMember(old, rest.join('/'), change) : change(old)
  return { ...document, [first]: fresh }
}

/** `meta.direction` is `received` here whatever was sent (specification, "Registration rules"). */
export const asReceived = (document: unknown): unknown =>
  withMember(document, 'meta', (meta) => ({ ...meta, direction: 'received' }))

/** An update that does not say when the invoice was received keeps the day that is known. */
export const withReceiptDate = (document: unknown, day: string | undefined): unknown =>
  day === undefined || valueAt(document, '/invoice/issue_data/receipt_date') !== undefined
    ? document
    : withMember(document, 'invoice/issue_data', (issue) => ({ ...issue, receipt_date: day }))

/** `-` or blanks stand for an id that is not known: all such suppliers would be one. */
const NO_ID = /^[\s\p{P}\p{S}]*$/u

/**
 * A verdict that knows what tells one received invoice from another: supplier, number and year (specification,
 * "Registration rules"). The engine asks for number and day; the supplier's tax id may be missing on a draft only.
 */
function withIdentity<V extends Pick<Verdict, 'is_valid' | 'errors'>>(
  verdict: V,
  document: unknown,
  locale: Locale,
): V {
  const supplier = valueAt(document, '/invoice/supplier')
  if (!isObject(supplier)) return verdict
  const { tax_id = '' } = supplier
  if (typeof tax_id !== 'string' || !NO_ID.test(tax_id)) return verdict
  const path = '/invoice/supplier/tax_id'
  const missing = { code: 'missing_required_field', path, extra: { missing: 'tax_id' } }
  return {
    ...verdict,
    is_valid: false,
    errors: [...toItems([missing], document, locale), ...verdict.errors],
  }
}

/** What `POST /received-invoices/validate` judges. */
export async function receivedInput(call: Call) {
  const document = asReceived(call.body)
  const options: Options = { exchange_rate: await rateForDocument(call.app.store.read, document) }
  return { document, options, complete: (found: Told) => withIdentity(found, document, call.locale) }
}

/** The verdict on a received invoice that is to be stored. Throws what keeps it from being stored. */
export async function judgeReceived(db: Reader | Tx['db'], call: Call, document: unknown): Promise<Judged> {
  const exchange_rate = await rateForDocument(db, document)
  const engines = await judgeSent(call, document, 'received', { totals: 'check', exchange_rate })
  const verdict = withIdentity(engines, document, call.locale)
  const unknownRate = verdict.errors.find(({ code }) => code === 'exchange_rate_not_available')
  if (unknownRate)
    throw new ApiError('exchange_rate_not_available', {
      ...unknownRate.extra,
      date: rateDayOf(document),
      path: unknownRate.path,
    })
  return requireStorable(call, verdict)
}

/** The verdict on a saved invoice as of today. Its receipt date and its exchange rate stay what they were. */
export function judgeSaved(call: Call, sent: unknown, saved: CanonicalInvoice): Verdict {
  const { receipt_date, invoice_currency } = saved.invoice.issue_data
  const { exchange_rate, exchange_rate_date } = invoice_currency ?? {}
  return judge(call, withReceiptDate(asReceived(sent), receipt_date), 'received', {
    totals: 'check',
    exchange_rate: exchange_rate && exchange_rate_date ? { exchange_rate, exchange_rate_date } : null,
  })
}
