/**
 * The exact reference: the same operations on `decimal.js`, for every input that JSON can carry. The fast
 * path in `money.ts` calls these wherever a safe integer is not provably enough, and a property test proves
 * the two equal where both apply.
 */
import { Decimal as DecimalJs } from 'decimal.js'

/** Enough digits that no product or quotient of this domain is rounded before we round it. */
const Decimal = DecimalJs.clone({
  precision: 60,
  rounding: DecimalJs.ROUND_HALF_UP,
  toExpNeg: -40,
  toExpPos: 40,
})
export type Decimal = DecimalJs

/** The decimal that a JSON number prints as; `24.37` is exactly 24.37. */
export const decimal = (value: number | string): Decimal => new Decimal(value)

/** Integer number of minor units, rounded half away from zero. */
const minor = (value: Decimal, decimals: number): number =>
  value.times(new Decimal(10).pow(decimals)).toDecimalPlaces(0).toNumber() + 0

/** `value` in minor units. */
export const exactMinor = (value: number, decimals: number): number => minor(decimal(value), decimals)

/** `a x b` in minor units. */
export const exactProduct = (a: number, b: number, decimals: number): number =>
  minor(decimal(a).times(decimal(b)), decimals)

/** `amount x percent / 100`, both sides in minor units. */
export const exactPercent = (amount: number, percent: number): number =>
  minor(decimal(amount).times(decimal(percent)).div(100), 0)

/** `gross x 100 / (100 + percent)`, both sides in minor units. */
export const exactNet = (gross: number, percent: number): number =>
  minor(
    decimal(gross)
      .times(100)
      .div(decimal(100).plus(decimal(percent))),
    0,
  )

/** `value` rounded half away from zero to `decimals` decimals, as the nearest number. */
export const exactRound = (value: number, decimals: number): number =>
  decimal(value).toDecimalPlaces(decimals).toNumber() + 0

/** Decimals that `value` prints with. */
export const decimalsOf = (value: number): number => decimal(value).decimalPlaces()

/** `a x b` rounded to `decimals` decimals, as the nearest number. */
export const exactConversion = (a: number, b: number, decimals: number): number =>
  decimal(a).times(decimal(b)).toDecimalPlaces(decimals).toNumber() + 0
