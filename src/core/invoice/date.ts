/** Dates are texts `YYYY-MM-DD`. They can be compared as texts, and have no time zone. */

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

const digit = (text: string, at: number): number => {
  const value = text.charCodeAt(at) - 48
  return value >= 0 && value <= 9 ? value : Number.NaN
}

/**
 * Whether a value is a day of the (proleptic Gregorian) calendar in the form `YYYY-MM-DD`.
 *
 * @example
 * isDate('2028-02-29') // => true
 * isDate('2027-02-29') // => false
 * isDate('27-02-2027') // => false
 */
export function isDate(text: string): boolean
export function isDate(value: unknown): value is string
export function isDate(text: unknown): boolean {
  if (typeof text !== 'string' || text.length !== 10 || text[4] !== '-' || text[7] !== '-') return false
  const year = digit(text, 0) * 1000 + digit(text, 1) * 100 + digit(text, 2) * 10 + digit(text, 3)
  const month = digit(text, 5) * 10 + digit(text, 6)
  const day = digit(text, 8) * 10 + digit(text, 9)
  return isDay(year, month, day)
}

/** Whether the numbers are a day of the calendar. Returns false if any is NaN. */
export function isDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= DAYS[month - 1]!)) return false
  return !(month === 2 && day === 29) || (year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))
}
