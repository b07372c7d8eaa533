/** `rules()`: returns the rules behind all problem codes, as data. */

import type { Severity, Source, Text, ValidationCode } from '#core/invoice/index.ts'
import { RULES } from '#rules/index.ts'

export interface RuleRecord {
  readonly code: ValidationCode
  readonly severity: Severity
  readonly source: Source
  /** `specification`: defined by the API specification; `cuadra`: added by this project. */
  readonly origin: 'specification' | 'cuadra'
  /** The problem, in English and Spanish. `{placeholders}` are `field`, `path` and the members of `extra`. */
  readonly message: Text
  /** How to fix the invoice. */
  readonly fix: Text
  readonly law: string
  /** Paths that the rule reads; `*` is any index. */
  readonly reads: readonly string[]
}

let records: readonly RuleRecord[] | undefined

/**
 * Returns every code of the engine, with severity, messages, fix and law. The array is frozen and always the same.
 *
 * Source: API specification, "Content errors"; calculation page, section 5.
 *
 * @example
 * rules().find((rule) => rule.code === 'customer_required')?.law // => 'art. 6.1.c-d RD 1619/2012'
 */
export function rules(): readonly RuleRecord[] {
  records ??= Object.freeze(
    RULES.map(({ code, severity, source, origin, message, fix, law, reads }) =>
      Object.freeze({ code: code as ValidationCode, severity, source, origin, message, fix, law, reads }),
    ),
  )
  return records
}
