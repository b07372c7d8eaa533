/** Formats numbers in the notation of a language. */
import type { Locale } from '#engine/index.ts'

const TAGS: Readonly<Record<Locale, string>> = { en: 'en-GB', es: 'es-ES' }

export interface NumberFormats {
  /** Formats a number with two decimals: `1,234.50`. */
  readonly amount: (value: number) => string
  /** Formats a number with all its decimals, at most ten: `0.83514281`. */
  readonly plain: (value: number) => string
  readonly percent: (value: number) => string
  /** Formats a decimal text of any length, such as an exact result. */
  readonly exact: (text: string) => string
}

const formatsByLocale = new Map<Locale, NumberFormats>()

export function numbersOf(locale: Locale): NumberFormats {
  const known = formatsByLocale.get(locale)
  if (known) return known
  const format = (least: number, most: number) => {
    const formatter = new Intl.NumberFormat(TAGS[locale], {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      useGrouping: 'always',
    })
    // Replaces the hyphen with a minus sign, which is as wide as a digit, and formats -0 as 0.
    return (value: number) => formatter.format(value === 0 ? 0 : value).replace('-', '−')
  }
  const plain = format(0, 10)
  const formats = {
    amount: format(2, 2),
    plain,
    percent: (value: number) => `${plain(value)} %`,
    exact: (text: string) => (locale === 'es' ? text.replace('.', ',') : text).replace('-', '−'),
  }
  formatsByLocale.set(locale, formats)
  return formats
}
