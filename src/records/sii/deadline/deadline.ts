/** Deadlines for sending records (art. 69 bis RD 1624/1992). */
import { required } from '#core/errors/index.ts'
import { isDate } from '#core/invoice/date.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import {
  checkMembers,
  checkObject,
  displayTextOf,
  type OptionKind,
  type OptionKinds,
} from '../../fiscal/check-options.ts'
import { operationDateOf } from '../../fiscal/fiscal-operation-day.ts'
import { checkOptions } from '../model/sii-options.ts'
import type { Book } from '../model/sii-record-types.ts'
import { addWorkingDays, dayOfNextMonth, daysBetween, holidaysFrom } from './calendar.ts'
import type { DeadlineRule } from './deadline-rules.ts'

/**
 * Last allowed day of the month after the operation. The regulation says "before the 16th", so the last day is the
 * 15th. The specification of the service says "at most the 16th"; this default follows it. The day stays the same if it
 * is a Saturday, Sunday or holiday.
 */
export const SII_CAP_DAY = 16

/** The event from which the deadline counts. Dates are `YYYY-MM-DD` and have the names of the invoice's fields. */
export type SiiEvent =
  | {
      readonly book: 'ISSUED'
      readonly issue_date: string
      /** Operation date, if it is not the date of issue. The cap is in the month after it. */
      readonly operation_date?: string | undefined
      /** True if the recipient or a third party issued the invoice: 8 days instead of 4. */
      readonly issued_by_other?: boolean
      /** True for a corrective invoice, whose deadline has no cap. */
      readonly corrective?: boolean
    }
  | {
      readonly book: 'RECEIVED'
      /** Date of the accounting registration. */
      readonly receipt_date: string
      /** Any day of the filing period, if that is not the month of the registration. */
      readonly period_date?: string | undefined
    }
  | { readonly book: 'COLLECTIONS' | 'PAYMENTS'; readonly date: string }
  | {
      readonly book: Book
      /** Date on which a registration error became known, or an adjustment of the margin was recorded. */
      readonly known_date: string
    }

export interface DeadlineOptions {
  /** Current date, `YYYY-MM-DD`; without it the result has no remaining days. The engine reads no clock. */
  readonly today?: string
  /** Day of the cap, 1 to 28. Default 16 (`SII_CAP_DAY`); 15 follows the regulation literally. */
  readonly capDay?: number
  /** National holidays `YYYY-MM-DD`, replacing those of the catalog. Years without an entry are treated as unknown. */
  readonly holidays?: readonly string[]
}

export interface Deadline {
  /** Last day to send the record. */
  readonly deadline: string
  /** Last of the counted days, without the cap; null if only the cap applies. */
  readonly counted_deadline: string | null
  /** Latest day that the cap allows; null if the rule has no cap. */
  readonly cap: string | null
  /** Calendar days from today, negative when overdue; null without `today`. */
  readonly days_remaining: number | null
  readonly overdue: boolean | null
  readonly rule: DeadlineRule
  /** True if one of the counted days is in a year whose holidays are not known. The true deadline may be later. */
  readonly holidays_unknown: boolean
}

/** Number of days for invoices that the company issued itself, and for invoices that another party issued. */
const DAYS = 4
const DAYS_BY_OTHER = 8

const checked = (name: string, day: unknown): string => {
  if (!isDate(day)) throw new TypeError(`cuadra: "${name}" is ${displayTextOf(day)}; pass a date YYYY-MM-DD`)
  return day
}

const OPTIONS: OptionKinds<DeadlineOptions> = { today: 'any', capDay: 'any', holidays: 'list' }

type Members = Readonly<Record<string, OptionKind>>

/** Members of an event, by book; `KNOWN` is an event with `known_date`. */
const EVENTS: Readonly<Record<Book | 'COLLECTIONS' | 'PAYMENTS' | 'KNOWN', Members>> = {
  ISSUED: {
    book: 'any',
    issue_date: 'any',
    operation_date: 'any',
    issued_by_other: 'boolean',
    corrective: 'boolean',
  },
  RECEIVED: { book: 'any', receipt_date: 'any', period_date: 'any' },
  COLLECTIONS: { book: 'any', date: 'any' },
  PAYMENTS: { book: 'any', date: 'any' },
  KNOWN: { book: 'any', known_date: 'any' },
}

/** Checks that an event has the members of its book. Throws a `TypeError` otherwise. */
function checkEvent(event: unknown): void {
  checkObject(event, 'the event')
  const { book } = event
  if (book !== 'ISSUED' && book !== 'RECEIVED' && book !== 'COLLECTIONS' && book !== 'PAYMENTS')
    throw new TypeError(
      `cuadra: book is ${displayTextOf(book)}; pass ISSUED, RECEIVED, COLLECTIONS or PAYMENTS`,
    )
  const known = 'known_date' in event && (book === 'ISSUED' || book === 'RECEIVED')
  checkMembers(
    event,
    EVENTS[known ? 'KNOWN' : book],
    known ? 'an event with known_date' : `an event of ${book}`,
  )
}

interface Plan {
  readonly rule: DeadlineRule
  readonly from: string | null
  readonly days: number
  /** The cap falls in the month after this day. */
  readonly capFrom: string | null
}

