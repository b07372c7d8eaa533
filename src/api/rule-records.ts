/** `rules()`: the table of all codes, as data. */
import { RULES } from '../../rules/index.ts'
import type { Severity, Source, Text, ValidationCode } from '../invoice/index.ts'
import { RULE_SOURCES } from './generated/rule-sources.ts'

export interface RuleRecord {
  readonly code: ValidationCode
  readonly severity: Severity
  readonly source: Source
  /** `specification`: a code of the API specification; `cuadra`: an addition of this project. */
  readonly origin: 'specification' | 'cuadra'
  /** What is wrong, in English and Spanish; `{placeholders}` are `field`, `path` and the members of `extra`. */
  readonly message: Text
  /** How to mend the invoice. */
  readonly fix: Text
  readonly law: string
  /** Paths that the rule reads; `*` is any index. */
  readonly reads: readonly string[]
}

let records: readonly RuleRecord[] | undefined

/**
 * Every code that the engine can answer, with severity, messages, mend and law. Frozen; the same array each time.
 *
 * Source: API specification, "Content errors"; calculation page, section 5.
 *
 * @example
 * rules().find((rule) => rule.code === 'customer_required')?.law // => 'art. 6.1.c-d RD 1619/2012'
 */
export function rules(): readonly RuleRecord[] {
  records ??= Object.freeze(
    RULES.map(({ code: name, severity, source, message, fix, law }) => {
      const code = name as ValidationCode
      const { origin, reads } = RULE_SOURCES[code]!
      return Object.freeze({ code, severity, source, origin, message, fix, law, reads })
    }),
  )
  return records
}
