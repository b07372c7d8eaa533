/** Labels of invoices in the languages of suppliers in Spain, and notations of amounts and dates. */

import labels from './words.json' with { type: 'json' }

export type Language = keyof typeof labels
export type Words = Readonly<typeof labels.es.words>

export const wordsOf = (language: Language): Words => labels[language].words

/** Date formats with the name of the month, such as "3 de marzo de 2026", by language. */
const IN_WORDS: Readonly<Record<Language, (day: number, month: string, year: string) => string>> = {
  es: (day, month, year) => `${day} de ${month} de ${year}`,
  ca: (day, month, year) => `${day} ${/^[ao]/.test(month) ? 'd’' : 'de '}${month} de ${year}`,
  gl: (day, month, year) => `${day} de ${month} de ${year}`,
  eu: (day, month, year) => `${year}ko ${month} ${day}a`,
  en: (day, month, year) => `${month} ${day}, ${year}`,
  fr: (day, month, year) => `${day === 1 ? '1er' : day} ${month} ${year}`,
  de: (day, month, year) => `${day}. ${month} ${year}`,
  pt: (day, month, year) => `${day} de ${month} de ${year}`,
  it: (day, month, year) => `${day} ${month} ${year}`,
  nl: (day, month, year) => `${day} ${month} ${year}`,
}

export type Dating = '/' | '-' | '.' | 'words' | 'iso' | 'short'

export function dateIn(language: Language, dating: Dating, date: string): string {
  const [year = '', month = '', day = ''] = date.split('-')
  if (dating === 'iso') return date
  if (dating === 'short') return `${day}/${month}/${year.slice(2)}`
  if (dating === 'words')
    return IN_WORDS[language](Number(day), labels[language].months[Number(month) - 1] ?? '', year)
  return [day, month, year].join(dating)
}

export interface Notation {
  readonly thousands: '.' | ',' | ' ' | ''
  readonly decimal: ',' | '.'
  /** Position of the currency, if any. */
  readonly currency: 'after' | 'before' | 'code' | 'none'
  readonly minus: 'before' | 'behind'
}

export const NOTATIONS = {
  spanish: { thousands: '.', decimal: ',', currency: 'after', minus: 'before' },
  bare: { thousands: '.', decimal: ',', currency: 'none', minus: 'before' },
  spaces: { thousands: ' ', decimal: ',', currency: 'after', minus: 'before' },
  ungrouped: { thousands: '', decimal: ',', currency: 'none', minus: 'behind' },
  behind: { thousands: '.', decimal: ',', currency: 'none', minus: 'behind' },
  code: { thousands: '.', decimal: ',', currency: 'code', minus: 'before' },
  english: { thousands: ',', decimal: '.', currency: 'before', minus: 'before' },
} satisfies Record<string, Notation>

export function amountIn(
  { thousands, decimal, currency, minus }: Notation,
  amount: number,
  places = 2,
): string {
  const [whole = '', part] = Math.abs(amount).toFixed(places).split('.')
  const digits = `${whole.replace(/\B(?=(\d{3})+$)/g, thousands)}${part ? decimal + part : ''}`
  const sign = amount < 0 ? '-' : ''
  const signed =
    minus === 'behind' ? `${digits}${sign}` : `${sign}${currency === 'before' ? '€' : ''}${digits}`
  return signed + { after: ' €', code: ' EUR', before: '', none: '' }[currency]
}
