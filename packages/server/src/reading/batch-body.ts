/**
 * Prepares the invoices of a batch before validation. Returns the document to store for each invoice, and lists fields
 * that only the server may compute. Such fields cause a refusal of the whole batch.
 */
import { computedFieldsIn, type Operation } from '#core/invoice/index.ts'
import { textOf } from '#entry/web/index.ts'
import type { Range } from './ranges.ts'

/** The result of reading the body of a batch, without the body itself. */
export interface Batch {
  /** The byte range of each invoice in the body, so that only one invoice of a large batch is parsed at a time. */
  readonly ranges: readonly Range[]
  /** SHA-256 of the parsed body; empty if the request has no idempotency key. */
  readonly digest: string
  /**
   * Computed fields that the invoices contain; null if there are none. A batch with computed fields is refused, unless
   * a response is stored for its idempotency key.
   */
  readonly inferred: Inferred | null
}

/** A batch with its body. */
export interface BatchBody extends Batch {
  readonly bytes: Uint8Array
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

/** Members of `meta` that are ignored in a batch. Other unknown members are still refused. */
const UNUSED = new Set(['direction', 'batch_id', 'batch_item_id', 'original_format', 'original_document_id'])

/** Returns the document to store for an element of the batch, without the members of `meta` that a batch ignores. */
export function documentOfElement(element: unknown): unknown {
  if (!isMembers(element) || !isMembers(element.meta)) return element
  const used = Object.entries(element.meta).filter(([name]) => !UNUSED.has(name))
  return { ...element, meta: { ...Object.fromEntries(used), direction: 'issued' } }
}

/** Parses the bytes of an invoice that `readBatch` has checked, and returns the document to store. */
export const parseCheckedDocument = (bytes: Uint8Array): unknown =>
  documentOfElement(JSON.parse(textOf(bytes) ?? ''))

/** Maximum number of computed fields to list per invoice. */
const MAX_FIELDS = 50

/** Collects the computed fields of a batch, invoice by invoice. */
export function collectComputedFields(operation: Operation) {
  const items: { readonly index: number; readonly fields: readonly string[] }[] = []
  return {
    add: (document: unknown, index: number): void => {
      if (items.length === MAX_DETAILED) return
      const fields = computedFieldsIn(document, operation, MAX_FIELDS)
      if (fields.length > 0) items.push({ index, fields })
    },
    /** Returns the computed fields of all added invoices; null if there are none. */
    all: (): Inferred | null => {
      if (items.length === 0) return null
      const fields = [...new Set(items.flatMap((item) => item.fields))].slice(0, MAX_DETAILED)
      return { fields, items }
    },
  }
}
