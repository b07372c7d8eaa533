/** Notations of numbers and dates. The mapping states them; they are never guessed from the cells. */
import { isDate } from '#core/invoice/date.ts'

/** Number notations by example: decimal separator and pattern of the thousands separator. */
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

/** Removes redundant zeros from a decimal. */
const shortest = (decimal: string): string => {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)\.(\d*)$/.exec(decimal) ?? []
  const kept = decimals.replace(/(?<!0)0+$/, '')
  const text = `${whole.replace(/^0+(?=\d)/, '')}${kept === '' ? '' : `.${kept}`}`
  return text === '0' ? '0' : sign + text
}

/** Returns the number; undefined if the text is not in this notation or has more digits than a number can represent. */
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
