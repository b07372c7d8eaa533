/** Amounts and percentages as they are printed: `1.234,56`, `1,234.56`, `1234.56`, `21 %`. */
import { type Minor, toMinor } from '../../money/index.ts'

/** Two digits behind the last separator; thousands, if they are separated, by the other one. */
const AMOUNT =
  /(?<![\w.,/]|\d[-–])([-−–]\s?|\()?(?:€\s?)?(\d{1,3}(?:\.\d{3})+,\d{2}|\d{1,3}(?:,\d{3})+\.\d{2}|\d{1,3}(?:['’]\d{3})+[.,]\d{2}|\d{1,12}[.,]\d{2})(?![\d]|[.,/]\d|\s?%)(-(?!\d))?/g
const RATE = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,3})?)\s?%/g

export interface Printed<T> {
  readonly value: T
  readonly start: number
  readonly end: number
}

/** A number out of digits whose last separator stands before the decimals. */
export function numberOf(text: string): number {
  const at = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  const [whole, decimals] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  return Number(`${whole.replaceAll(/\D/g, '')}.${decimals || '0'}`)
}

/** The amounts of a text, from left to right. */
export function amountsIn(text: string): Printed<Minor>[] {
  return [...text.matchAll(AMOUNT)].map((match) => {
    const [all, before, digits = '', behind] = match
    const size = toMinor(numberOf(digits))
    const value = before !== undefined || behind !== undefined ? -size : size
    return { value, start: match.index, end: match.index + all.length }
  })
}

/** The percentages of a text, from left to right. */
export const ratesIn = (text: string): Printed<number>[] =>
  [...text.matchAll(RATE)].map((match) => ({
    value: numberOf(match[1] ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }))

/** The only amount of a text. */
export function amountOf(text: string): Minor | undefined {
  const amounts = amountsIn(text)
  return amounts.length === 1 ? amounts[0]?.value : undefined
}
