/**
 * Exact decimals with `decimal.js`. `money.ts` uses them where safe integers may not suffice; `explain` uses them for
 * all its arithmetic. Tests compare both paths with rational numbers.
 */
import { Decimal } from 'decimal.js'
import { pow10 } from './scale.ts'

export type Exact = Decimal

/**
 * Number of significant digits and number of decimals of intermediate results. They suffice for every value that the
 * schema accepts:
 *
 * - Sums and products are exact. Numbers sent are below 10^12 with 8 decimals (`schemas/common.json`, `normalise-numbers.ts`),
 * computed amounts below 10^12 with 4: a product of two takes 40 digits, a sum over 20,000 lines 5 more. An exchange
 * rate passed by the caller may be any double, which has 17 digits.
 * - Quotients are fractions N / D. The longest, a line's part of a document discount by absolute amounts, is
 * `adjustment x group / sizes x line / group`: below 10^40, with D below 10^4 (minor units in a unit) x 10^21 (20,000
 * groups) x 10^17 (one of them) < 10^45. No value is shown or rounded to more than 20 decimals. A fraction that is
 * neither such a decimal nor half way between two is at least 1 / (2 x 10^20 x D) > 10^-66 away from each. Cutting at
 * 120 digits changes it by less than 10^-78, keeping 70 decimals by less than 10^-70. So it is rounded, cut and
 * compared as the fraction would be.
 */
const PRECISION = 120
const DECIMALS = 70

let Kind: typeof Decimal | undefined

/**
 * Returns the decimal with the same text as a JSON number: `24.37` becomes exactly 24.37.
 *
 * @example
 * exactText(exact(24.37).times(3)) // => '73.11'
 * exactText(exact(2997).div(121), 4) // => '24.7685…'
 * exactText(roundExact(exact(-1.005), 2)) // => '-1.01'
 */
export const exact = (value: number): Exact => {
  // Created on first use, because most invoices do not need it and creating it takes time at start-up.
  Kind ??= Decimal.clone({ precision: PRECISION })
  return new Kind(value)
}

/** Returns the value rounded to `decimals`, or the same object if it has no further decimals. */
const cut = (value: Exact, decimals: number, rounding: Decimal.Rounding = Decimal.ROUND_HALF_UP): Exact =>
  value.decimalPlaces() > decimals ? value.toDecimalPlaces(decimals, rounding) : value

/** Rounds away the error of truncated quotients, so that a third times three is one. */
const settled = (value: Exact): Exact => cut(value, DECIMALS)

/** Rounds half away from zero. */
export const roundExact = (value: Exact, decimals: number): Exact => cut(settled(value), decimals)

/** Returns the decimal text without rounding; `…` replaces digits beyond `decimals`. */
export function exactText(value: Exact, decimals = 20): string {
  const whole = settled(value)
  const shown = cut(whole, decimals, Decimal.ROUND_DOWN)
  if (shown === whole) return shown.toFixed()
  return `${shown.isZero() && whole.isNegative() ? '-' : ''}${shown.toFixed()}…`
}

/** Returns the nearest number, never -0. */
export const exactNumber = (value: Exact): number => settled(value).toNumber() + 0

const units = (value: Exact, decimals: number): number =>
  roundExact(value, decimals).times(pow10(decimals)).toNumber() + 0

/** Returns `value` in minor units. */
export const exactMinor = (value: number, decimals: number): number => units(exact(value), decimals)

/** Returns `a x b` in minor units. */
export const exactProduct = (a: number, b: number, decimals: number): number =>
  units(exact(a).times(b), decimals)

/** Returns `amount x percent / 100`, both in minor units. */
export const exactPercent = (amount: number, percent: number): number =>
  units(exact(amount).times(percent).div(100), 0)

/** Returns `gross x 100 / (100 + percent)`, both in minor units. */
export const exactNet = (gross: number, percent: number): number =>
  units(exact(gross).times(100).div(exact(percent).plus(100)), 0)

/** Returns `value` rounded half away from zero to `decimals` decimals, as the nearest number. */
export const exactRound = (value: number, decimals: number): number =>
  exactNumber(roundExact(exact(value), decimals))

/** Returns `a x b` rounded to `decimals` decimals, as the nearest number. */
export const exactConversion = (a: number, b: number, decimals: number): number =>
  exactNumber(roundExact(exact(a).times(b), decimals))

/** Returns `a / b` rounded to `decimals` decimals, as the nearest number. */
export const exactQuotient = (a: number, b: number, decimals: number): number =>
  exactNumber(roundExact(exact(a).div(b), decimals))

/** Returns a percentage as integers `[percent x 10^n, 100 x 10^n]`. */
export const exactRatio = (percent: number): [number, number] => {
  const value = exact(percent)
  const power = Number(`1e${value.decimalPlaces()}`)
  return [value.times(power).toNumber(), 100 * power]
}
