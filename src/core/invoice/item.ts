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
export interface ValidationItem<Code extends string = string> {
  readonly source: Source
  readonly code: Code
  /** The problem, its fix and the law behind it, in the requested language. */
  readonly message: string
  /** JSON Pointer into the payload as sent. */
  readonly path: string
  readonly extra: Extra | null
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
