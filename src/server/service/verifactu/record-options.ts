/** Options common to all records of a company: software, previous record and timestamp. */
import { createHash } from 'node:crypto'
import { spanishTimestamp } from '../../../fiscal/timestamp.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { hasCompanies } from '../company/company.ts'
import { type ChainEnd, timestampAfter } from './chain.ts'

export const sha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase()

/** Stores known to have several taxpayers. Companies are never deleted, so this does not change back. */
const withSeveralTaxpayers = new WeakSet<object>()

/**
 * Returns the description of the software. Whether it serves several taxpayers is read from the store, not configured;
 * `hasSeveralTaxpayers` is that fact if it was read before.
 */
export async function systemNow(
  { shared }: Rows,
  { system, store }: Call['app'],
  hasSeveralTaxpayers?: boolean,
) {
  if (!withSeveralTaxpayers.has(store) && (hasSeveralTaxpayers ?? (await hasCompanies(shared, 2))))
    withSeveralTaxpayers.add(store)
  return system.block(withSeveralTaxpayers.has(store))
}

/** Returns the timestamp, or the first instant of the invoice date if that has not begun yet. */
function timestampOn(date: string | undefined, timestamp: string): string {
  if (!date || date <= timestamp.slice(0, 10)) return timestamp
  // Midnight in Madrid is one or two hours before midnight UTC.
  const hours = [2, 1].map((hour) => spanishTimestamp(Date.parse(date) - hour * 3_600_000))
  return hours.find((one) => one.startsWith(date)) ?? timestamp
}

/** Returns the options of the record that follows `last`; `date` is that of its invoice. */
export const recordOptions = async (
  db: Rows,
  { app, locale }: Call,
  last: ChainEnd<'records'>['last'],
  date?: string,
  hasSeveralTaxpayers?: boolean,
) => ({
  system: await systemNow(db, app, hasSeveralTaxpayers),
  previous: last,
  timestamp: timestampOn(date, timestampAfter(app.clock.timestamp(), last)),
  hash: sha256,
  locale,
})
