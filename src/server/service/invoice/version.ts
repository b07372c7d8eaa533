/** Versions of saved invoices: two clients that edit one draft do not overwrite each other unseen (RFC 9110, 13.1.1). */
import { ApiError } from '../../errors/api-error.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Call } from '../access/call.ts'

type Dated = Pick<InvoiceRow, 'updated_at'>

/** The tag of a saved version: it names when the invoice was last written. */
export const tagOf = ({ updated_at }: Dated): string => `"${updated_at.replaceAll(/\D/g, '')}"`

/**
 * Throws `precondition_failed` where `If-Match` names another version than the one that is there, or where none is.
 * A tag that a proxy made weak counts: it names a version, not bytes.
 */
export function requireVersionOf({ ifMatch }: Pick<Call, 'ifMatch'>, row: Dated | undefined): void {
  if (ifMatch === undefined) return
  const expected = row && tagOf(row)
  if (expected !== undefined && (ifMatch.trim() === '*' || ifMatch.match(/"[^"]*"/g)?.includes(expected)))
    return
  throw new ApiError('precondition_failed', { received: ifMatch, expected: expected ?? null })
}
