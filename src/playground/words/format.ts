/** Numbers and dates as people of the language write them. */
import type { Locale } from '../../api/index.ts'

const made = new Map<string, Intl.NumberFormat>()

function numberFormat(locale: Locale, least: number, most: number): Intl.NumberFormat {
  const key = `${locale}${least}-${most}`
  let format = made.get(key)
  if (!format) {
    const digits = { minimumFractionDigits: least, maximumFractionDigits: most } as const
    // Spanish groups from five digits on by default; invoices group from four.
    format = new Intl.NumberFormat(locale === 'es' ? 'es-ES' : 'en-GB', {
      ...digits,
      useGrouping: 'always' as never,
    })
    made.set(key, format)
  }
  return format
}

/** `1.234,56` or `1,234.56`. */
export const amount = (value: number, locale: Locale): string => numberFormat(locale, 2, 2).format(value)

/** `1.234,56 €` in both languages: the sign follows the amount on Spanish invoices. */
export const money = (value: number, locale: Locale): string => `${amount(value, locale)} €`

/** Quantities, prices and rates: as many decimals as there are. */
export const plain = (value: number, locale: Locale): string => numberFormat(locale, 0, 8).format(value)

/** Decimal text of the engine, which may have more digits than a number holds. */
export function exactText(value: string, locale: Locale): string {
  const [whole = '', decimals] = value.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, locale === 'es' ? '.' : ',')
  return decimals === undefined ? grouped : `${grouped}${locale === 'es' ? ',' : '.'}${decimals}`
}

/** `2026-03-04` as `04/03/2026`; anything else as it is. */
export const day = (value: string | undefined): string =>
  value?.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1') ?? ''

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
