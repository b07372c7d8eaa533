/**
 * Exact decimals: `decimal.js`, the fallback of the fast path in `money.ts` wherever a safe integer is not provably
 * enough, and the arithmetic of `explain`. Tests prove both paths equal to rational numbers.
 */
import { Decimal } from 'decimal.js'
import { pow10 } from './scale.ts'

export type Exact = Decimal

/**
 * Digits that a value keeps, and decimals of it that count. Enough for everything that the schema lets through:
 *
 * - Sums and products lose nothing. Numbers sent are below 10^12 with 8 decimals (`schemas/common.json`, `numbers.ts`),
 *   computed amounts below 10^12 with 4: a product of two takes 40 digits, a sum over 20,000 lines 5 more. A rate of
 *   exchange that the caller hands in may be any double; that is 17 digits.
 * - Quotients are fractions N / D. The longest, a line's part by size of a document discount, is
 *   `adjustment x group / sizes x line / group`: below 10^40, with D below 10^4 (minor units in a unit) x 10^21 (20,000
 *   groups) x 10^17 (one of them) < 10^45. Such a fraction that is not itself a decimal of 20 places, more than are ever
 *   shown or rounded to, or half way between two is at least 1 / (2 x 10^20 x D) > 10^-66 away from each. Cutting at 120
 *   digits takes less than 10^-78 from it, keeping 70 decimals less than 10^-70: it is rounded, cut and compared as the
 *   fraction would be.
 */
const PRECISION = 120
const DECIMALS = 70

let Kind: typeof Decimal | undefined

/**
 * The decimal that a JSON number prints as: `24.37` is exactly 24.37.
 *
 * @example
 * exactText(exact(24.37).times(3)) // => '73.11'
 * exactText(exact(2997).div(121), 4) // => '24.7685…'
 * exactText(roundExact(exact(-1.005), 2)) // => '-1.01'
 */
export const exact = (value: number): Exact => {
  // Made when it is first needed: most invoices never need it, and a start would wait for it.
  Kind ??= Decimal.clone({ precision: PRECISION })
  return new Kind(value)
}

/** The value itself where it has no more decimals, which is most often. */
const cut = (value: Exact, decimals: number, rounding: Decimal.Rounding = Decimal.ROUND_HALF_UP): Exact =>
  value.decimalPlaces() > decimals ? value.toDecimalPlaces(decimals, rounding) : value

/** Without what the cutting of quotients left behind: a third times three is one. */
const settled = (value: Exact): Exact => cut(value, DECIMALS)

/** Rounded half away from zero. */
export const roundExact = (value: Exact, decimals: number): Exact => cut(settled(value), decimals)

/** Decimal text without rounding; `…` marks digits beyond `decimals`. */
export function exactText(value: Exact, decimals = 20): string {
  const whole = settled(value)
  const shown = cut(whole, decimals, Decimal.ROUND_DOWN)
  if (shown === whole) return shown.toFixed()
  return `${shown.isZero() && whole.isNegative() ? '-' : ''}${shown.toFixed()}…`
}

/** The nearest number, never -0. */
export const exactNumber = (value: Exact): number => settled(value).toNumber() + 0

const units = (value: Exact, decimals: number): number =>
  roundExact(value, decimals).times(pow10(decimals)).toNumber() + 0

/** `value` in minor units. */
export const exactMinor = (value: number, decimals: number): number => units(exact(value), decimals)

/** `a x b` in minor units. */
export const exactProduct = (a: number, b: number, decimals: number): number =>
  units(exact(a).times(b), decimals)

/** `amount x percent / 100`, both sides in minor units. */
export const exactPercent = (amount: number, percent: number): number =>
  units(exact(amount).times(percent).div(100), 0)

/** `gross x 100 / (100 + percent)`, both sides in minor units. */
export const exactNet = (gross: number, percent: number): number =>
  units(exact(gross).times(100).div(exact(percent).plus(100)), 0)

/** `value` rounded half away from zero to `decimals` decimals, as the nearest number. */
export const exactRound = (value: number, decimals: number): number =>
  exactNumber(roundExact(exact(value), decimals))

/** `a x b` rounded to `decimals` decimals, as the nearest number. */
export const exactConversion = (a: number, b: number, decimals: number): number =>
  exactNumber(roundExact(exact(a).times(b), decimals))

/** A percentage as whole numbers `[percent x 10^n, 100 x 10^n]`. */
export const exactRatio = (percent: number): [number, number] => {
  const value = exact(percent)
  const power = Number(`1e${value.decimalPlaces()}`)
  return [value.times(power).toNumber(), 100 * power]
}
