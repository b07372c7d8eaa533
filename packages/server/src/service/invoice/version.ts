/** Versions of saved invoices, so that two clients do not overwrite each other's changes (RFC 9110, 13.1.1). */
import { createHash } from 'node:crypto'
import { ApiError } from '../../errors/api-error.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'

/**
 * Returns the entity tag of an invoice, which changes with the stored document and the status. Throws
 * `invoice_not_found`.
 */
export async function etagOf(db: Rows, invoiceId: string): Promise<string> {
  const version = await db
    .select('invoices', { invoice_documents: 'invoice_id' })
    .select(['invoices.status', 'invoice_documents.sent_digest', 'invoice_documents.canonical_digest'])
    .where('invoices.invoice_id', '=', invoiceId)
    .executeTakeFirst()
  if (!version) throw new ApiError('invoice_not_found')
  const { status, sent_digest, canonical_digest } = version
  const hash = createHash('sha256').update([status, sent_digest, canonical_digest].join())
  return `"${hash.digest('hex').slice(0, 32)}"`
}

/** Returns the header with the version, which a client sends back as `If-Match`. */
export const etagHeaderOf = async (db: Rows, invoiceId: string): Promise<{ readonly ETag: string }> => ({
  ETag: await etagOf(db, invoiceId),
})

/**
 * Throws `precondition_failed` if `If-Match` does not match the current version, or if the invoice does not exist. A
 * weak tag is accepted: a proxy may have made it weak, and tags identify a version, not bytes.
 */
export async function requireMatchingEtag(
  db: Rows,
  { ifMatch }: Pick<Call, 'ifMatch'>,
  invoiceId: string | undefined,
): Promise<void> {
  if (ifMatch === undefined) return
  const expected = invoiceId === undefined ? null : await etagOf(db, invoiceId)
  if (expected !== null && (ifMatch.trim() === '*' || ifMatch.match(/"[^"]*"/g)?.includes(expected))) return
  throw new ApiError('precondition_failed', { received: ifMatch, expected })
}
