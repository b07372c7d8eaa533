/** Versions of saved invoices, so that two clients do not overwrite each other's changes (RFC 9110, 13.1.1). */
import { ApiError } from '../../errors/api-error.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Call } from '../access/call.ts'

type Dated = Pick<InvoiceRow, 'updated_at'>

/** Returns the entity tag of a saved version, derived from the time of its last write. */
export const tagOf = ({ updated_at }: Dated): string => `"${updated_at.replaceAll(/\D/g, '')}"`

/**
 * Throws `precondition_failed` if `If-Match` names another version than the current one, or if the invoice does not
 * exist. A tag that a proxy made weak is accepted, because it identifies a version and not bytes.
 */
export function requireVersionOf({ ifMatch }: Pick<Call, 'ifMatch'>, row: Dated | undefined): void {
  if (ifMatch === undefined) return
  const expected = row && tagOf(row)
  if (expected !== undefined && (ifMatch.trim() === '*' || ifMatch.match(/"[^"]*"/g)?.includes(expected)))
    return
  throw new ApiError('precondition_failed', { received: ifMatch, expected: expected ?? null })
}
