/** Parses printed amounts and percentages: `1.234,56`, `1,234.56`, `1234.56`, `21 %`. */
import { type Minor, toMinor } from '../../money/index.ts'

/** Two digits after the last separator; thousands, if separated, use the other one. */
const AMOUNT =
  /(?<![\w.,/]|\d[-–])([-−–]\s?|\()?(?:€\s?)?(\d{1,3}(?:\.\d{3})+,\d{2}|\d{1,3}(?:,\d{3})+\.\d{2}|\d{1,3}(?:['’]\d{3})+[.,]\d{2}|\d{1,12}[.,]\d{2})(?![\d]|[.,/]\d|\s?%)(-(?!\d))?/g
const RATE = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,3})?)\s?%/g

export interface Printed<T> {
  readonly value: T
  readonly start: number
  readonly end: number
}

/** Parses a number whose last separator precedes the decimals. */
export function numberOf(text: string): number {
  const at = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  const [whole, decimals] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  return Number(`${whole.replaceAll(/\D/g, '')}.${decimals || '0'}`)
}

/** Returns the amounts of a text, from left to right. */
export function amountsIn(text: string): Printed<Minor>[] {
  return [...text.matchAll(AMOUNT)].map((match) => {
    const [all, before, digits = '', behind] = match
    const size = toMinor(numberOf(digits))
    const value = before !== undefined || behind !== undefined ? -size : size
    return { value, start: match.index, end: match.index + all.length }
  })
}

/** Returns the percentages of a text, from left to right. */
export const ratesIn = (text: string): Printed<number>[] =>
  [...text.matchAll(RATE)].map((match) => ({
    value: numberOf(match[1] ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }))

/** Returns the amount of a text that has exactly one. */
export function amountOf(text: string): Minor | undefined {
  const amounts = amountsIn(text)
  return amounts.length === 1 ? amounts[0]?.value : undefined
}