function planOf(event: SiiEvent): Plan {
  if ('known_date' in event)
    return { rule: 'modification', from: null, days: 0, capFrom: checked('known_date', event.known_date) }
  if (event.book === 'COLLECTIONS' || event.book === 'PAYMENTS') {
    const rule = event.book === 'COLLECTIONS' ? 'collection' : 'payment'
    return { rule, from: checked('date', event.date), days: DAYS, capFrom: null }
  }
  if (event.book === 'RECEIVED') {
    const from = checked('receipt_date', event.receipt_date)
    return { rule: 'received', from, days: DAYS, capFrom: checked('period_date', event.period_date ?? from) }
  }
  const own = event as Extract<SiiEvent, { readonly issue_date: string }>
  const from = checked('issue_date', own.issue_date)
  if (own.corrective) return { rule: 'corrective', from, days: DAYS, capFrom: null }
  const capFrom = checked('operation_date', own.operation_date ?? from)
  return own.issued_by_other
    ? { rule: 'issued_by_other', from, days: DAYS_BY_OTHER, capFrom }
    : { rule: 'issued', from, days: DAYS, capFrom }
}

/**
 * Returns the deadline of a record: a number of working days after the event, but at most a day of the following month.
 *
 * Saturdays, Sundays, national holidays and the day of the event are not counted. The result is the same in every time
 * zone. Holidays are known from 2023 to 2030. Beyond that, `holidays_unknown` is true and every weekday counts, so the
 * deadline is never later than the true deadline. A wrong date, book or option throws a `TypeError`.
 *
 * Source: art. 69 bis RD 1624/1992; AEAT, preguntas frecuentes del SII.
 *
 * @example
 * deadlineOf({ book: 'ISSUED', issue_date: '2026-03-31' }, { today: '2026-04-01' }).deadline // => '2026-04-07'
 * deadlineOf({ book: 'ISSUED', issue_date: '2026-03-31' }, { today: '2026-04-01' }).days_remaining // => 6
 * deadlineOf({ book: 'ISSUED', issue_date: '2026-02-14', operation_date: '2026-01-30' }).deadline // => '2026-02-16'
 */
export function deadlineOf(event: SiiEvent, options: DeadlineOptions = {}): Deadline {
  checkOptions(options, OPTIONS)
  checkEvent(event)
  return calculateDeadline(event, options)
}

function calculateDeadline(event: SiiEvent, options: DeadlineOptions): Deadline {
  const { capDay = SII_CAP_DAY } = options
  if (!Number.isInteger(capDay) || capDay < 1 || capDay > 28)
    throw new TypeError(`cuadra: option "capDay" is ${displayTextOf(capDay)}; pass a day from 1 to 28`)
  const today = options.today === undefined ? null : checked('today', options.today)
  options.holidays?.forEach((day, index) => {
    checked(`holidays/${index}`, day)
  })
  const { rule, from, days, capFrom } = planOf(event)
  const counted = from === null ? null : addWorkingDays(from, days, holidaysFrom(options.holidays))
  const cap = capFrom === null ? null : dayOfNextMonth(capFrom, capDay)
  const deadline = counted === null || (cap !== null && cap < counted.day) ? required(cap) : counted.day
  const remaining = today === null ? null : daysBetween(today, deadline)
  return {
    deadline,
    counted_deadline: counted?.day ?? null,
    cap,
    days_remaining: remaining,
    overdue: remaining === null ? null : remaining < 0,
    rule,
    holidays_unknown: counted?.unknown ?? false,
  }
}

export interface InvoiceDeadlineOptions extends DeadlineOptions {
  /** True if a third party issued the invoice. Invoices issued by the recipient are recognised by their type. */
  readonly third_party?: boolean
  /** Date of the accounting registration of a received invoice, if it is not its receipt date. */
  readonly registration_date?: string
}

const INVOICE_OPTIONS: OptionKinds<InvoiceDeadlineOptions> = {
  ...OPTIONS,
  third_party: 'boolean',
  registration_date: 'any',
}

/**
 * Returns the deadline of an invoice in the book of its direction; null if it has no date of issue. For a received
 * invoice, days count from its receipt date or, without one, from its date of issue.
 *
 * @example
 * const issue_data = { issue_date: '2026-03-10' }
 * const invoice = { issue_data, header: { invoice_type_code: '05' } }
 * deadlineOfInvoice({ meta: { direction: 'issued' }, invoice } as never)?.deadline // => '2026-03-20'
 */
export function deadlineOfInvoice(
  invoice: CanonicalInvoice,
  options: InvoiceDeadlineOptions = {},
): Deadline | null {
  checkOptions(options, INVOICE_OPTIONS)
  const part = (value: unknown, name: string): Readonly<Record<string, unknown>> => {
    checkObject(value, name)
    return value
  }
  part(part(invoice, 'the invoice').meta, 'the invoice’s "meta"')
  const block = part(invoice.invoice, 'the invoice’s "invoice"')
  for (const name of ['header', 'issue_data']) part(block[name], `the invoice’s "${name}"`)
  const { header, issue_data: data } = invoice.invoice
  const issued = data.issue_date
  if (invoice.meta.direction === 'received') {
    const day = options.registration_date ?? data.receipt_date ?? issued
    return day === undefined ? null : calculateDeadline({ book: 'RECEIVED', receipt_date: day }, options)
  }
  if (issued === undefined) return null
  return calculateDeadline(
    {
      book: 'ISSUED',
      issue_date: issued,
      operation_date: operationDateOf(invoice.invoice),
      issued_by_other: header.invoice_type_code === '05' || options.third_party === true,
      corrective: header.is_corrective === true,
    },
    options,
  )
}
