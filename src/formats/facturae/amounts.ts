/** Exact sums of amounts, and rounding to the decimals of a currency. */
import { exact, exactNumber, keepDecimals, toMinor } from '../../money/index.ts'

/** Returns the sum of amounts with up to eight decimals. */
export const addUp = (amounts: readonly number[]): number =>
  exactNumber(amounts.reduce((total, amount) => total.plus(amount), exact(0)))

/** Returns the distance between two amounts, in ten-thousandths of a unit. */
export const distance = (a: number, b: number): number => Math.abs(toMinor(a, 4) - toMinor(b, 4))

/** Returns a function that rounds to the decimals of the currency. */
export const rounding =
  (decimals: number) =>
  (amount: number): number =>
    keepDecimals(amount, decimals)
