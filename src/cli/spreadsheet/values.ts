/** Reads and writes the values of cells, in the notation that the mapping states. Nothing is guessed. */
import { isDate } from '../../invoice/date.ts'
import type { Column, Mapping } from './mapping.ts'
import type { Scalar } from './problem.ts'

/** A cell that cannot be read: the code of the problem, and values for its message. */
export interface CellFault {
  readonly code: string
  readonly extra: Readonly<Record<string, unknown>>
}

/** The value of a cell: absent for an empty cell. */
export type CellValue = { readonly value: Scalar | undefined } | { readonly fault: CellFault }

/** Notations of numbers by their example: decimal separator, and pattern of the separator of thousands. */
const NUMBERS = {
  '1.234,56': [',', '\\.'],
  '1 234,56': [',', '[ \\u00a0\\u202f]'],
  '1234,56': [',', null],
  '1,234.56': ['.', ','],
  '1234.56': ['.', null],
} as const
export type NumberFormat = keyof typeof NUMBERS
export const NUMBER_FORMATS = Object.keys(NUMBERS) as NumberFormat[]

/** Notations of dates: the pattern, and the order of its groups. */
const DATES = {
  'dd/MM/yyyy': [/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, 'dmy'],
  'dd-MM-yyyy': [/^(\d{1,2})-(\d{1,2})-(\d{4})$/, 'dmy'],
  'dd.MM.yyyy': [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, 'dmy'],
  'MM/dd/yyyy': [/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, 'mdy'],
  'yyyy-MM-dd': [/^(\d{4})-(\d{2})-(\d{2})$/, 'ymd'],
} as const
export type DateFormat = keyof typeof DATES
export const DATE_FORMATS = Object.keys(DATES) as DateFormat[]

/** Returns a number without exponent: `0.0000001`. */
export const plainDecimal = (value: number): string =>
  value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 }).replace(/^-0$/, '0')

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Removes the zeros of a decimal that do not change its value. */
const shortest = (decimal: string): string => {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(decimal) ?? []
  const text = decimals === '' ? whole : `${whole}.${decimals}`
  return text === '0' ? '0' : sign + text
}

/** Returns the number, or undefined if the text does not have this notation or more digits than a number can hold. */
export function parseNumber(text: string, format: NumberFormat, unit: string | null): number | undefined {
  const [decimal, thousands] = NUMBERS[format]
  const whole = thousands === null ? '\\d+' : `(?:\\d+|\\d{1,3}(?:${thousands}\\d{3})+)`
  const suffix = unit === null ? '' : `(?:\\s*${escaped(unit)})?`
  const found = new RegExp(`^([-−]?)(${whole})(?:${escaped(decimal)}(\\d+))?${suffix}$`).exec(text)
  if (!found) return undefined
  const [, sign = '', integer = '', decimals = ''] = found
  const digits = `${sign === '' ? '' : '-'}${integer.replace(/\D/g, '')}.${decimals}`
  const value = Number(digits)
  return plainDecimal(value) === shortest(digits) ? value : undefined
}

export const formatNumber = (value: number, format: NumberFormat): string =>
  plainDecimal(value).replace('.', NUMBERS[format][0])

/** Returns the date as `YYYY-MM-DD`, or undefined if the text is not a day in this notation. */
export function parseDate(text: string, format: DateFormat): string | undefined {
  const [pattern, order] = DATES[format]
  const found = pattern.exec(text)
  if (!found) return undefined
  const part = (letter: string) => (found[order.indexOf(letter) + 1] ?? '').padStart(2, '0')
  const date = `${part('y')}-${part('m')}-${part('d')}`
  return isDate(date) ? date : undefined
}

export function formatDate(date: string, format: DateFormat): string {
  const [year = '', month = '', day = ''] = date.split('-')
  return format.replace('yyyy', year).replace('MM', month).replace('dd', day)
}

/** First characters with which a spreadsheet takes a text for a formula, plain or in full width. */
const FORMULA = '[=+\\-@＝＋－＠]'
const NEEDS_APOSTROPHE = new RegExp(`^'*${FORMULA}`)
const HAS_APOSTROPHE = new RegExp(`^'+${FORMULA}`)

/**
 * Returns a text that no spreadsheet runs as a formula: it begins with an apostrophe if necessary.
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

/** Reads a cell of a column. Blanks around the cell do not count. */
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

/** Returns the first cell that stands for a value, among those that a column translates. */
function translated(value: unknown, values: NonNullable<Column['values']>): string | null {
  for (const [cell, known] of values) if ((known ?? undefined) === value) return escapeFormula(cell)
  return value === undefined ? '' : null
}

/** Writes a value to a cell of a column; null if the column translates values, and does not have this one. */
export function writeCell(value: unknown, { type, values }: Column, mapping: Mapping): string | null {
  const { numbers, dates } = mapping
  if (values) return translated(value, values)
  if (value === undefined || value === null) return ''
  if (numbers && typeof value === 'number') return formatNumber(value, numbers)
  if (dates && type === 'date' && isDate(value)) return formatDate(value, dates)
  const text = String(value).trim()
  return type === 'text' ? escapeFormula(text) : text
}
