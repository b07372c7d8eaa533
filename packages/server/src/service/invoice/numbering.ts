/** Numbers of issued invoices: counters, templates, and numbers that a client chooses. */
import { sql } from 'kysely'
import type { Locale, ValidationItem } from '#core/invoice/index.ts'
import { createItem } from '#core/messages/index.ts'
import { numberFault } from '#records/verifactu/qr/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import { TOO_LONG } from '../../generated/texts/invoices.ts'
import { sortColumnsOf } from '../../store/invoices.ts'
import type { CompanyRow, Rows, Tx } from '../../store/store.ts'

export const DEFAULT_TEMPLATE = '{series}{number:6}'

const COLUMNS = ['series_code', 'template', 'next_number', 'last_date'] as const
export type Series = Pick<CompanyRow<'series'>, (typeof COLUMNS)[number]>

const MAX_DIGITS = 12

/** Returns what is wrong with a template, or null. */
export function templateProblem(template: string): string | null {
  const counters = template.match(/\{number(?::\d+)?\}/g) ?? []
  if (counters.length !== 1) return 'A template needs exactly one {number} or {number:6}.'
  const width = Number(/\{number:(\d+)\}/.exec(template)?.[1] ?? 1)
  if (width < 1 || width > MAX_DIGITS) return `The counter must have 1 to ${MAX_DIGITS} digits.`
  if (/\p{Cc}/u.test(template)) return 'A template may not contain control characters.'
  const rest = template.replace(/\{number(?::\d+)?\}/, '').replaceAll('{series}', '')
  if (/[{}]/.test(rest)) return 'A template may contain only {series}, {number} and {number:6}.'
  return null
}

const widthOf = (template: string): number => Number(/\{number:(\d+)\}/.exec(template)?.[1] ?? 1)

/**
 * Returns the invoice number for a value of the counter. Blanks at both ends are trimmed, because the tax authority
 * treats ` F000001` and `F000001` as the same invoice.
 *
 * For example, `numberOf({ series_code: 'F', template: '{series}{number:6}' }, 42)` is `F000042`.
 */
export const numberOf = (
  { series_code, template }: Pick<Series, 'series_code' | 'template'>,
  counter: number,
): string =>
  template
    .replace(/\{number(?::\d+)?\}/, String(counter).padStart(widthOf(template), '0'))
    // With a function as the replacement, `$&` in a series code is not a replacement pattern.
    .replaceAll('{series}', () => series_code)
    .trim()

/** Returns the counter of a number, or null if the number is not one that the template produces. */
export function counterOf(series: Pick<Series, 'series_code' | 'template'>, number: string): number | null {
  const [start = '', end = ''] = series.template
    .split(/\{number(?::\d+)?\}/)
    .map((part) => part.replaceAll('{series}', () => series.series_code))
  const before = start.trimStart()
  const after = end.trimEnd()
  if (!number.startsWith(before) || !number.endsWith(after) || number.length <= before.length + after.length)
    return null
  const digits = number.slice(before.length, number.length - after.length)
  // A number with more than 15 digits may not be an exact integer.
  if (!/^\d{1,15}$/.test(digits)) return null
  const counter = Number(digits)
  return counter >= 1 && numberOf(series, counter) === number ? counter : null
}

/**
 * Returns a new series as it is created. After a backup was restored, the new series skips as many numbers as the
 * restored ones, because it may already have been created between the backup and the restore.
 */
async function newSeries({ shared }: Rows, series_code: string): Promise<Series> {
  const { skipped } = await shared
    .selectFrom('restores')
    .select(({ fn }) => fn.sum<number | string | null>('skipped_numbers').as('skipped'))
    .executeTakeFirstOrThrow()
  return { series_code, template: DEFAULT_TEMPLATE, next_number: Number(skipped) + 1, last_date: null }
}

/** Returns a series as stored or, if it does not exist, as it would be created. */
export async function seriesOf(db: Rows, code: string): Promise<Series> {
  const known = await db.select('series').select(COLUMNS).where('series_code', '=', code).executeTakeFirst()
  return known ?? newSeries(db, code)
}

/** Maximum length of `invoice_number` (API specification, section "Limits"). */
const MAX_LENGTH = 60

/** Returns the problem of a series whose next number is too long; undefined if its length is allowed. */
export function lengthProblem(
  number: string,
  severity: ValidationItem['severity'],
  locale: Locale,
): ValidationItem | undefined {
  const received = [...number].length
  if (received <= MAX_LENGTH) return undefined
  const path = '/invoice/header/invoice_series_code'
  const extra = { max_length: MAX_LENGTH, received }
  return createItem(TOO_LONG, { code: 'schema.max_length', path, extra, severity }, locale, { number })
}

/** Returns why VeriFactu rejects the next number of a series, with an instruction; null if it is valid. */
export const verifactuNumberProblem = (number: string): string | null =>
  numberFault(number, 'the next number')?.message ?? null

