/** How long to wait after a failure. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Between two numbers, so that those that failed together do not try again together. */
const between = (least: number, most: number): number => least + Math.random() * (most - least)

/**
 * Milliseconds until the next try after so many failures in a row: the first comes within 30 s, then after minutes,
 * and never later than an hour (art. 16 Orden HAC/1177/2024: at least one try each hour).
 */
export function afterFailure(failures: number): number {
  if (failures <= 1) return between(10 * SECOND, 30 * SECOND)
  const most = Math.min(HOUR, MINUTE * 2 ** (failures - 2))
  return between(most / 2, most)
}

/** A pause of ours, or longer where the authority's server asks for that: an hour at most. */
export const atLeast = (pause: number, retryAfter: number | null | undefined): number =>
  Math.max(pause, Math.min((retryAfter ?? 0) * SECOND, HOUR))

/** An instant to wait for; 0 where a wrong clock has put it further ahead than anything is waited for (`most`). */
export const plausible = (at: number, now: number, most: number): number => (at - now > most ? 0 : at)

/** The same where the same message would be refused again: something has to be done first. */
export const afterRefusal = (): number => between(HOUR / 2, HOUR)
