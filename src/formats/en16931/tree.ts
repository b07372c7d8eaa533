/** Converts the texts of XML elements. */
import { isDate } from '#core/invoice/date.ts'
import { keepDecimals } from '#core/money/index.ts'

/** Returns a text without blanks around it; undefined if absent or empty. */
export const contentOf = (text: unknown): string | undefined => {
  if (typeof text !== 'string') return undefined
  const trimmed = text.trim()
  return trimmed === '' ? undefined : trimmed
}

/** Maximum number of digits that a JSON number keeps exactly. */
const MAX_DIGITS = 15
const DECIMAL = /^[+-]?(\d*)(?:\.(\d*))?$/

/**
 * Converts an XML decimal to a number with the same decimal text; undefined if invalid. Rounds to 8 decimals, the
 * maximum for quantities and prices.
 *
 * @example
 * decimalOf('+021.500') // => 21.5
 * decimalOf('3.14159265358979') // => 3.14159265
 * decimalOf('1e3') // => undefined
 */
export function decimalOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [match, whole = '', decimals = ''] = DECIMAL.exec(text) ?? []
  if (match === undefined || (whole === '' && decimals === '')) return undefined
  const digits = whole.replace(/^0+/, '').length
  if (digits > MAX_DIGITS) return undefined
  const value = Number(text)
  return decimals.length > 8 ? keepDecimals(value) : value + 0
}

/** Whether an amount has more than two significant decimals. */
export const hasMoreThanTwoDecimals = (text: string): boolean => /\.\d\d\d*[1-9]/.test(text)

/** Returns the day of an `xs:date`. Its time zone is ignored, because a date of an invoice is never converted. */
export function dayOf(text: string | undefined): string | undefined {
  const day = text?.slice(0, 10)
  return day !== undefined && isDate(day) ? day : undefined
}

/** Returns the day of a CII date in format 102, such as `20270131`. */
export function dayOfFormat102(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{8}/.test(text)) return undefined
  return dayOf(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`)
}

/** Returns the object without its undefined members. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const kept: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const member = (value as Record<string, unknown>)[name]
    if (member !== undefined) kept[name] = member
  }
  return kept as { [K in keyof T]: Exclude<T[K], undefined> }
}
