/** Calculates the pauses after failures. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Returns a random number between two numbers, so that queues that failed together do not retry together. */
const between = (least: number, most: number): number => least + Math.random() * (most - least)

/**
 * Returns the milliseconds until the next attempt after a number of consecutive failures: at most 30 seconds after the
 * first, then minutes, at most an hour. Art. 16 Orden HAC/1177/2024 requires at least one attempt per hour.
 */
export function pauseAfterFailure(failures: number): number {
  if (failures <= 1) return between(10 * SECOND, 30 * SECOND)
  const most = Math.min(HOUR, MINUTE * 2 ** (failures - 2))
  return between(most / 2, most)
}

/**
 * Returns the pause, or the longer one that the authority's server requests (`Retry-After`, in seconds), up to an hour.
 */
export const withRetryAfter = (pause: number, retryAfter: number | null | undefined): number =>
  Math.max(pause, Math.min((retryAfter ?? 0) * SECOND, HOUR))

/** Returns an instant, or 0 if it is more than `most` ahead of now, because a wrong clock must have set it. */
export const plausibleInstant = (at: number, now: number, most: number): number => (at - now > most ? 0 : at)

/** Returns the pause after a rejection that is likely to recur, in milliseconds: 30 to 60 minutes. */
export const pauseAfterRefusal = (): number => between(HOUR / 2, HOUR)
