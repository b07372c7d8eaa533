/** Many invoices in one request; each is a transaction of its own. */
import type { Operation } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import { MAX_BATCH_BYTES } from '../../limits.ts'
import { DRAFTS, IMPORTS, runBatch } from '../../service/batch.ts'
import type { Batch } from '../../service/batch-body.ts'
import { ok } from '../../service/call.ts'
import { remembered } from '../remembered.ts'
import type { ReadingRoute } from '../route.ts'
import { ref, STORABLE_BATCH } from '../schemas.ts'

const batch = (
  path: string,
  group: ReadingRoute['group'],
  summary: string,
  scope: ReadingRoute['scope'],
  operation: Operation,
  kind: Parameters<typeof runBatch>[1],
): ReadingRoute => ({
  method: 'post',
  path,
  group,
  summary,
  scope,
  body: {
    kind: 'json',
    schema: ref('BatchRequest'),
    documented: STORABLE_BATCH,
    required: true,
    maxBytes: MAX_BATCH_BYTES,
    batchOf: operation,
  },
  answers: { 200: ref('BatchResult') },
  errors: ['inferred_fields_not_allowed'],
  idempotent: true,
  handle: (call) => {
    const { texts, digest, inferred } = call.body as Batch
    const work = async () => {
      if (inferred) throw new ApiError('inferred_fields_not_allowed', { ...inferred })
      return ok(await runBatch(call, kind, texts))
    }
    return remembered(call, work, digest)
  },
})

export const BATCH_ROUTES: readonly ReadingRoute[] = [
  batch('/drafts/batch', 'Drafts', 'Create or update many drafts', 'invoices:write', 'draft', DRAFTS),
  batch(
    '/issued-invoices/import/batch',
    'Issued',
    'Import many invoices, in order',
    'invoices:issue',
    'import',
    IMPORTS,
  ),
]
