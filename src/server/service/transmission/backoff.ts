/** Pauses after failures. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Returns a random number between two, so that queues that failed together do not retry together. */
const between = (least: number, most: number): number => least + Math.random() * (most - least)

/**
 * Returns the milliseconds until the next attempt after a number of failures in a row: within 30 s after the first,
 * then minutes, an hour at most (art. 16 Orden HAC/1177/2024 requires at least one attempt an hour).
 */
export function pauseAfterFailure(failures: number): number {
  if (failures <= 1) return between(10 * SECOND, 30 * SECOND)
  const most = Math.min(HOUR, MINUTE * 2 ** (failures - 2))
  return between(most / 2, most)
}

/**
 * Returns our pause, or the longer one that the authority's server asks for (`Retry-After`, in seconds): an hour at
 * most.
 */
export const withRetryAfter = (pause: number, retryAfter: number | null | undefined): number =>
  Math.max(pause, Math.min((retryAfter ?? 0) * SECOND, HOUR))

/** Returns the instant to wait for, or 0 if it lies more than `most` ahead: then it was set by a wrong clock. */
export const plausibleInstant = (at: number, now: number, most: number): number => (at - now > most ? 0 : at)

/** Returns the pause before sending a message again that would be refused again: half an hour to an hour. */
export const pauseAfterRefusal = (): number => between(HOUR / 2, HOUR)
