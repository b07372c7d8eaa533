/** The clock of all services. Only the wait loops of the store read the system time themselves. */
import { spanishDay, spanishTimestamp } from '#records/fiscal/index.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /**
   * Returns a timestamp for responses: UTC with microseconds, without a zone. Later calls in a process return later
   * timestamps.
   */
  readonly stamp: () => string
  /** Today in Madrid, `YYYY-MM-DD`. */
  readonly today: () => string
  /** Returns the current time in the format of fiscal records. */
  readonly timestamp: () => string
}

/** Returns the day `count` days after `day`, or before it if `count` is negative. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)

const HOUR_MS = 3_600_000

/** Formats microseconds since 1970 as `2026-11-21T10:15:30.123456`. */
export const timestampOfMicroseconds = (microseconds: number): string => {
  const whole = Math.floor(microseconds / 1000)
  const rest = String(microseconds - whole * 1000).padStart(3, '0')
  return `${new Date(whole).toISOString().slice(0, -1)}${rest}`
}

/** Returns a timestamp later or earlier by `microseconds`. */
export const shiftedTimestamp = (stamp: string, microseconds: number): string =>
  timestampOfMicroseconds(
    Date.parse(`${stamp.slice(0, 23)}Z`) * 1000 + Number(stamp.slice(23)) + microseconds,
  )

/** Returns the current timestamp or, if it is not later than `before`, the one a microsecond after `before`. */
export function timestampAfter({ stamp }: Pick<Clock, 'stamp'>, before: string): string {
  const now = stamp()
  return now > before ? now : shiftedTimestamp(before, 1)
}

/** Creates a clock from a source of milliseconds, which tests can replace. */
export function createClock(now: () => number = Date.now): Clock {
  let last = 0
  /** Midnight in Madrid is always at a full hour in UTC, so the day is cached until the current hour ends. */
  let hour = Number.NaN
  let day = ''
  return {
    now,
    stamp: () => {
      last = Math.max(now() * 1000, last + 1)
      return timestampOfMicroseconds(last)
    },
    today: () => {
      const current = Math.floor(now() / HOUR_MS)
      if (current !== hour) {
        day = spanishDay(now())
        hour = current
      }
      return day
    },
    timestamp: () => spanishTimestamp(now()),
  }
}
