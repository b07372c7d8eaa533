/** `validate`: the answer of the specification's validation without saving. */
import { type Examined, examine, toItems } from '../engine/examine.ts'
import { withSentAmounts } from '../engine/keep-sent.ts'
import type { CanonicalInvoice, Options, ValidationItem } from '../invoice/index.ts'
import { type ExplanationRow, explanationOf } from './explain.ts'

export interface ValidationResult {
  /** True when no item has severity `error`. */
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  /** The normalised invoice with everything computed; `null` when there are schema errors. */
  readonly data: CanonicalInvoice | null
  /** With `explain: true`: the reason for every computed amount. */
  readonly explanation?: readonly ExplanationRow[]
}

/** The answer about an examined invoice, with its problems in words. */
export function resultOf(
  { outcome }: Examined,
  { explain }: Pick<Options, 'explain'>,
  errors: readonly ValidationItem[],
): ValidationResult {
  const is_valid = !errors.some((item) => item.severity === 'error')
  const data = outcome && withSentAmounts(outcome.document, outcome.context)
  return explain
    ? { is_valid, errors, data, explanation: explanationOf(outcome) }
    : { is_valid, errors, data }
}

/**
 * Validates, normalises and calculates a canonical invoice.
 *
 * `document` is a parsed `json_1_1` document and is never changed; anything else gives schema errors, never an
 * exception. Amounts are euros, as JSON numbers. Every problem is an item of `errors`, in document order.
 * Source: API specification, "Validate result"; RD 1619/2012; Ley 37/1992.
 *
 * Throws a `TypeError` for a wrong option (a programmer's mistake), and for nothing else.
 *
 * @example
 * validate({ schema_version: 'json_1_1' }).errors.map((item) => `${item.code} ${item.path}`)
 * // => ['schema.required /invoice', 'schema.required /meta']
 */
export function validate(document: unknown, options: Options = {}): ValidationResult {
  const examined = examine(document, options)
  const { findings, settings } = examined
  return resultOf(
    examined,
    options,
    findings.length === 0 ? [] : toItems(findings, document, settings.locale),
  )
}
