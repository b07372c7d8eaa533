/** Moments with the offset of the place of issue. Spain's zones follow the directive on summer time (2000/84/EC). */
import { timestampOf } from './literals.ts'

/** Zones of Spanish territory. */
export type SpanishZone = 'Europe/Madrid' | 'Atlantic/Canary'

const STANDARD_HOURS: Readonly<Record<SpanishZone, number>> = { 'Europe/Madrid': 1, 'Atlantic/Canary': 0 }
const HOUR = 3_600_000

/** Summer time begins and ends at 01:00 UTC of the last Sunday of March and of October. */
const changeOf = (year: number, month: number): number => {
  const last = new Date(Date.UTC(year, month, 31, 1))
  return last.getTime() - last.getUTCDay() * 24 * HOUR
}

const isSummer = (instant: number): boolean => {
  const year = new Date(instant).getUTCFullYear()
  return instant >= changeOf(year, 2) && instant < changeOf(year, 9)
}

/** Hours that a zone is ahead of UTC at an instant (milliseconds since 1970). */
export const offsetHours = (instant: number, zone: SpanishZone): number =>
  STANDARD_HOURS[zone] + (isSummer(instant) ? 1 : 0)

const pad = (value: number): string => String(value).padStart(2, '0')

/**
 * An instant as records write it: `yyyy-mm-ddThh:mm:ss±hh:mm`, whole seconds, in a Spanish zone.
 *
 * `instant` is in milliseconds since 1970 (UTC), as `Date.now()` gives it to a host: the engine reads no clock.
 * Throws a `RangeError` for an instant that is no time between the years 1970 and 9999.
 *
 * @example
 * spanishMoment(0, 'Europe/Madrid') // => '1970-01-01T01:00:00+01:00'
 * spanishMoment(Date.UTC(2027, 6, 1, 10), 'Atlantic/Canary') // => '2027-07-01T11:00:00+01:00'
 */
export function spanishTimestamp(instant: number, zone: SpanishZone = 'Europe/Madrid'): string {
  if (!(instant >= 0 && instant < Date.UTC(9999, 11, 31)))
    throw new RangeError(`${instant} is no instant in milliseconds since 1970`)
  const hours = offsetHours(instant, zone)
  const local = new Date(instant + hours * HOUR)
  const date = `${local.getUTCFullYear()}-${pad(local.getUTCMonth() + 1)}-${pad(local.getUTCDate())}`
  const time = `${pad(local.getUTCHours())}:${pad(local.getUTCMinutes())}:${pad(local.getUTCSeconds())}`
  return `${date}T${time}+${pad(hours)}:00`
}

/**
 * The day that it is in Madrid, `YYYY-MM-DD`: what rules compare with today. `instant` as for `spanishMoment`.
 *
 * @example
 * spanishDay(Date.UTC(2026, 11, 31, 23, 30)) // => '2027-01-01'
 */
export const spanishDay = (instant: number): string => spanishTimestamp(instant).slice(0, 'YYYY-MM-DD'.length)

/** What is wrong with a moment that a record shall carry; null if nothing. */
export function timestampProblem(timestamp: unknown): 'form' | 'zone' | null {
  if (typeof timestamp !== 'string' || !/[+-]\d\d:\d\d$/.test(timestamp)) return 'form'
  const instant = timestampOf(timestamp)
  if (instant === undefined) return 'form'
  const zones: readonly SpanishZone[] = ['Europe/Madrid', 'Atlantic/Canary']
  return zones.some((zone) => instant >= 0 && spanishTimestamp(instant, zone) === timestamp) ? null : 'zone'
}
