/** Templates of messages, and citations of laws in the reader's language. */
import type { Extra, Locale, Text } from '../invoice/index.ts'

/** Whether a value is a text in both languages. Messages contain it in the reader's language. */
export const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'en' in value && 'es' in value

/** Maximum number of characters of a received value in a message. */
const MAX_SHOWN = 80

/** Shortens a received value for a message, at a word boundary if possible. */
export function shorten(text: string): string {
  if (text.length <= MAX_SHOWN) return text
  const end = text.lastIndexOf(' ', MAX_SHOWN)
  return `${text.slice(0, end > MAX_SHOWN / 2 ? end : MAX_SHOWN)}…`
}

/** Matches placeholders whose values are texts of this project, not of the client. They are never shortened. */
const SENTENCE = /^(?:reasons?|problem)$/

/** Formats a number in Spanish notation: `3.010,01`. */
const inSpanish = (number: string): string => {
  const [whole = '', ...decimals] = number.split('.')
  return [whole.replace(/^-?\d{1,3}(?=(?:\d{3})+$)|\d{3}(?=\d)/g, '$&.'), ...decimals].join(',')
}

/** Formats an ISO date in Spanish notation: `2026-12-31` as `31/12/2026`. Returns any other text unchanged. */
const dateInSpanish = (text: string): string => text.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$3/$2/$1')

/**
 * Formats a list: `21, 10 or 4`, or `5,5; 2,1 o 0,9` if a value contains a comma. Spanish uses `u` before the sound o:
 * `7 u 8`.
 */
function listOf(values: readonly string[], locale: Locale | undefined): string {
  const last = values.at(-1)
  const between = values.some((value) => value.includes(',')) ? '; ' : ', '
  if (locale === undefined || last === undefined || values.length < 2) return values.join(between)
  const or = locale === 'en' ? 'or' : /^(?:h?o|8|11(?!\d))/i.test(last) ? 'u' : 'o'
  return `${values.slice(0, -1).join(between)} ${or} ${last}`
}

/** Whether a value is a number, or an amount or percentage that the authority sends as text. */
const isNumber = (value: unknown, isPercentage: boolean): boolean =>
  typeof value === 'number'
    ? /^-?\d+(?:\.\d+)?$/.test(String(value))
    : typeof value === 'string' && (isPercentage ? /^-?\d+\.\d+$/ : /^-?\d+\.\d\d$/).test(value)

interface Notation {
  /** Joins the last two entries of a list by "or". */
  readonly isChoice?: boolean
  /** Writes numbers and dates as in JSON, so that the client can send them. */
  readonly isFix?: boolean
}

const show = (
  value: unknown,
  locale: Locale | undefined,
  isPercentage: boolean,
  notation: Notation,
): string => {
  const { isChoice = false, isFix = false } = notation
  if (Array.isArray(value))
    return listOf(
      value.map((member) => show(member, locale, isPercentage, notation)),
      isChoice ? locale : undefined,
    )
  const isSpanish = locale === 'es' && !isFix
  if (isSpanish && isNumber(value, isPercentage)) return inSpanish(String(value))
  if (typeof value !== 'string') return shorten(JSON.stringify(value) ?? String(value))
  return shorten(isSpanish ? dateInSpanish(value) : value)
}

/**
 * Fills the placeholders of a template, with decimals and dates in the notation of the language.
 *
 * @example
 * fill('{field} is {received}', { field: 'tax_output_rate', received: 22 }) // => 'tax_output_rate is 22'
 * fill('Use {allowed}.', { allowed: [21, 10, 4] }) // => 'Use 21, 10, 4.'
 * fill('Un {received} %', { received: 5.2 }, 'es') // => 'Un 5,2 %'
 * fill('Hasta el {last}', { last: '2026-12-31' }, 'es') // => 'Hasta el 31/12/2026'
 */
export const fill = (template: string, values: Extra, locale?: Locale): string =>
  fillBy(template, (name) => values[name], locale)

/** Fills a template with the values that `lookUp` returns. */
export const fillBy = (
  template: string,
  lookUp: (name: string) => unknown,
  locale?: Locale,
  notation: Notation = {},
): string =>
  template.replace(/\{(\w+)\}( ?%)?/g, (_, name: string, percent = '') => {
    const value = lookUp(name)
    if (SENTENCE.test(name) && typeof value === 'string') return value + percent
    return (value === undefined ? '—' : show(value, locale, percent !== '', notation)) + percent
  })

/** Names of cited documents and parts of citations, each in English and Spanish. */
const DOCUMENTS: ReadonlyArray<readonly [en: string, es: string]> = [
  ['API specification', 'especificación de la API'],
  ['VeriFactu error', 'VeriFactu, error'],
  ['Taxes in Europe Database', 'base de datos «Taxes in Europe»'],
  ['list ', 'lista '],
  ['lists ', 'listas '],
  ['AEAT, errors', 'AEAT, errores'],
  ['369g', '369 octies'],
  ['Directive', 'Directiva'],
  ['Regulation (EU)', 'Reglamento (UE)'],
  ['(EU)', '(UE)'],
  ['/EC', '/CE'],
  [' and ', ' y '],
]

/**
 * Returns a citation in a language. Laws keep their Spanish names; other documents are translated.
 *
 * @example
 * cite('art. 11 RD 1619/2012; API specification, "Errors"', 'es')
 * // => 'art. 11 RD 1619/2012; especificación de la API, "Errors"'
 */
export const cite = (law: string, locale: Locale): string =>
  locale === 'en'
    ? law
    : law
        .split('"')
        .map((part, index) =>
          // Quoted parts are section titles, which are not translated.
          index % 2 === 1 ? part : DOCUMENTS.reduce((text, [en, es]) => text.replaceAll(en, es), part),
        )
        .join('"')
