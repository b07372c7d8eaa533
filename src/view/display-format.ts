/**
 * Numbers and dates in the notation of the language. `Intl` is not used, because its results depend on the runtime, and
 * an invoice must have the same text everywhere.
 */
import type { Locale } from '#core/invoice/index.ts'
import { exact, exactText } from '#core/money/index.ts'

/** Returns a number as in JSON, but never with an exponent. */
const shortest = (value: number): string => {
  const text = String(value)
  return text.includes('e') ? exactText(exact(value)) : text
}

/** Formats decimal text in the notation of the language, with thousands separators from four digits on. */
export function decimalText(value: string, locale: Locale): string {
  const [whole = '', decimals] = value.split('.')
  const grouped = whole.replace(/^-?\d{1,3}(?=(?:\d{3})+$)|\d{3}(?=\d)/g, locale === 'es' ? '$&.' : '$&,')
  return decimals === undefined ? grouped : `${grouped}${locale === 'es' ? ',' : '.'}${decimals}`
}

/** Returns the number of decimals that a number has in JSON. */
export const decimalsOf = (value: number): number => shortest(value).split('.')[1]?.length ?? 0

/** Returns the number with all its decimals, and at least `least` of them. */
function withDecimals(value: number, least: number): string {
  const [whole = '', decimals = ''] = shortest(value).split('.')
  const padded = decimals.padEnd(least, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** Formats an amount with the decimals of its currency: `1.234,56` or `1,234.56`. */
export const amountText = (value: number, locale: Locale, decimals = 2): string =>
  decimalText(withDecimals(value, decimals), locale)

const SIGNS: Readonly<Record<string, string>> = { EUR: '€' }

/**
 * Formats an amount with its currency, `1.234,56 €` in both languages: on Spanish invoices the sign follows the amount.
 */
export const moneyText = (value: number, locale: Locale, currency = 'EUR', decimals = 2): string =>
  `${amountText(value, locale, decimals)} ${SIGNS[currency] ?? currency}`

/** Formats a quantity or rate with all its decimals. */
export const plainNumberText = (value: number, locale: Locale): string => decimalText(shortest(value), locale)

/** Formats a percentage: `21 %`. */
export const percentText = (value: number, locale: Locale): string => `${plainNumberText(value, locale)} %`

/** Formats `2026-03-04` as `04/03/2026`; other texts are unchanged. */
export const dateText = (value: string | undefined): string =>
  value?.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1') ?? ''

/** Formats a period, `01/03/2026 – 31/03/2026`, or the only date if one is missing. */
export const periodText = (from: string | undefined, to: string | undefined): string =>
  [dateText(from), dateText(to)].filter(Boolean).join(' – ')
