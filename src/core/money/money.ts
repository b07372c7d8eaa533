/**
 * The only module that multiplies, rounds or takes percentages of amounts. Amounts are `Minor`: safe integers of a
 * currency's minor unit (cents for the euro).
 *
 * Rounding is half away from zero, also for negative amounts (calculation page, section 2).
 */
import {
  exactConversion,
  exactMinor,
  exactNet,
  exactPercent,
  exactProduct,
  exactQuotient,
  exactRound,
} from './exact.ts'
import { divideRounded, MAX_DECIMALS, MAX_EXACT, pow10, scaleOf } from './scale.ts'

declare const minorBrand: unique symbol
/** An integer number of minor units (cents). */
export type Minor = number & { readonly [minorBrand]?: true }

/**
 * Converts `value` to minor units, rounded half away from zero.
 *
 * @example
 * toMinor(1.005) // => 101
 * toMinor(-1.005) // => -101
 * toMinor(24.369999999999997) // => 2437
 */
export function toMinor(value: number, decimals = 2): Minor {
  const power = pow10(decimals)
  const scaled = Math.round(value * power)
  if (scaled / power === value && scaled < 1e15 && scaled > -1e15) return scaled + 0
  return exactMinor(value, decimals)
}

/**
 * Converts minor units to a JSON number in its shortest form.
 *
 * @example
 * toNumber(1210) // => 12.1
 */
export const toNumber = (amount: Minor, decimals = 2): number => amount / pow10(decimals) + 0

/**
 * Returns `a x b` in minor units: quantity x unit price, or amount x exchange rate.
 *
 * @example
 * multiply(3, 0.1) // => 30
 * multiply(1, 1.005) // => 101
 * multiply(-1, 1.005) // => -101
 */
export function multiply(a: number, b: number, decimals = 2): Minor {
  const scaleA = scaleOf(a)
  const scaleB = scaleOf(b)
  if (scaleA >= 0 && scaleB >= 0) {
    const product = Math.round(a * pow10(scaleA)) * Math.round(b * pow10(scaleB))
    if (product <= MAX_EXACT / 2 && product >= -MAX_EXACT / 2) {
      const surplus = scaleA + scaleB - decimals
      return surplus > 0 ? divideRounded(product, pow10(surplus)) : product * pow10(-surplus) + 0
    }
  }
  return exactProduct(a, b, decimals)
}

/**
 * Returns `amount x percent / 100`, rounded.
 *
 * @example
 * percentOf(2477, 21) // => 520
 */
export function percentOf(amount: Minor, percent: number): Minor {
  if (percent === 0 || amount === 0) return 0
  const scale = scaleOf(percent)
  if (scale >= 0) {
    const product = amount * Math.round(percent * pow10(scale))
    if (product <= MAX_EXACT / 2 && product >= -MAX_EXACT / 2) return divideRounded(product, pow10(scale + 2))
  }
  return exactPercent(amount, percent)
}

/**
 * Returns the net part of a tax-included amount: `gross x 100 / (100 + percent)`, rounded.
 *
 * @example
 * netOf(2997, 21) // => 2477
 */
export function netOf(gross: Minor, percent: number): Minor {
  if (percent === 0 || gross === 0) return gross
  const scale = scaleOf(percent)
  if (scale >= 0 && percent > -100) {
    const hundred = pow10(scale + 2)
    const product = gross * hundred
    const divisor = hundred + Math.round(percent * pow10(scale))
    if (product <= MAX_EXACT / 2 && product >= -MAX_EXACT / 2 && divisor <= MAX_EXACT / 2)
      return divideRounded(product, divisor)
  }
  return percent === -100 ? 0 : exactNet(gross, percent)
}

/**
 * Rounds `value` to at most `decimals` decimals, half away from zero. A value without further decimals is returned
 * unchanged.
 *
 * @example
 * keepDecimals(24.369999999999997) // => 24.37
 * keepDecimals(0.12345678) // => 0.12345678
 */
export function keepDecimals(value: number, decimals = MAX_DECIMALS): number {
  const power = pow10(decimals)
  const scaled = Math.round(value * power)
  if (scaled / power === value && scaled < 1e15 && scaled > -1e15) return value + 0
  return exactRound(value, decimals)
}

/**
 * Returns `price x rate` with 8 decimals: a unit price in another currency.
 *
 * @example
 * convertPrice(19.99, 0.92) // => 18.3908
 */
export const convertPrice = (price: number, rate: number): number =>
  exactConversion(price, rate, MAX_DECIMALS)

/**
 * Converts an amount in euros to a currency of which one unit is `rate` euros: `amount / rate` with the given decimals,
 * by default the 8 decimals of a price.
 *
 * @example
 * fromEuros(18.3908, 0.92) // => 19.99
 * fromEuros(100, 0.92, 2) // => 108.7
 */
export const fromEuros = (amount: number, rate: number, decimals: number = MAX_DECIMALS): number =>
  exactQuotient(amount, rate, decimals)

/** Returns the sum of amounts, exact while it is a safe integer. */
export function sum(amounts: readonly Minor[]): Minor {
  let total = 0
  for (let i = 0; i < amounts.length; i++) total += amounts[i]!
  return total
}

/**
 * Returns the number of cents by which an amount sent may differ from the computed amount: one per line, at least one
 * (calculation page, sections 4 and 5).
 */
export const toleranceOf = ({ lines }: { readonly lines: readonly unknown[] }): Minor =>
  Math.max(1, lines.length)
