/** The engine's verdict on a received invoice: with its direction forced and the euros of a foreign currency found. */
import { type CanonicalInvoice, type Options, valueAt } from '../../invoice/index.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Reader, Tx } from '../store/store.ts'
import type { Call } from './call.ts'
import { type Judged, judge, requireStorable, type Verdict } from './judge.ts'
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

/** What `POST /received-invoices/validate` judges. */
export async function receivedInput(call: Call): Promise<{ document: unknown; options: Options }> {
  const document = asReceived(call.body)
  return { document, options: { exchange_rate: await rateForDocument(call.app.store.read, document) } }
}

/** The verdict on a received invoice that is to be stored. Throws what keeps it from being stored. */
export async function judgeReceived(db: Reader | Tx['db'], call: Call, document: unknown): Promise<Judged> {
  const exchange_rate = await rateForDocument(db, document)
  const verdict = judge(call, document, 'received', { totals: 'check', exchange_rate })
  const unknownRate = verdict.errors.find(({ code }) => code === 'exchange_rate_not_available')
  if (unknownRate)
    throw new ApiError('exchange_rate_not_available', {
      ...unknownRate.extra,
      date: rateDayOf(document),
      path: unknownRate.path,
    })
  const judged = requireStorable(call, verdict)
  // Supplier, number and year are what tells one received invoice from another.
  if (judged.data.invoice.supplier.tax_id === undefined)
    throw new ApiError('missing_required_fields', { missing: ['supplier.tax_id'] })
  return judged
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
