/**
 * Exact decimal arithmetic with JavaScript numbers.
 *
 * A JSON number represents the decimal in its text, and `scaleOf` returns the number of decimals. The number times
 * 10^scale is an integer below 10^15, so products and sums of a few such integers are exact below 2^53. Numbers that do
 * not fit use exact decimals (`exact.ts`).
 */

/** Powers of ten that are exact as numbers. */
const POW10: readonly number[] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
]

/** Returns `10^exponent`, exactly, for an exponent from 0 to 18. */
export const pow10 = (exponent: number): number => POW10[exponent]!

/** Number of decimals kept of quantities, unit prices and rates (calculation page, section 2). */
export const MAX_DECIMALS = 8

/** Largest integer up to which sums and products are exact: 2^53 - 1. */
export const MAX_EXACT = Number.MAX_SAFE_INTEGER

/**
 * Limit below which integers have at most 15 digits. Decimals with up to 15 significant digits convert to a double and
 * back without loss.
 */
const MAX_FAITHFUL = 1e15

/** Whether the value times the power of ten has at most 15 digits. */
const fits = (value: number, power: number): boolean => {
  const scaled = Math.round(value * power)
  return scaled / power === value && scaled < MAX_FAITHFUL && scaled > -MAX_FAITHFUL
}

/**
 * Returns the number of decimals needed to write `value`, rounded up to 0, 2, 4, 6 or 8. Returns `-1` for more than 8
 * decimals or more than 15 significant digits, which require exact arithmetic.
 *
 * @example
 * scaleOf(100) // => 0
 * scaleOf(9.99) // => 2
 * scaleOf(0.1234567) // => 8
 * scaleOf(24.369999999999997) // => -1
 */
export function scaleOf(value: number): number {
  if (value < MAX_FAITHFUL && value > -MAX_FAITHFUL && Math.floor(value) === value) return 0
  if (fits(value, 1e2)) return 2
  if (fits(value, 1e4)) return 4
  if (fits(value, 1e6)) return 6
  if (fits(value, 1e8)) return 8
  return -1
}

/**
 * Returns the quotient of two integers, rounded half away from zero. Exact for a numerator below 2^53: the
 * floating-point quotient never rounds up to an integer, because its distance to the nearest integer exceeds half of
 * its last digit.
 *
 * @example
 * divideRounded(1005, 10) // => 101
 * divideRounded(-1005, 10) // => -101
 */
export function divideRounded(numerator: number, divisor: number): number {
  const size = numerator < 0 ? -numerator : numerator
  const whole = Math.floor(size / divisor)
  const rest = size - whole * divisor
  const quotient = rest * 2 >= divisor ? whole + 1 : whole
  return numerator < 0 ? 0 - quotient : quotient + 0
}
