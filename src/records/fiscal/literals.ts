/** The literal formats of fiscal records: dates `dd-mm-yyyy`, amounts with a point, timestamps with a UTC offset. */
import { isDate, isDay } from '#core/invoice/date.ts'

const ZERO = 48
const MINUS = 45
const PLUS = 43
const POINT = 46
const COLON = 58

/**
 * Formats a date `yyyy-mm-dd` in the format of records.
 *
 * @example
 * toFecha('2027-01-31') // => '31-01-2027'
 */
export const toFecha = (date: string): string =>
  `${date.slice(8, 10)}-${date.slice(5, 7)}-${date.slice(0, 4)}`

/**
 * Parses a date of a record to `yyyy-mm-dd`. Returns undefined for anything but a calendar date.
 *
 * @example
 * fromFecha('31-01-2027') // => '2027-01-31'
 * fromFecha('31-02-2027') // => undefined
 */
export function fromFecha(text: string | undefined): string | undefined {
  if (typeof text !== 'string' || !/^\d\d-\d\d-\d{4}$/.test(text)) return undefined
  const date = `${text.slice(6)}-${text.slice(3, 5)}-${text.slice(0, 2)}`
  return isDate(date) ? date : undefined
}

/**
 * Formats cents in the format of records: two decimals, a minus sign if negative, no leading zeros. Never returns
 * `-0.00`.
 *
 * @example
 * toImporte(12345) // => '123.45'
 * toImporte(-5) // => '-0.05'
 */
export function toImporte(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Formats a percentage in its shortest form, `21` or `5.2`. No schema accepts more than two decimals. */
export const toTipo = (rate: number): string => String(rate)

/**
 * Parses an amount that the schema allows (`[+-]?\d{1,12}(\.\d{0,2})?`) to cents. Returns undefined for any other text.
 *
 * @example
 * fromImporte('41.4') // => 4140
 * fromImporte('41,40') // => undefined
 */
export function fromImporte(text: string | undefined): number | undefined {
  if (typeof text !== 'string') return undefined
  const cents = plainCents(text)
  return cents < 0 ? anyCents(text) : cents
}

/** Parses an amount below ten million in the format of `toImporte` to cents. Returns -1 for any other text. */
function plainCents(text: string): number {
  const point = text.length - 3
  if (point < 1 || point > 7 || text.charCodeAt(point) !== POINT) return -1
  const decimals = twoDigits(text, point + 1)
  let units = 0
  for (let at = 0; at < point; at++) {
    const digit = text.charCodeAt(at) - ZERO
    if (!(digit >= 0 && digit <= 9)) return -1
    units = units * 10 + digit
  }
  return decimals >= 0 ? units * 100 + decimals : -1
}

function anyCents(text: string): number | undefined {
  const [, sign, units, decimals = ''] = /^([+-]?)(\d{1,12})(?:\.(\d{0,2}))?$/.exec(text) ?? []
  if (units === undefined) return undefined
  const cents = Number(units + decimals.padEnd(2, '0'))
  return sign === '-' ? 0 - cents : cents
}

/**
 * Parses a timestamp `yyyy-mm-ddThh:mm:ss±hh:mm` (or `Z`) to milliseconds since 1970. Returns undefined for any other
 * text, an impossible date or time, or an offset beyond 14 hours. Fractions of a second are refused, as the authority
 * refuses them.
 *
 * @example
 * timestampOf('1970-01-01T01:00:00+01:00') // => 0
 * timestampOf('2027-02-30T10:00:00+01:00') // => undefined
 */
export function timestampOf(text: string | undefined): number | undefined {
  if (typeof text !== 'string' || (text.length !== 25 && text.length !== 20)) return undefined
  if (text.charCodeAt(4) !== MINUS || text.charCodeAt(7) !== MINUS || text[10] !== 'T') return undefined
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return undefined
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  if (!isDay(year, month, day) || !(hour <= 23 && minute <= 59 && second <= 59)) return undefined
  const offset = offsetOf(text)
  if (Number.isNaN(offset)) return undefined
  return ((daysUntil(year, month, day) * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000
}

/** Returns the minutes of the offset at the end of a timestamp, `Z` or `±hh:mm`; NaN for anything else. */
function offsetOf(text: string): number {
  if (text.length === 20) return text[19] === 'Z' ? 0 : Number.NaN
  const sign = text.charCodeAt(19) === PLUS ? 1 : text.charCodeAt(19) === MINUS ? -1 : Number.NaN
  const minutes = twoDigits(text, 23)
  const offset = sign * (twoDigits(text, 20) * 60 + minutes)
  return text.charCodeAt(22) === COLON && minutes <= 59 && Math.abs(offset) <= 840 ? offset : Number.NaN
}

/** Returns the number that two digits of a text form; NaN if they are not digits. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const ones = text.charCodeAt(at + 1) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** Returns the number of days from 1970-01-01 to a day of the Gregorian calendar. */
function daysUntil(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468
}

/**
 * Formats the UTC day of an instant in milliseconds since 1970 as `yyyy-mm-dd`.
 *
 * @example
 * dayOf(Date.UTC(2028, 1, 29, 23)) // => '2028-02-29'
 */
export function dayOf(instant: number): string {
  const shifted = Math.floor(instant / 86_400_000) + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const m = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * m + 2) / 5) + 1
  const month = m < 10 ? m + 3 : m - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const two = (value: number): string => (value < 10 ? `0${value}` : String(value))
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}
