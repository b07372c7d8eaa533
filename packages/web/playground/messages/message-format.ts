/** Numbers and dates in the notation of the language. */
import type { Locale } from '#engine/index.ts'

export { amountText, dateText, decimalText, moneyText, plainNumberText } from '#view/index.ts'

/** Formats a number for an input: with the decimal separator of the language, without thousands separators. */
export const inputText = (value: number, locale: Locale): string => {
  const text = String(value)
  return locale === 'es' ? text.replace('.', ',') : text
}

/**
 * Parses a number as typed: `1.234,56`, `1,234.56`, `1234,5`. A point or comma separates thousands if the text has no
 * other separator, the language uses it for thousands, and groups of three digits follow. Returns `null` if the text is
 * not a number.
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
  return /^-?(\d+(\.\d*)?|\.\d+)$/.test(bare) ? Number(bare) : null
}
