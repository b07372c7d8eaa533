/** Parses printed amounts and percentages: `1.234,56`, `1,234.56`, `1 234,56`, `12,50-`, `21 %`. */
import { type Minor, toMinor } from '#core/money/index.ts'

/** Matches amounts with two decimals. A thousands separator, if any, differs from the decimal separator. */
const AMOUNT =
  /(?<![\w.,]|(?<!\bs)\/|\d[-–])([-−–]\s?|\()?(?:€\s?)?(\d{1,3}(?:\.\d{3}){1,4},\d{2}|\d{1,3}(?:,\d{3}){1,4}\.\d{2}|\d{1,3}(?:['’]\d{3}){1,4}[.,]\d{2}|\d{1,12}[.,]\d{2})(?![\d]|[.,/]\d|\s?%)([-−](?!\d)|\s[-−](?=\s*$))?/g
/** Matches percentages. The percent sign follows the number or, in Basque, precedes it. */
const RATE = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,3})?)\s?%|(?<!\d\s?)%\s?(\d{1,2}(?:[.,]\d{1,2})?)(?![\d.,])/g

export interface Printed<T> {
  readonly value: T
  readonly start: number
  readonly end: number
}

/** Parses a number. The digits after the last separator are decimals. */
export function parsePrintedNumber(text: string): number {
  const at = Math.max(text.lastIndexOf(','), text.lastIndexOf('.'))
  const [whole, decimals] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
  return Number(`${whole.replaceAll(/\D/g, '')}.${decimals || '0'}`)
}

export interface PrintedAmount extends Printed<Minor> {
  /** Whether the amount is in brackets, which may mean a negative amount or only a remark. */
  readonly isInBrackets: boolean
}

/** Returns the amounts of a text, from left to right. */
export function amountsIn(text: string): PrintedAmount[] {
  return [...text.matchAll(AMOUNT)].map((match) => {
    const [all, before, digits = '', behind] = match
    const size = toMinor(parsePrintedNumber(digits))
    const value = before !== undefined || behind !== undefined ? -size : size
    return { value, start: match.index, end: match.index + all.length, isInBrackets: before === '(' }
  })
}

/** Returns the percentages of a text, from left to right. */
export const ratesIn = (text: string): Printed<number>[] =>
  [...text.matchAll(RATE)].map((match) => ({
    value: parsePrintedNumber(match[1] ?? match[2] ?? ''),
    start: match.index,
    end: match.index + match[0].length,
  }))

/** Matches numbers with thousands that are separated by a point or a comma, or not separated. */
const OTHER_THOUSANDS = /\d[.,]\d{3}[.,]\d{2}(?!\d)|(?<![\d.,])\d{4,}[.,]\d{2}(?!\d)/
const SPACED = /(?<![\d.,] ?)(\d{1,3}(?: \d{3}){1,4})(?=[.,]\d{2}(?!\d))/g

/**
 * Returns a function that replaces spaces between thousands by apostrophes, so that a number has no spaces and keeps
 * its length. If the document separates thousands differently, the function changes nothing.
 */
export const thousandsNormaliser = (text: string): ((cell: string) => string) =>
  OTHER_THOUSANDS.test(text)
    ? (cell) => cell
    : (cell) => cell.replace(SPACED, (digits) => digits.replaceAll(' ', "'"))

/** Restores the decimal comma that OCR has lost in an amount of euros: `6.29369 €`. */
export const restoreDecimalComma = (text: string): string =>
  text.replace(/(?<![\d.,])(\d{1,3}\.\d{3})(\d{2})(?=\s?€)/g, '$1,$2')
