/** The document that a record is made of: what `validate` answered, or the `data` of it. */
import type { CanonicalInvoice, ValidationItem } from '../invoice/index.ts'
import { isObject } from './check-options.ts'
import type { RefuseShared } from './shared-codes.ts'

/** What `validate` answers: a record is only made of an invoice without errors. */
export interface Validated {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  readonly data: CanonicalInvoice | null
}

const isValidated = (value: unknown): value is Validated =>
  typeof value === 'object' && value !== null && 'is_valid' in value && 'errors' in value

/** First member that a document of the engine has and this one lacks. */
export function missingOf(document: unknown): string | undefined {
  const block = isObject(document) && isObject(document.invoice) ? document.invoice : {}
  if (!isObject(block.totals) || typeof block.totals.invoice_total !== 'number') return '/invoice/totals'
  for (const list of ['taxes_outputs', 'lines'])
    if (!Array.isArray(block[list]) || !block[list].every(isObject)) return `/invoice/${list}`
  const name = ['header', 'issue_data', 'supplier'].find((member) => !isObject(block[member]))
  if (name !== undefined) return `/invoice/${name}`
  return isObject((document as { meta?: unknown }).meta) ? undefined : '/meta'
}

/** The document; null where it has errors, or is not the engine's. */
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
