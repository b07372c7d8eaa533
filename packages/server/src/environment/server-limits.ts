/** Maximum sizes of bodies, in bytes. */
import { getHeapStatistics } from 'node:v8'

export const MAX_JSON_BYTES = 4 * 1024 * 1024
/**
 * Maximum size of a whole batch; less on a machine with little memory. Each invoice of the batch is also limited to the
 * size of a single invoice.
 */
export const MAX_BATCH_BYTES = Math.min(64 * 1024 * 1024, Math.floor(getHeapStatistics().heap_size_limit / 8))
/** Size of a large body. Processing a body of this size blocks other requests for about 20 ms. */
export const LARGE_BODY_BYTES = 128 * 1024
/** Maximum number of large documents handled at the same time. Each one, parsed, takes up to 50 MB of the heap. */
export const MAX_LARGE_DOCUMENTS = Math.max(2, Math.floor(MAX_BATCH_BYTES / (8 * 1024 * 1024)))
/** Size of an invoice with about 400 lines. Saving a larger one takes milliseconds, so it gets its own transaction. */
export const LARGE_DOCUMENT = 64 * 1024
