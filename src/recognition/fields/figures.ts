/** Parses printed amounts and percentages: `1.234,56`, `1,234.56`, `1 234,56`, `12,50-`, `21 %`. */
import { type Minor, toMinor } from '../../money/index.ts'

/** Two digits after the last separator; thousands, if separated, use another one. */
const AMOUNT =
  /(?<![\w.,/]|\d[-–])([-−–]\s?|\()?(?:€\s?)?(\d{1,3}(?:\.\d{3}){1,4},\d{2}|\d{1,3}(?:,\d{3}){1,4}\.\d{2}|\d{1,3}(?:['’]\d{3}){1,4}[.,]\d{2}|\d{1,12}[.,]\d{2})(?![\d]|[.,/]\d|\s?%)([-−](?!\d)|\s[-−](?=\s*$))?/g
/** A percent sign stands behind the number or, in Basque, before it. */
const RATE = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,3})?)\s?%|(?<!\d\s?)%\s?(\d{1,2}(?:[.,]\d{1,2})?)(?![\d.,])/g

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

export interface PrintedAmount extends Printed<Minor> {
  /** Brackets stand for a minus sign, or only for a remark. */
  readonly isInBrackets: boolean
}

/** Returns the amounts of a text, from left to right. */
export function amountsIn(text: string): PrintedAmount[] {
  return [...text.matchAll(AMOUNT)].map((match) => {
    const [all, before, digits = '', behind] = match
    const size = toMinor(numberOf(digits))
    const value = before !== undefined || behind !== undefined ? -size : size
    return { value, start: match.index, end: match.index + all.length, isInBrackets: before === '(' }
  })
}

/** Returns the percentages of a text, from left to right. */
export const ratesIn = (text: string): Printed<number>[] =>
  [...text.matchAll(RATE)].map((match) => ({
    value: numberOf(match[1] ?? match[2] ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }))

/** Thousands separated by a point or a comma, or not at all. */
const OTHER_THOUSANDS = /\d[.,]\d{3}[.,]\d{2}(?!\d)|(?<![\d.,])\d{4,}[.,]\d{2}(?!\d)/
const SPACED = /(?<![\d.,] ?)(\d{1,3}(?: \d{3}){1,4})(?=[.,]\d{2}(?!\d))/g

/**
 * Returns a function that marks spaces between thousands with an apostrophe, so that a number is one text of the same
 * length. A document that separates thousands otherwise has no such spaces.
 */
export const thousandsMarker = (text: string): ((cell: string) => string) =>
  OTHER_THOUSANDS.test(text)
    ? (cell) => cell
    : (cell) => cell.replace(SPACED, (digits) => digits.replaceAll(' ', "'"))

/** Restores the decimal comma that OCR has lost in an amount of euros: `6.29369 €`. */
export const withComma = (text: string): string =>
  text.replace(/(?<![\d.,])(\d{1,3}\.\d{3})(\d{2})(?=\s?€)/g, '$1,$2')
