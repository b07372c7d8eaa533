/** The language of a page, and its texts. */
import { readStored } from './stored.ts'

export type Locale = 'en' | 'es'

/** Returns the language chosen before, or that of the browser; Spanish for Catalan, Galician and Basque. */
export function preferredLocale(languages: readonly string[] = navigator.languages): Locale {
  const remembered = readStored('localStorage', 'locale')
  if (remembered === 'es' || remembered === 'en') return remembered
  const known = languages.find((language) => /^(es|ca|gl|eu|en)\b/.test(language))
  return known === undefined || known.startsWith('en') ? 'en' : 'es'
}

/** Returns a number with its noun: `1 line`, `2 lines`. */
export const countText = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`

type Values = readonly (string | number)[]

/** The texts of one language: a string, or a function of the values of its placeholders. */
type Texts<Entry> = Entry extends readonly [infer English, unknown]
  ? English extends string
    ? English extends `${string}{0${string}`
      ? (...values: Values) => string
      : string
    : English
  : { readonly [Key in keyof Entry]: Texts<Entry[Key]> }

/** Fills placeholders: `{0}` is the first value, `{0|line|lines}` the first value with its noun. */
const fill = (text: string, values: Values): string =>
  text.replace(/\{(\d)(?:\|([^|}]*)\|([^|}]*))?\}/g, (_, at, one, many) =>
    one === undefined ? String(values[at]) : countText(Number(values[at]), one, many),
  )

function textsOf(entry: unknown, language: 0 | 1): unknown {
  const text: unknown = Array.isArray(entry) ? entry[language] : undefined
  if (typeof text === 'string') return text.includes('{0') ? (...values: Values) => fill(text, values) : text
  if (text !== undefined) return text
  return Object.fromEntries(
    Object.entries(Object(entry)).map(([key, value]) => [key, textsOf(value, language)]),
  )
}

/** Returns the texts by language, from a table of `[English, Spanish]` pairs. */
export const messagesByLocale = <const Table extends object>(
  table: Table,
): Readonly<Record<Locale, Texts<Table>>> => ({
  en: textsOf(table, 0) as Texts<Table>,
  es: textsOf(table, 1) as Texts<Table>,
})

/** Returns the name of a code, or the code itself. */
export const nameOf = (names: Readonly<Record<string, string>>, code: string, otherwise = code): string =>
  Object.hasOwn(names, code) ? (names[code] ?? otherwise) : otherwise
