/** Numbers and dates as people of the language write them, and as they type them. */
import type { Locale } from '../../api/index.ts'

export { amount, day, decimalText, money, plain } from '../../view/index.ts'

/** For input fields: no grouping, the decimal sign of the language. */
export const editable = (value: number, locale: Locale): string => {
  const text = String(value)
  return locale === 'es' ? text.replace('.', ',') : text
}

/**
 * A number as people type it: `1.234,56`, `1,234.56`, `1234,5`. Of one kind of sign alone, groups of three after
 * one to three digits are thousands in the sign of the language. `null` when it is no number.
 */
export function readNumber(typed: string, locale: Locale): number | null {
  const text = typed.replace(/[\s\u00a0€%]/g, '').replace('\u2212', '-')
  const group = locale === 'es' ? '.' : ','
  const decimal =
    text.includes(',') && text.includes('.')
      ? text.lastIndexOf(',') > text.lastIndexOf('.')
        ? ','
        : '.'
      : null
  const grouped = new RegExp(`^-?[1-9]\\d{0,2}(\\${group}\\d{3})+$`).test(text)
  const bare = decimal
    ? text.replaceAll(decimal === ',' ? '.' : ',', '').replace(decimal, '.')
    : grouped
      ? text.replaceAll(group, '')
      : text.replace(',', '.')
  return /^-?(\d+\.?\d*|\.\d+)$/.test(bare) ? Number(bare) : null
}
