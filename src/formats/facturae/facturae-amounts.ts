/** Exact sums of amounts, and rounding to the decimals of a currency. */
import { exact, exactNumber, keepDecimals, toMinor } from '#core/money/index.ts'

/** One cent, in ten-thousandths of the currency unit. */
export const CENT = 100

/** Returns the sum of amounts with up to eight decimals. */
export const addUp = (amounts: readonly number[]): number =>
  exactNumber(amounts.reduce((total, amount) => total.plus(amount), exact(0)))

/** Returns the distance between two amounts, in ten-thousandths of a unit. */
export const distance = (a: number, b: number): number => Math.abs(toMinor(a, 4) - toMinor(b, 4))

/**
 * Whether the base is lower than the price by more than a cent. A single cent may come from rounding a group of lines.
 */
export const showsMargin = ({ gross, base }: { readonly gross: number; readonly base: number }): boolean =>
  toMinor(Math.abs(gross), 4) - toMinor(Math.abs(base), 4) > CENT

/** Returns a function that rounds to the decimals of the currency. */
export const roundingTo =
  (decimals: number) =>
  (amount: number): number =>
    keepDecimals(amount, decimals)
