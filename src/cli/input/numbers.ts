/** Numbers as the reader of a language writes them. */
import type { Locale } from '../../api/index.ts'

const TAGS: Readonly<Record<Locale, string>> = { en: 'en-GB', es: 'es-ES' }

export interface NumberMessages {
  /** Two decimals: `1,234.50`. */
  readonly amount: (value: number) => string
  /** As many decimals as it has, at most ten: `0.83514281`. */
  readonly plain: (value: number) => string
  readonly percent: (value: number) => string
  /** Decimal text, of any length, that is not a number of this machine. */
  readonly exact: (text: string) => string
}

const made = new Map<Locale, NumberMessages>()

export function numbersOf(locale: Locale): NumberMessages {
  const known = made.get(locale)
  if (known) return known
  const format = (least: number, most: number) => {
    const messages = new Intl.NumberFormat(TAGS[locale], {
      minimumFractionDigits: least,
      maximumFractionDigits: most,
      useGrouping: 'always',
    })
    // A real minus, which is as wide as a digit; -0 is 0.
    return (value: number) => messages.format(value === 0 ? 0 : value).replace('-', '−')
  }
  const plain = format(0, 10)
  const messages = {
    amount: format(2, 2),
    plain,
    percent: (value: number) => `${plain(value)} %`,
    exact: (text: string) => (locale === 'es' ? text.replace('.', ',') : text).replace('-', '−'),
  }
  made.set(locale, messages)
  return messages
}
