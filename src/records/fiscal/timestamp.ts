/**
 * Timestamps with the UTC offset of the place of issue. The time zones of Spain follow the directive on summer time
 * (2000/84/EC).
 */
import { timestampOf } from './literals.ts'

/** Time zones of Spain. */
export type SpanishZone = 'Europe/Madrid' | 'Atlantic/Canary'

const STANDARD_HOURS: Readonly<Record<SpanishZone, number>> = { 'Europe/Madrid': 1, 'Atlantic/Canary': 0 }
const HOUR = 3_600_000

/** Returns the instant at which summer time starts or ends: 01:00 UTC on the last Sunday of March or October. */
const changeOf = (year: number, month: number): number => {
  const last = new Date(Date.UTC(year, month, 31, 1))
  return last.getTime() - last.getUTCDay() * 24 * HOUR
}

const isSummer = (instant: number): boolean => {
  const year = new Date(instant).getUTCFullYear()
  return instant >= changeOf(year, 2) && instant < changeOf(year, 9)
}

/** Returns the UTC offset of a zone in hours at an instant (milliseconds since 1970). */
export const offsetHours = (instant: number, zone: SpanishZone): number =>
  STANDARD_HOURS[zone] + (isSummer(instant) ? 1 : 0)

const pad = (value: number): string => String(value).padStart(2, '0')

/**
 * Formats an instant in the format of records: `yyyy-mm-ddThh:mm:ss±hh:mm`, in whole seconds, in a Spanish zone.
 *
 * `instant` is in milliseconds since 1970 (UTC), such as the host's `Date.now()`; the engine itself reads no clock.
 * Throws a `RangeError` for an instant outside the years 1970 to 9999.
 *
 * @example
 * spanishTimestamp(0, 'Europe/Madrid') // => '1970-01-01T01:00:00+01:00'
 * spanishTimestamp(Date.UTC(2027, 6, 1, 10), 'Atlantic/Canary') // => '2027-07-01T11:00:00+01:00'
 */
export function spanishTimestamp(instant: number, zone: SpanishZone = 'Europe/Madrid'): string {
  if (!(instant >= 0 && instant < Date.UTC(9999, 11, 31)))
    throw new RangeError(`${instant} is not an instant in milliseconds since 1970`)
  const hours = offsetHours(instant, zone)
  const local = new Date(instant + hours * HOUR)
  const date = `${local.getUTCFullYear()}-${pad(local.getUTCMonth() + 1)}-${pad(local.getUTCDate())}`
  const time = `${pad(local.getUTCHours())}:${pad(local.getUTCMinutes())}:${pad(local.getUTCSeconds())}`
  return `${date}T${time}+${pad(hours)}:00`
}

/**
 * Returns the current day in Madrid, `YYYY-MM-DD`, as the rules expect `today`. `instant` is in milliseconds since 1970
 * (UTC).
 *
 * @example
 * spanishDay(Date.UTC(2026, 11, 31, 23, 30)) // => '2027-01-01'
 */
export const spanishDay = (instant: number): string => spanishTimestamp(instant).slice(0, 'YYYY-MM-DD'.length)

/** Returns the reason why a timestamp is not valid in a record; null if it is valid. */
export function timestampProblem(timestamp: unknown): 'form' | 'zone' | null {
  if (typeof timestamp !== 'string' || !/[+-]\d\d:\d\d$/.test(timestamp)) return 'form'
  const instant = timestampOf(timestamp)
  if (instant === undefined) return 'form'
  const zones: readonly SpanishZone[] = ['Europe/Madrid', 'Atlantic/Canary']
  return zones.some((zone) => instant >= 0 && spanishTimestamp(instant, zone) === timestamp) ? null : 'zone'
}
