/** `validate`: the answer of the specification's validation without saving. */
import { type Examined, examine, toItems } from '../engine/examine.ts'
import { withSentAmounts } from '../engine/keep-sent.ts'
import type { CompletedInvoice, Options, ValidationCode, ValidationItem } from '../invoice/index.ts'
import { type ExplanationRow, explanationOf } from './explain.ts'

/** What every answer has, whether the invoice is valid or not. */
interface Answer {
  readonly errors: readonly ValidationItem<ValidationCode>[]
  /** With `explain: true`: the reason for every computed amount. */
  readonly explanation?: readonly ExplanationRow[]
}

/** The answer about an invoice of which no item has severity `error`. */
export interface ValidInvoice extends Answer {
  readonly is_valid: true
  /** The normalised invoice with everything computed. */
  readonly data: CompletedInvoice
}

/** The answer about an invoice with an error. */
export interface InvalidInvoice extends Answer {
  readonly is_valid: false
  /** The normalised invoice with everything computed, as far as it can be; `null` when there are schema errors. */
  readonly data: CompletedInvoice | null
}

/** `is_valid` tells which: `if (result.is_valid) result.data.invoice`. */
export type ValidationResult = ValidInvoice | InvalidInvoice

/** The answer about an examined invoice, with its problems in words. */
export function resultOf(
  { outcome }: Examined,
  { explain }: Pick<Options, 'explain'>,
  errors: readonly ValidationItem<ValidationCode>[],
): ValidationResult {
  const is_valid = !errors.some((item) => item.severity === 'error')
  const data = outcome && withSentAmounts(outcome.document, outcome.context)
  // Calculated and completed: without an error there is data, and all of it.
  return (
    explain ? { is_valid, errors, data, explanation: explanationOf(outcome) } : { is_valid, errors, data }
  ) as ValidationResult
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
