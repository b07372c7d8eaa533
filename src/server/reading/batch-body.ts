/**
 * Prepares the invoices of a batch before validation. Returns the document to store for each invoice, and the computed
 * fields, which refuse the whole batch.
 */
import { inferredFields, type Operation } from '../../invoice/index.ts'

/** A batch after its body was read. */
export interface Batch {
  /** Each invoice as JSON text. So only one invoice of a large batch is in memory as a value. */
  readonly texts: readonly string[]
  /** SHA-256 of the body. */
  readonly digest: string
  /**
   * Computed fields, if any invoice has them. The batch is then refused, unless a response is stored for its
   * idempotency key.
   */
  readonly inferred: Inferred | null
}

interface Inferred {
  readonly fields: readonly string[]
  readonly items: readonly { readonly index: number; readonly fields: readonly string[] }[]
}

/** Maximum number of items with details in a response (API specification, "Limits"). */
export const MAX_DETAILED = 500

export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of `meta` that are ignored in a batch. Unknown members are still refused. */
const UNUSED = new Set(['direction', 'batch_id', 'batch_item_id', 'original_format', 'original_document_id'])

/** Returns an element of the batch as the document to store. Members of its `meta` that a batch ignores are removed. */
export function documentOfElement(element: unknown): unknown {
  if (!isMembers(element) || !isMembers(element.meta)) return element
  const used = Object.entries(element.meta).filter(([name]) => !UNUSED.has(name))
  return { ...element, meta: { ...Object.fromEntries(used), direction: 'issued' } }
}

/** Maximum number of computed fields to list per invoice. */
const MAX_FIELDS = 50

/** Returns the computed fields of a batch; null if no invoice has any. */
export function inferredOf(documents: readonly unknown[], operation: Operation): Inferred | null {
  const items: { readonly index: number; readonly fields: readonly string[] }[] = []
  for (const [index, document] of documents.entries()) {
    const fields = inferredFields(document, operation, MAX_FIELDS)
    if (fields.length > 0) items.push({ index, fields })
    if (items.length === MAX_DETAILED) break
  }
  if (items.length === 0) return null
  const fields = [...new Set(items.flatMap((item) => item.fields))].slice(0, MAX_DETAILED)
  return { fields, items }
}
