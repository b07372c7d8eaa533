/** Maximum sizes of bodies, in bytes. */

export const MAX_JSON_BYTES = 4 * 1024 * 1024
/** Maximum size of a whole batch. Each invoice in it has the size limit of a single invoice. */
export const MAX_BATCH_BYTES = 64 * 1024 * 1024
/** Size of an invoice with about 400 lines. Larger invoices take milliseconds, so they do not share a transaction. */
export const LARGE_DOCUMENT = 64 * 1024