/** Returns the latest date in a series. Needed if its counter was last changed by a version that stored no date. */
async function newestDate(tx: Tx, code: string): Promise<string | null> {
  const row = await tx
    .select('invoices')
    .select('issue_date')
    // SQLite uses the partial index only if the value is a literal.
    .where('direction', '=', sql.lit('issued'))
    .where('sort_series', '=', sortColumnsOf({ series: code, issue_date: null, number: null }).sort_series)
    .orderBy('sort_date', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.issue_date ?? null
}

/** Locks a series until the end of the transaction; creates it if it does not exist. */
export async function lockSeries(tx: Tx, code: string, stamp: string): Promise<Series> {
  const find = () => tx.lock('series').select(COLUMNS).where('series_code', '=', code).executeTakeFirst()
  const known = await find()
  if (known?.last_date === null && known.next_number > 1)
    return { ...known, last_date: await newestDate(tx, code) }
  if (known) return known
  const fresh = await newSeries(tx, code)
  await tx.insertNew('series', { ...fresh, created_at: stamp })
  return (await find()) ?? fresh
}

/** Returns the row of a number; undefined if the number is free. `invoice_id` is null if its invoice was deleted. */
export async function numberRowOf(db: Rows, number: string) {
  return db.find('numbers', { number }).select(['series_code', 'invoice_id']).executeTakeFirst()
}

/** Returns the series after a number with this counter and date was assigned. */
export function seriesAfterNumber(series: Series, counter: number, date: string): Series {
  const next_number = counter + 1
  if (next_number <= series.next_number) return series
  const { last_date } = series
  return { ...series, next_number, last_date: last_date !== null && last_date > date ? last_date : date }
}

/** Saves the counter of a series. */
export async function storeCounter(tx: Tx, { series_code, next_number, last_date }: Series): Promise<void> {
  await tx.change('series', { next_number, last_date }, { series_code })
}

/** Assigns a number to an invoice. Returns false if the number is already taken. */
async function assignNumber(
  tx: Tx,
  number: string,
  series_code: string,
  invoice_id: string,
): Promise<boolean> {
  return tx.insertNew('numbers', { number, series_code, invoice_id })
}

/** Number of counters to look up per query if the next number is taken. Many imported numbers may follow it. */
const LOOKAHEAD = 500

/** Returns the first counter, starting with `from`, whose number is free. */
async function firstFree(tx: Tx, series: Series, from: number): Promise<number> {
  for (let counter = from; ; counter += LOOKAHEAD) {
    const numbers = Array.from({ length: LOOKAHEAD }, (_, n) => numberOf(series, counter + n))
    const held = await tx.select('numbers').select('number').where('number', 'in', numbers).execute()
    const taken = new Set(held.map(({ number }) => number))
    const free = numbers.findIndex((number) => !taken.has(number))
    if (free !== -1) return counter + free
  }
}

/** A number that was assigned. The counter of its series is not updated yet. */
export interface AllocatedNumber {
  readonly number: string
  readonly counter: number
}

/** Assigns the next free number of a locked series. Skips numbers that are taken, for example by imported invoices. */
export async function allocateNext(tx: Tx, series: Series, invoiceId: string): Promise<AllocatedNumber> {
  for (let counter = series.next_number; ; ) {
    const number = numberOf(series, counter)
    if (await assignNumber(tx, number, series.series_code, invoiceId)) return { number, counter }
    counter = await firstFree(tx, series, counter + 1)
  }
}

/** Returns the error for a number that an invoice has, or that a deleted invoice had. */
async function numberInUse(tx: Tx, number: string): Promise<ApiError> {
  const holder = await numberRowOf(tx, number)
  if (holder?.invoice_id) return new ApiError('forced_number_in_use', { number })
  return new ApiError('forced_number_in_use', {
    number,
    message: {
      en: `The number ${number} belonged to an imported invoice that was deleted. A number is never assigned twice. Choose another, or import the invoice again.`,
      es: `El número ${number} fue de una factura importada que se eliminó, y un número no se asigna dos veces. Elija otro o importe de nuevo la factura.`,
    },
  })
}

/** Assigns a number that the client chose. Throws `forced_number_invalid` or `forced_number_in_use`. */
export async function allocateForced(
  tx: Tx,
  series: Series,
  number: string,
  invoiceId: string,
): Promise<AllocatedNumber> {
  const { series_code, template } = series
  const counter = counterOf(series, number)
  if (counter === null)
    throw new ApiError('forced_number_invalid', {
      number,
      series: series_code,
      template,
      example: numberOf(series, series.next_number),
    })
  if (!(await assignNumber(tx, number, series_code, invoiceId))) throw await numberInUse(tx, number)
  return { number, counter }
}

/** Assigns the number of an imported invoice. If the template can produce this number, the counter moves past it. */
export async function assignImportedNumber(
  tx: Tx,
  series: Series,
  number: string,
  invoiceId: string,
  date: string,
): Promise<void> {
  const held = await numberRowOf(tx, number)
  if (held) await tx.change('numbers', { invoice_id: invoiceId, series_code: series.series_code }, { number })
  else await assignNumber(tx, number, series.series_code, invoiceId)
  const counter = counterOf(series, number)
  if (counter === null) return
  const after = seriesAfterNumber(series, counter, date)
  if (after !== series) await storeCounter(tx, after)
}

/** Removes the reference from a number to its invoice, when the invoice is deleted. The number stays taken. */
export async function detachInvoiceFromNumber(tx: Tx, number: string): Promise<void> {
  await tx.change('numbers', { invoice_id: null }, { number })
}
