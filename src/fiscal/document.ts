/** The document that a record is built from: the result of `validate`, or its `data`. */
import type { CanonicalInvoice, ValidationItem } from '../invoice/index.ts'
import { isObject } from './check-options.ts'
import type { RefuseShared } from './shared-codes.ts'

/** The result of `validate`. Records are built only from invoices without errors. */
export interface Validated {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  readonly data: CanonicalInvoice | null
}

const isValidated = (value: unknown): value is Validated =>
  typeof value === 'object' && value !== null && 'is_valid' in value && 'errors' in value

/** Returns the path of the first missing member among those that every document of the engine has. */
export function missingOf(document: unknown): string | undefined {
  const block = isObject(document) && isObject(document.invoice) ? document.invoice : {}
  if (!isObject(block.totals) || typeof block.totals.invoice_total !== 'number') return '/invoice/totals'
  for (const list of ['taxes_outputs', 'lines'])
    if (!Array.isArray(block[list]) || !block[list].every(isObject)) return `/invoice/${list}`
  const name = ['header', 'issue_data', 'supplier'].find((member) => !isObject(block[member]))
  if (name !== undefined) return `/invoice/${name}`
  return isObject((document as { meta?: unknown }).meta) ? undefined : '/meta'
}

/** Returns the document; null if it has errors or does not come from the engine. */
export function documentOf(
  answer: CanonicalInvoice | Validated,
  refuse: RefuseShared<'invalid_invoice' | 'not_normalised'>,
): CanonicalInvoice | null {
  if (isValidated(answer)) {
    const errors = answer.errors.filter((item) => item.severity === 'error')
    if (!answer.data || errors.length > 0) {
      const first = errors[0] ? `${errors[0].code} ${errors[0].path}` : 'schema'
      refuse('invalid_invoice', '', { count: errors.length, first })
      return null
    }
  }
  const document = isValidated(answer) ? answer.data! : answer
  const missing = missingOf(document)
  if (missing === undefined) return document
  refuse('not_normalised', missing)
  return null
}
