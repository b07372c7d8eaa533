/**
 * Numbers and dates as people of the language write them. Grouped here and not by `Intl`, whose answers change with the
 * data that a runtime was built with: the same invoice is the same text everywhere.
 */
import type { Locale } from '../invoice/index.ts'
import { exact, exactText } from '../money/index.ts'

/** A number as JSON writes it, without an exponent. */
const shortest = (value: number): string => {
  const text = String(value)
  return text.includes('e') ? exactText(exact(value)) : text
}

/** Decimal text in the signs of the language, grouped by thousands from four digits on. */
export function decimalText(value: string, locale: Locale): string {
  const [whole = '', decimals] = value.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, locale === 'es' ? '.' : ',')
  return decimals === undefined ? grouped : `${grouped}${locale === 'es' ? ',' : '.'}${decimals}`
}

/** How many decimals a number has, as JSON writes it. */
export const decimalsOf = (value: number): number => shortest(value).split('.')[1]?.length ?? 0

/** With at least so many decimals; none that the number has is left out. */
function withDecimals(value: number, least: number): string {
  const [whole = '', decimals = ''] = shortest(value).split('.')
  const padded = decimals.padEnd(least, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** `1.234,56` or `1,234.56`: an amount, with the decimals of its currency. */
export const amount = (value: number, locale: Locale, decimals = 2): string =>
  decimalText(withDecimals(value, decimals), locale)

const SIGNS: Readonly<Record<string, string>> = { EUR: '€' }

/** `1.234,56 €` in both languages: the sign follows the amount on Spanish invoices. */
export const money = (value: number, locale: Locale, currency = 'EUR', decimals = 2): string =>
  `${amount(value, locale, decimals)} ${SIGNS[currency] ?? currency}`

/** Quantities and rates: as many decimals as there are. */
export const plain = (value: number, locale: Locale): string => decimalText(shortest(value), locale)

/** `21 %`. */
export const percent = (value: number, locale: Locale): string => `${plain(value, locale)} %`

/** `2026-03-04` as `04/03/2026`; anything else as it is. */
export const day = (value: string | undefined): string =>
  value?.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1') ?? ''

/** `01/03/2026 – 31/03/2026`, or the only day of the two. */
export const span = (from: string | undefined, to: string | undefined): string =>
  [day(from), day(to)].filter(Boolean).join(' – ')
