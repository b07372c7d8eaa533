/**
 * Standard Schema v1 (https://standardschema.dev): a validator for tRPC, Hono, TanStack and other libraries that
 * support it.
 */
import type { CanonicalInvoiceInput, CompletedInvoice, Options } from '#core/invoice/index.ts'
import { segmentsOf } from '#core/invoice/pointer.ts'
import { validate } from './validate.ts'

interface Issue {
  readonly message: string
  readonly path: readonly PropertyKey[]
}

/** The part of Standard Schema v1 that a validator implements. */
export interface StandardSchema<Input, Output> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'cuadra'
    readonly validate: (value: unknown) => { readonly value: Output } | { readonly issues: readonly Issue[] }
    readonly types?: { readonly input: Input; readonly output: Output }
  }
}

/**
 * Returns a Standard Schema of the canonical invoice. Its output is `data` of `validate`. Its issues are the problems
 * of severity `error`, with the code before the message.
 *
 * @example
 * const result = invoiceSchema({ operation: 'draft' })['~standard'].validate({})
 * 'issues' in result // => true
 */
export const invoiceSchema = (
  options: Options = {},
): StandardSchema<CanonicalInvoiceInput, CompletedInvoice> => ({
  '~standard': {
    version: 1,
    vendor: 'cuadra',
    validate: (value) => {
      const { is_valid, errors, data } = validate(value, options)
      if (is_valid) return { value: data }
      const issues = errors
        .filter((item) => item.severity === 'error')
        .map((item) => ({ message: `${item.code}: ${item.message}`, path: segmentsOf(item.path) }))
      return { issues }
    },
  },
})
