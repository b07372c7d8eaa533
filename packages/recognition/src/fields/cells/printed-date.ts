/** Parses printed dates: `03/11/2026`, `2026-11-03`, `3 de noviembre de 2026`, `November 3, 2026`, `2026ko azaroaren 3a`. */
import { isDate } from '#core/invoice/date.ts'
import { monthOf } from '../labels/index.ts'
import { plainOf } from '../labels/plain-text.ts'

export interface PrintedDate {
  readonly value: string
  /** Whether the date is also valid with day and month swapped. */
  readonly isAmbiguous: boolean
}

const NUMERIC = /(?<![\d.,/-])(\d{1,2})\s?([/.-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?![\d/-]|[.,]\d)/
const ISO = /(?<![\d/-])(\d{4})([-/.])(\d{2})\2(\d{2})(?![\d/-])/
const DAY_FIRST =
  /(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.)?[\s./-]{0,9}(?:de |d['’] ?|of )?\s{0,9}([a-z]{3,20})\.?[\s,./-]{0,9}(?:de[l]? |of |do )?\s{0,9}(\d{4}|\d{2}(?=\s*$))(?!\d)/g
const MONTH_FIRST = /\b([a-z]{3,})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)/g
/** Matches Basque dates, such as `2026ko azaroaren 3a`. */
const YEAR_FIRST = /(?<!\d)(\d{4})\s?-?(?:ko|eko)\s+([a-z]{3,})\s+(\d{1,2})/g

const two = (part: number | string): string => String(part).padStart(2, '0')

function dateOf(year: string, month: number | string, day: string, isAmbiguous = false) {
  const value = `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}`
  return isDate(value) ? { value, isAmbiguous } : undefined
}

/** Patterns of dates with the month in words, with the group numbers of day, month and year. */
const IN_WORDS: readonly (readonly [RegExp, day: number, month: number, year: number])[] = [
  [DAY_FIRST, 1, 2, 3],
  [MONTH_FIRST, 2, 1, 3],
  [YEAR_FIRST, 3, 2, 1],
]

function dateInWords(plain: string): PrintedDate | undefined {
  for (const [pattern, day, month, year] of IN_WORDS)
    for (const match of plain.matchAll(pattern)) {
      const number = monthOf(match[month] ?? '')
      const date = number === undefined ? undefined : dateOf(match[year] ?? '', number, match[day] ?? '')
      if (date) return date
    }
  return undefined
}

/** Returns the first date in a text. */
export function printedDate(text: string): PrintedDate | undefined {
  const plain = plainOf(text)
  const iso = ISO.exec(plain)
  if (iso) return dateOf(iso[1] ?? '', iso[3] ?? '', iso[4] ?? '')
  const numeric = NUMERIC.exec(plain)
  if (!numeric) return dateInWords(plain)
  const [, first = '', , second = '', year = ''] = numeric
  // Reads the month first, as in the United States, only if no other order is possible.
  if (Number(second) > 12) return dateOf(year, first, second, true)
  return dateOf(year, second, first, Number(first) <= 12 && first !== second)
}
