/** The one place where services ask for the time. Loops of the store that wait have their own. */
import { spanishDay, spanishTimestamp } from '../../fiscal/timestamp.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** A moment as answers write it: UTC, microseconds, no zone. Later calls in one process give later moments. */
  readonly stamp: () => string
  /** Today in Madrid, `YYYY-MM-DD`. */
  readonly today: () => string
  /** Now as fiscal records write it. */
  readonly timestamp: () => string
}

const HOUR = 3_600_000

/** Microseconds since 1970 as `2026-11-21T10:15:30.123456`. */
export const stampOf = (microseconds: number): string => {
  const whole = Math.floor(microseconds / 1000)
  const rest = String(microseconds - whole * 1000).padStart(3, '0')
  return `${new Date(whole).toISOString().slice(0, -1)}${rest}`
}

/** A clock over a source of milliseconds, so that tests can set it. */
export function createClock(now: () => number = Date.now): Clock {
  let last = 0
  /** Midnight in Madrid is at a full hour. */
  let hour = Number.NaN
  let day = ''
  return {
    now,
    stamp: () => {
      last = Math.max(now() * 1000, last + 1)
      return stampOf(last)
    },
    today: () => {
      const current = Math.floor(now() / HOUR)
      if (current !== hour) {
        day = spanishDay(now())
        hour = current
      }
      return day
    },
    timestamp: () => spanishTimestamp(now()),
  }
}
