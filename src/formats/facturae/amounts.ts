/** Amounts of a document: its currency's decimals, sums that stay exact. */
import { exact, exactNumber, keepDecimals, toMinor } from '../../money/index.ts'

/** Sum of amounts with up to eight decimals. */
export const addUp = (amounts: readonly number[]): number =>
  exactNumber(amounts.reduce((total, amount) => total.plus(amount), exact(0)))

/** How far apart two amounts are, in ten-thousandths of a unit. */
export const apart = (a: number, b: number): number => Math.abs(toMinor(a, 4) - toMinor(b, 4))

/** Rounds to the decimals that the currency has. */
export const rounding =
  (decimals: number) =>
  (amount: number): number =>
    keepDecimals(amount, decimals)
