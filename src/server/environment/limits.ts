/** How large a body may be, in bytes. */

export const MAX_JSON_BYTES = 4 * 1024 * 1024
/** Of a whole batch; each of its invoices is bounded as a body of its own is. */
export const MAX_BATCH_BYTES = 64 * 1024 * 1024
/** An invoice of so many, some 400 lines, shares a transaction with no other: it takes milliseconds. */
export const LARGE_DOCUMENT = 64 * 1024
