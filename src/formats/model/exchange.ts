/** Determines the exchange rate of a document from the rate and the amounts in euros that the document states. */
import {
  exact,
  exactNumber,
  fromEuros,
  type Minor,
  multiply,
  percentOf,
  roundExact,
  toMinor,
  toNumber,
} from '#core/money/index.ts'

/** Returns a quotient rounded to eight decimals, as exchange rates are. */
export const quotient = (a: number, b: number): number => exactNumber(roundExact(exact(a).div(b), 8))

/** Whether quantity x price differs from the cost by more than a rounding difference. */
export const isInconsistentPrice = (
  price: number,
  quantity: number,
  cost: number,
  decimals: number,
): boolean => Math.abs(multiply(quantity, price, decimals) - toMinor(cost, decimals)) > 1

/** An amount in the currency of the document, and the same amount in euros. */
export interface AmountInEuros {
  readonly amount: number
  readonly euros: number
}

/** Largest relative difference that can come from a rate with few decimals. A larger difference is a contradiction. */
const ROUNDED_RATE = 0.01

/**
 * Returns euros per unit. If the stated rate has too few decimals to result in the stated amounts in euros, the rate is
 * calculated from these amounts. `cents` is the difference that rounding explains. A rate that contradicts the amounts
 * is returned unchanged.
 */
export function rateOf(
  stated: number | undefined,
  equivalent: AmountInEuros | undefined,
  cents: number,
): { readonly rate: number | undefined; readonly isCalculated: boolean } {
  if (!equivalent?.amount || !equivalent.euros) return { rate: stated, isCalculated: false }
  const { amount, euros } = equivalent
  const difference = stated === undefined ? 0 : Math.abs(amount * stated - euros)
  const isRounded = difference * 100 > cents && difference <= Math.abs(euros) * ROUNDED_RATE
  return stated === undefined || isRounded
    ? { rate: quotient(euros, amount), isCalculated: true }
    : { rate: stated, isCalculated: false }
}

/** An entry of a list: its amount in euros, or its percentage of the sum of the lines. */
export interface ListEntry {
  readonly amount?: number | undefined
  readonly rate?: number | undefined
}

/** The currency of a document, with the sum of its lines in euros and in that currency. */
export interface DocumentCurrency {
  /** Euros per unit of the currency; 1 if no conversion is necessary. */
  readonly rate: number
  readonly decimals: number
  readonly euros: number
  readonly gross: number
}

/**
 * Returns the amounts of a list in the currency of the document, in which the document states only their total. Entries
 * with a percentage are calculated, the others are converted. The last converted entry is the remainder of the total.
 */
export function amountsInDocumentCurrency(
  entries: readonly ListEntry[],
  total: number,
  { rate: exchange, decimals, euros, gross }: DocumentCurrency,
): number[] {
  const isRated = ({ amount, rate }: ListEntry): boolean =>
    rate !== undefined && (amount === undefined || percentOf(toMinor(euros), rate) === toMinor(amount))
  const amounts: Minor[] = entries.map((entry) =>
    isRated(entry)
      ? percentOf(toMinor(gross, decimals), entry.rate ?? 0)
      : toMinor(fromEuros(entry.amount ?? 0, exchange, decimals), decimals),
  )
  const free = entries.findLastIndex((entry) => !isRated(entry))
  const last = free < 0 ? entries.length - 1 : free
  const others = amounts.reduce((sum, amount, at) => (at === last ? sum : sum + amount), 0)
  return amounts.map((amount, at) =>
    toNumber(at === last ? toMinor(total, decimals) - others : amount, decimals),
  )
}
