/**
 * Reference rates of the European Central Bank. They convert a received invoice in a foreign currency to euros if it
 * does not state its rate (art. 79.Once Ley 37/1992). An administrator loads the published file.
 */

import { isDate } from '#core/invoice/date.ts'
import type { ExchangeRate } from '#core/invoice/index.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { inBatches } from '../../store/batches.ts'
import type { Shared, Transaction } from '../../store/store.ts'
import type { PublishedRate } from './rates-file.ts'

/** Maximum number of rows per statement. PostgreSQL binds at most 65,535 values, SQLite 32,766. */
const CHUNK = 5000

const keyOf = ({ currency, date }: Pick<PublishedRate, 'currency' | 'date'>): string => `${date} ${currency}`

/** Returns the stored rates of the days in a file. Loading the whole history daily then writes only new rates. */
async function storedBetween(
  { shared }: Transaction,
  first: string,
  last: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await shared
    .selectFrom('exchange_rates')
    .select(['currency', 'date', 'rate'])
    .where('date', '>=', first)
    .where('date', '<=', last)
    .execute()
  return new Map(rows.map((row) => [keyOf(row), row.rate]))
}

/**
 * Stores the rates of a published file, CSV or XML, and returns their number. Stored rates of the same days are
 * replaced. Throws a `CuadraError` if any part of the file is invalid.
 */
export async function loadRates(all: Transaction, fileText: string): Promise<number> {
  const { readRates } = await import('./rates-file.ts')
  const rates = new Map(readRates(fileText).map((rate) => [keyOf(rate), rate]))
  const days = [...rates.values()].map(({ date }) => date).sort()
  const stored = await storedBetween(all, days[0] ?? '', days.at(-1) ?? '')
  const changed = [...rates].filter(([key, { rate }]) => stored.get(key) !== rate).map(([, rate]) => rate)
  for (const some of inBatches(changed, CHUNK))
    await all.shared
      .insertInto('exchange_rates')
      .values(some)
      .onConflict((on) =>
        on.columns(['currency', 'date']).doUpdateSet(({ ref }) => ({ rate: ref('excluded.rate') })),
      )
      .execute()
  return rates.size
}

/** Maximum number of significant digits of the result, which a JSON number keeps exactly. */
const DIGITS = 15

/**
 * Returns the euros per unit from the published units per euro, to 15 digits. Multiplying by the result gives, to the
 * cent, the amount divided by the published rate. The quotient is rounded up, so that an exact half cent is not lost.
 * Source: the rate is quoted for one euro; art. 79.Once Ley 37/1992 converts to euros.
 *
 * @example
 *     eurosPerUnit('1.25') // => 0.8
 *     eurosPerUnit('1.0837') // => 0.922764602749839
 *     eurosPerUnit('160') // => 0.00625
 */
export function eurosPerUnit(published: string): number {
  const [whole = '', fraction = ''] = published.split('.')
  const units = BigInt(whole + fraction)
  const euros = 10n ** BigInt(fraction.length)
  let shift = DIGITS - 1 + String(units).length - String(euros).length
  if (euros * 10n ** BigInt(shift) < units * 10n ** BigInt(DIGITS - 1)) shift++
  const quotient = (euros * 10n ** BigInt(shift) + units - 1n) / units
  return Number(`${quotient}e-${shift}`)
}

/** Maximum age of a rate in days. At Easter, the European Central Bank publishes no rates for four days. */
const MAX_DAYS = 7

const daysBefore = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

/** Returns the latest rate published on a day or in the week before it; null if there is none. */
export async function exchangeRateOn(
  shared: Shared,
  currency: string,
  date: string,
): Promise<ExchangeRate | null> {
  const row = await shared
    .selectFrom('exchange_rates')
    .select(['date', 'rate'])
    .where('currency', '=', currency)
    .where('date', '<=', date)
    .where('date', '>=', daysBefore(date, MAX_DAYS))
    .orderBy('date', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { exchange_rate: eurosPerUnit(row.rate), exchange_rate_date: row.date } : null
}

const ISSUE = '/invoice/issue_data'

const dayAt = (document: unknown, path: string): string | undefined => {
  const value = valueAt(document, path)
  return typeof value === 'string' && isDate(value) ? value : undefined
}

/**
 * Returns the day whose rate applies: the exchange rate date that the invoice states, else its operation date, else its
 * issue date.
 */
export const rateDayOf = (document: unknown): string | undefined =>
  dayAt(document, `${ISSUE}/invoice_currency/exchange_rate_date`) ??
  dayAt(document, `${ISSUE}/operation_date`) ??
  dayAt(document, `${ISSUE}/issue_date`)

/** Returns the stored rate for an unvalidated document; null if it states a rate, is in euros, or no rate is stored. */
export async function rateForDocument(shared: Shared, document: unknown): Promise<ExchangeRate | null> {
  const currency = valueAt(document, `${ISSUE}/invoice_currency/invoice_currency_code`)
  const day = rateDayOf(document)
  if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency) || currency === 'EUR' || !day) return null
  if (valueAt(document, `${ISSUE}/invoice_currency/exchange_rate`) !== undefined) return null
  return exchangeRateOn(shared, currency, day)
}
