/** Reads and writes the values of cells, in the notation that the mapping states. */
import { isDate } from '#core/invoice/date.ts'
import type { Column, Mapping } from './mapping.ts'
import { formatDate, formatNumber, parseDate, parseNumber } from './notations.ts'
import type { Scalar } from './problem.ts'

/** A cell that cannot be read: the code of the problem, and values for its message. */
export interface CellFault {
  readonly code: string
  readonly extra: Readonly<Record<string, unknown>>
}

/** The value of a cell (undefined for an empty cell), or the problem of reading it. */
export type CellValue = { readonly value: Scalar | undefined } | { readonly fault: CellFault }

/** First characters that make spreadsheets run a text as a formula: ASCII characters and their full-width forms. */
const FORMULA = '[=+\\-@＝＋－＠]'
const NEEDS_APOSTROPHE = new RegExp(`^'*${FORMULA}`)
const HAS_APOSTROPHE = new RegExp(`^'+${FORMULA}`)

/**
 * Prefixes a text with an apostrophe if a spreadsheet could run it as a formula.
 *
 * @example
 * escapeFormula('=1+1') // => "'=1+1"
 */
export const escapeFormula = (text: string): string => (NEEDS_APOSTROPHE.test(text) ? `'${text}` : text)

/** Reverts `escapeFormula`. */
export const unescapeFormula = (text: string): string => (HAS_APOSTROPHE.test(text) ? text.slice(1) : text)

const fault = (code: string, extra: CellFault['extra']): CellValue => ({ fault: { code, extra } })

/** Returns the value of a cell that is not empty; undefined if the cell does not have the notation of its type. */
function parseCell(text: string, { type, unit }: Column, { numbers, dates }: Mapping): Scalar | undefined {
  if (type === 'number') return numbers ? parseNumber(text, numbers, unit) : undefined
  if (type === 'date') return dates ? parseDate(text, dates) : undefined
  if (type === 'text') return unescapeFormula(text)
  return text === 'true' ? true : text === 'false' ? false : undefined
}

/** Reads a cell of a column. Ignores leading and trailing blanks. */
export function readCell(cell: string, column: Column, mapping: Mapping): CellValue {
  const { type, values } = column
  const text = cell.trim()
  if (values) {
    const value = values.get(unescapeFormula(text))
    if (value !== undefined || text === '') return { value: value ?? undefined }
    return fault('csv.value_unknown', { received: text, allowed: [...values.keys()].slice(0, 10) })
  }
  if (text === '') return { value: undefined }
  const value = parseCell(text, column, mapping)
  if (value !== undefined) return { value }
  const format = type === 'number' ? mapping.numbers : mapping.dates
  return fault(`csv.${type}_invalid`, type === 'boolean' ? { received: text } : { received: text, format })
}

/** Returns the first cell text that the column translates to this value. */
function translated(value: unknown, values: NonNullable<Column['values']>): string | null {
  for (const [cell, known] of values) if ((known ?? undefined) === value) return escapeFormula(cell)
  return value === undefined ? '' : null
}

/** Returns the cell text for a value; null if the column translates values but has no text for this value. */
export function writeCell(value: unknown, { type, values }: Column, mapping: Mapping): string | null {
  const { numbers, dates } = mapping
  if (values) return translated(value, values)
  if (value === undefined || value === null) return ''
  if (numbers && typeof value === 'number') return formatNumber(value, numbers)
  if (dates && type === 'date' && isDate(value)) return formatDate(value, dates)
  const text = String(value).trim()
  return type === 'text' ? escapeFormula(text) : text
}
