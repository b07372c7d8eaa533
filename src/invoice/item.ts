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

/** One problem, as the specification shapes it. `Code` are the codes that its function can give. */
export interface ValidationItem<Code extends string = string> {
  readonly source: Source
  readonly code: Code
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
