/** The operation for which a document is probably meant, for users who do not choose one. */
import type { Operation } from './item.ts'
import { valueAt } from './pointer.ts'

/** Why an operation is likely. */
export type OperationReason = 'received' | 'numbered' | 'without_number' | 'without_date'

export interface LikelyOperation {
  readonly operation: Operation
  readonly reason: OperationReason
}

/** Returns `received`, `issue` if the invoice has a number and an issue date, otherwise `draft`; and the reason. */
export function likelyOperation(document: unknown): LikelyOperation {
  const isText = (pointer: string) => typeof valueAt(document, pointer) === 'string'
  if (valueAt(document, '/meta/direction') === 'received')
    return { operation: 'received', reason: 'received' }
  if (!isText('/invoice/header/invoice_number')) return { operation: 'draft', reason: 'without_number' }
  return isText('/invoice/issue_data/issue_date')
    ? { operation: 'issue', reason: 'numbered' }
    : { operation: 'draft', reason: 'without_date' }
}
