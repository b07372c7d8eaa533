/** The invoices of a batch before they are judged: what each is stored as, and what refuses all of them. */
import { inferredFields, type Operation } from '../../invoice/index.ts'

/** A batch that has been read. */
export interface Batch {
  /** Each invoice as JSON: of a large batch, one at a time is a value in memory. */
  readonly texts: readonly string[]
  /** SHA-256 of the body. */
  readonly digest: string
  /** Where any invoice has computed fields: nothing is stored then, unless its idempotency key knows an answer. */
  readonly inferred: Inferred | null
}

interface Inferred {
  readonly fields: readonly string[]
  readonly items: readonly { readonly index: number; readonly fields: readonly string[] }[]
}

/** So many are told one by one (specification, "Limits"). */
export const DETAILED = 500

export type Members = Readonly<Record<string, unknown>>

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members of `meta` that a batch has no use for; what the contract does not know is still refused. */
const UNUSED = new Set(['direction', 'batch_id', 'batch_item_id', 'original_format', 'original_document_id'])

/** An element as the document that is stored: of its `meta`, only reference and source system count. */
export function documentOfElement(element: unknown): unknown {
  if (!isMembers(element) || !isMembers(element.meta)) return element
  const used = Object.entries(element.meta).filter(([name]) => !UNUSED.has(name))
  return { ...element, meta: { ...Object.fromEntries(used), direction: 'issued' } }
}

/** So many computed fields of an invoice are named: its other problems are not looked for here. */
const MOST_FIELDS = 50

/** The computed fields of a batch; null where there are none. */
export function inferredOf(documents: readonly unknown[], operation: Operation): Inferred | null {
  const items: { readonly index: number; readonly fields: readonly string[] }[] = []
  for (const [index, document] of documents.entries()) {
    const fields = inferredFields(document, operation, MOST_FIELDS)
    if (fields.length > 0) items.push({ index, fields })
    if (items.length === DETAILED) break
  }
  if (items.length === 0) return null
  const fields = [...new Set(items.flatMap((item) => item.fields))].slice(0, DETAILED)
  return { fields, items }
}
