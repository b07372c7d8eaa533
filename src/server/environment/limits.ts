/** Maximum sizes of bodies, in bytes. */

export const MAX_JSON_BYTES = 4 * 1024 * 1024
/** Maximum size of a whole batch. Each invoice in it has the limit of a single body. */
export const MAX_BATCH_BYTES = 64 * 1024 * 1024
/** An invoice of this size has about 400 lines. Larger ones take milliseconds, so they do not share a transaction. */
export const LARGE_DOCUMENT = 64 * 1024
