/** Texts with placeholders, filled; citations of laws, in the language of the reader. */
import type { Extra, Locale, Text } from '../invoice/index.ts'

/** Whether a value is a text in both languages, to be told in the one of the reader. */
export const isText = (value: unknown): value is Text =>
  typeof value === 'object' && value !== null && 'en' in value && 'es' in value

/** At most this many characters of a received value are repeated in a message. */
const MAX_SHOWN = 80

/** A value that was sent, short enough for a message. */
export const shorten = (text: string): string =>
  text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text

/** `21, 10 or 4`. Spanish says `u` before a word that begins with an o: `7 u 8`. */
function listOf(values: readonly string[], locale: Locale | undefined): string {
  const last = values.at(-1)
  if (locale === undefined || last === undefined || values.length < 2) return values.join(', ')
  const or = locale === 'en' ? 'or' : /^(?:h?o|8|11(?!\d))/i.test(last) ? 'u' : 'o'
  return `${values.slice(0, -1).join(', ')} ${or} ${last}`
}

const show = (value: unknown, locale: Locale | undefined): string => {
  if (Array.isArray(value))
    return listOf(
      value.map((member) => show(member, locale)),
      locale,
    )
  return shorten(typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value)))
}

/**
 * Fills the placeholders of a text. With a language, lists end in its word for "or".
 *
 * @example
 * fill('{field} is {received}', { field: 'tax_output_rate', received: 22 }) // => 'tax_output_rate is 22'
 * fill('Use {allowed}.', { allowed: [21, 10, 4] }, 'en') // => 'Use 21, 10 or 4.'
 */
export const fill = (template: string, values: Extra, locale?: Locale): string =>
  fillBy(template, (name) => values[name], locale)

/** The same with values that are looked for when they are needed. */
export const fillBy = (template: string, look: (name: string) => unknown, locale?: Locale): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = look(name)
    return value === undefined ? '—' : show(value, locale)
  })

/** `fill` around a sentence of ours (`{reason}`), which is not cut as a value is that was sent. */
export const fillAround = (template: string, values: Extra): string =>
  template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    /^reasons?$/.test(name) ? String(values[name]) : fill(placeholder, values),
  )

/** Documents that are cited and are no laws have a name in each language. */
const DOCUMENTS: ReadonlyArray<readonly [en: string, es: string]> = [
  ['API specification', 'especificación de la API'],
  ['VeriFactu error', 'VeriFactu, error'],
  ['Taxes in Europe Database', 'base de datos «Taxes in Europe»'],
  ['list ', 'lista '],
  ['369g', '369 octies'],
  ['Directive', 'Directiva'],
  ['Regulation (EU)', 'Reglamento (UE)'],
  ['(EU)', '(UE)'],
  ['/EC', '/CE'],
  [' and ', ' y '],
]

/**
 * A citation in a language: laws keep their Spanish names, other documents have one in each language.
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
          // What stands in quotes is the title of a section.
          index % 2 === 1 ? part : DOCUMENTS.reduce((text, [en, es]) => text.replaceAll(en, es), part),
        )
        .join('"')
