/** The language of a page. */
import { recall } from './stored.ts'

export type Locale = 'en' | 'es'

/** The language chosen before, else the browser's. Readers of Catalan, Galician or Basque get Spanish. */
export function preferredLocale(languages: readonly string[] = navigator.languages): Locale {
  const remembered = recall('localStorage', 'locale')
  if (remembered === 'es' || remembered === 'en') return remembered
  const known = languages.find((language) => /^(es|ca|gl|eu|en)\b/.test(language))
  return known === undefined || known.startsWith('en') ? 'en' : 'es'
}

/** A number with its noun: `1 line`, `2 lines`. */
export const count = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`

type Values = readonly (string | number)[]

/** What a page says in one language, out of its pairs: a text, or a function of the values that go into it. */
type Said<Entry> = Entry extends readonly [infer English, unknown]
  ? English extends string
    ? English extends `${string}{0${string}`
      ? (...values: Values) => string
      : string
    : English
  : { readonly [Key in keyof Entry]: Said<Entry[Key]> }

/** `{0}` is the first value; `{0|line|lines}` the first value with its noun. */
const filled = (text: string, values: Values): string =>
  text.replace(/\{(\d)(?:\|([^|}]*)\|([^|}]*))?\}/g, (_, at, one, many) =>
    one === undefined ? String(values[at]) : count(Number(values[at]), one, many),
  )

function said(entry: unknown, language: 0 | 1): unknown {
  const text: unknown = Array.isArray(entry) ? entry[language] : undefined
  if (typeof text === 'string')
    return text.includes('{0') ? (...values: Values) => filled(text, values) : text
  if (text !== undefined) return text
  return Object.fromEntries(Object.entries(Object(entry)).map(([key, value]) => [key, said(value, language)]))
}

/** The words of a page by language, out of a table that has each text in English and in Spanish. */
export const messages = <const Table extends object>(
  table: Table,
): Readonly<Record<Locale, Said<Table>>> => ({
  en: said(table, 0) as Said<Table>,
  es: said(table, 1) as Said<Table>,
})

/** The name of a code, or the code itself where it has none. */
export const nameOf = (names: Readonly<Record<string, string>>, code: string, otherwise = code): string =>
  Object.hasOwn(names, code) ? (names[code] ?? otherwise) : otherwise
