/** What every record of a company is made with: the system, the record before it, the moment. */
import { createHash } from 'node:crypto'
import { spanishTimestamp } from '../../../fiscal/timestamp.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { hasCompanies } from '../company/company.ts'
import { type ChainEnd, timestampAfter } from './chain.ts'

export const sha256 = (text: string): string =>
  createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase()

/** Stores that were found to hold several taxpayers: nobody deletes a company, so that stays as it is. */
const ofSeveral = new WeakSet<object>()

/**
 * The system as it is now: whether it serves several taxpayers is a fact of the moment, not a setting. `isOfSeveral` is
 * that fact where it was read before.
 */
export async function systemNow({ shared }: Rows, { system, store }: Call['app'], isOfSeveral?: boolean) {
  if (!ofSeveral.has(store) && (isOfSeveral ?? (await hasCompanies(shared, 2)))) ofSeveral.add(store)
  return system.block(ofSeveral.has(store))
}

/** The moment; for an invoice whose date the clock has not reached yet, the first moment of that day. */
function timestampOn(date: string | undefined, timestamp: string): string {
  if (!date || date <= timestamp.slice(0, 10)) return timestamp
  // Midnight in Madrid is one or two hours before that of UTC.
  const hours = [2, 1].map((hour) => spanishTimestamp(Date.parse(date) - hour * 3_600_000))
  return hours.find((one) => one.startsWith(date)) ?? timestamp
}

/** Options of the record that follows `last`, of an invoice of a date where there is one. */
export const recordOptions = async (
  db: Rows,
  { app, locale }: Call,
  last: ChainEnd<'records'>['last'],
  date?: string,
  isOfSeveral?: boolean,
) => ({
  system: await systemNow(db, app, isOfSeveral),
  previous: last,
  timestamp: timestampOn(date, timestampAfter(app.clock.timestamp(), last)),
  hash: sha256,
  locale,
})
