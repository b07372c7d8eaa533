/** Validation items: the problems of an invoice (API specification, "Validation item"). */

export type Locale = 'en' | 'es'
export type Severity = 'error' | 'warning'
export type Source = 'schema' | 'business'
export type Operation = 'draft' | 'issue' | 'import' | 'received'

/**
 * Maximum number of problems that are found and listed. If there are more, a last item reports that the list is
 * incomplete. The maximum limits the time for an invoice with a million wrong lines.
 */
export const MAX_ITEMS = 1000

/** Values with which a program can handle the problem: `{ expected, received }`, `{ allowed }`, `{ max_length }`... */
export type Extra = Readonly<Record<string, unknown>>

/** One problem, in the form of the API specification. `Code` is the union of the codes that the function can return. */
export interface ValidationItem<Code extends string = string, Values extends Extra | null = Extra | null> {
  /** The check that found the problem: `schema` (form of the document) or `business` (law and amounts). */
  readonly source: Source
  /** Stable name of the problem, for programs to react to; `rules()` lists all codes of `validate`. */
  readonly code: Code
  /** The problem, its fix and the law behind it, in the requested language. */
  readonly message: string
  /** JSON Pointer into the payload as sent. */
  readonly path: string
  /** Values of the problem, such as `received`, `expected` or `allowed`; null if the code has none. */
  readonly extra: Values
  /** `error`: the invoice is not valid. `warning`: it is valid, but probably not as meant. */
  readonly severity: Severity
}

/** A problem without message: code, path and values. It is created only if a check fails. */
export interface Finding {
  readonly code: string
  readonly path: string
  readonly extra: Extra | null
  /** Overrides the severity declared by the rule. */
  readonly severity?: Severity
}

/** Texts in both languages, with `{placeholders}` for `path`, `field` and the members of `extra`. */
export type Text = Readonly<Record<Locale, string>>
