/** Parses printed dates: `03/11/2026`, `2026-11-03`, `3 de noviembre de 2026`, `November 3, 2026`. */
import { isDate } from '../../invoice/index.ts'
import { plainOf } from './cells.ts'

export interface PrintedDate {
  readonly value: string
  /** Whether the date is also valid with day and month swapped. */
  readonly isAmbiguous: boolean
}

/** Beginnings of the names of months, in Spanish, Catalan and English. */
const MONTHS: readonly (readonly string[])[] = [
  ['ene', 'gen', 'jan'],
  ['feb'],
  ['mar'],
  ['abr', 'apr'],
  ['may', 'mai'],
  ['jun'],
  ['jul'],
  ['ago', 'aug'],
  ['sep', 'set'],
  ['oct'],
  ['nov'],
  ['dic', 'des', 'dec'],
]
const NAMES = MONTHS.flat().join('|')
const NUMERIC = /(?<![\d.,/-])(\d{1,2})\s?([/.-])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?![\d/-]|[.,]\d)/
const ISO = /(?<![\d/-])(\d{4})([-/.])(\d{2})\2(\d{2})(?![\d/-])/
const DAY_FIRST = new RegExp(
  `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|º|er)?[\\s.-]*(?:de |d['’] ?|of )?\\s*(${NAMES})[a-z]*\\.?[\\s,.-]*(?:de[l]? |of )?\\s*(\\d{4})(?!\\d)`,
)
const MONTH_FIRST = new RegExp(`\\b(${NAMES})[a-z]*\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})(?!\\d)`)

const two = (part: number | string): string => String(part).padStart(2, '0')

function dateOf(year: string, month: number | string, day: string, isAmbiguous = false) {
  const value = `${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}`
  return isDate(value) ? { value, isAmbiguous } : undefined
}

const monthOf = (name: string): number => MONTHS.findIndex((names) => names.includes(name)) + 1

/** Returns the first date in a text. */
export function printedDate(text: string): PrintedDate | undefined {
  const plain = plainOf(text)
  const iso = ISO.exec(plain)
  if (iso) return dateOf(iso[1] ?? '', iso[3] ?? '', iso[4] ?? '')
  const numeric = NUMERIC.exec(plain)
  if (numeric) {
    const [, first = '', , second = '', year = ''] = numeric
    // Month first, as in the United States, if no other order is possible.
    if (Number(second) > 12) return dateOf(year, first, second, true)
    return dateOf(year, second, first, Number(first) <= 12 && first !== second)
  }
  const [, day, name, year] = DAY_FIRST.exec(plain) ?? []
  if (day && name && year) return dateOf(year, monthOf(name), day)
  const [, month, dayOfMonth, ofYear] = MONTH_FIRST.exec(plain) ?? []
  return month && dayOfMonth && ofYear ? dateOf(ofYear, monthOf(month), dayOfMonth) : undefined
}
