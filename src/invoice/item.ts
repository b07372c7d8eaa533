/** Validation items: what the engine says of an invoice (specification, "Validation item"). */

export type Locale = 'en' | 'es'
export type Severity = 'error' | 'warning'
export type Source = 'schema' | 'business'
export type Operation = 'draft' | 'issue' | 'import' | 'received'

/**
 * At most this many problems are listed, and looked for: the item after them says that the search has ended. What is
 * wrong with a million lines is not worth a minute to tell.
 */
export const MAX_ITEMS = 1000

/** Values that a program needs to react: `{ expected, received }`, `{ allowed }`, `{ max_length }`... */
export type Extra = Readonly<Record<string, unknown>>

/** One problem, as the specification shapes it. */
export interface ValidationItem {
  readonly source: Source
  readonly code: string
  /** What is wrong, how to mend it and the law it comes from, in the language asked for. */
  readonly message: string
  /** JSON Pointer into the payload as the client sent it. */
  readonly path: string
  readonly extra: Extra | null
  readonly severity: Severity
}

/** A problem before it has words: its code, its place and its values. Made only when something fails. */
export interface Finding {
  readonly code: string
  readonly path: string
  readonly extra: Extra | null
  /** Where it differs from the severity that its rule declares. */
  readonly severity?: Severity
}

/** Texts in both languages, with `{placeholders}` for `path`, `field` and the members of `extra`. */
export type Text = Readonly<Record<Locale, string>>

/** At most this many characters of a received value are repeated in a message. */
const MAX_SHOWN = 80

const show = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(show).join(', ')
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/**
 * Fills the placeholders of a text.
 *
 * @example
 * fill('{field} is {received}', { field: 'tax_output_rate', received: 22 }) // => 'tax_output_rate is 22'
 */
export const fill = (template: string, values: Extra): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => (name in values ? show(values[name]) : '—'))
