/** `validate`: validates an invoice without storing it, as the API specification defines. */

import type {
  CompletedInvoice,
  InvoiceItem,
  Options,
  ValidationCode,
  ValidationItem,
} from '#core/invoice/index.ts'
import { type Examination, examine, toItems } from './examine/examine.ts'
import { withSentAmounts } from './examine/keep-sent.ts'
import { type ExplanationRow, explanationOf } from './explain.ts'

/** Fields of every result, valid or not. */
interface ResultFields {
  readonly errors: readonly InvoiceItem[]
  /** How every computed amount is calculated; only with the option `explain`. */
  readonly explanation?: readonly ExplanationRow[]
}

/** The result for an invoice without items of severity `error`. */
export interface ValidInvoice extends ResultFields {
  readonly is_valid: true
  /** The normalised invoice with all computed fields. */
  readonly data: CompletedInvoice
}

/** The result for an invoice with an error. */
export interface InvalidInvoice extends ResultFields {
  readonly is_valid: false
  /**
   * The normalised invoice with all amounts that can be computed; `null` if there are schema errors, or if an amount or
   * the exchange rate prevents the calculation.
   */
  readonly data: CompletedInvoice | null
}

/** `is_valid` distinguishes the two forms: `if (result.is_valid) result.data.invoice`. */
export type ValidationResult = ValidInvoice | InvalidInvoice

/** Builds the validation result of an invoice from its examination. */
export function resultOf(
  { outcome }: Examination,
  { explain }: Pick<Options, 'explain'>,
  errors: readonly ValidationItem<ValidationCode>[],
): ValidationResult {
  const is_valid = !errors.some((item) => item.severity === 'error')
  const data = outcome && withSentAmounts(outcome.document, outcome.context)
  // A document without errors always has complete data.
  return (
    explain ? { is_valid, errors, data, explanation: explanationOf(outcome) } : { is_valid, errors, data }
  ) as ValidationResult
}

/**
 * Validates, normalises and calculates a canonical invoice.
 *
 * `document` is a parsed `json_1_1` document and is never changed. Any other value gives schema errors, not an
 * exception. Amounts are JSON numbers, in euros. `errors` has one item per problem, in document order. If there are schema
 * errors, `data` is `null`, and `errors` also has the problems that the rules find in the rest of the document. Source: API
 * specification, "Validate result"; RD 1619/2012; Ley 37/1992.
 *
 * Throws a `TypeError` for an invalid option, which is a programming error, and nothing else.
 *
 * @example
 * validate({ schema_version: 'json_1_1' }).errors.map((item) => `${item.code} ${item.path}`)
 * // => ['schema.required /invoice', 'schema.required /meta']
 */
export function validate(document: unknown, options: Options = {}): ValidationResult {
  const examined = examine(document, options)
  const { findings, further, settings } = examined
  return resultOf(
    examined,
    options,
    findings.length === 0 ? [] : toItems([...findings, ...further], document, settings.locale),
  )
}
