/** Routes of batches: a request contains many invoices, and each invoice has its own transaction. */
import type { Operation } from '#core/invoice/index.ts'
import { MAX_BATCH_BYTES } from '../../environment/server-limits.ts'
import { ApiError } from '../../errors/api-error.ts'
import { ok } from '../../service/access/http-response.ts'
import { idempotentRequest } from '../../service/access/idempotency.ts'
import { DRAFT_BATCH_KIND, IMPORT_BATCH_KIND, runBatch } from '../../service/issued/batch.ts'
import type { Schema } from '../../shapes/builders.ts'
import { BatchRequest, BatchResult, DraftBatch, ImportBatch } from '../../shapes/schemas.ts'
import { type BatchCall, type Route, route } from '../request/route.ts'

/** Returns the common part of a batch route. The caller adds summary and scope. */
const batched = (kind: Parameters<typeof runBatch>[1], operation: Operation, documented: Schema) =>
  ({
    body: {
      kind: 'json',
      schema: BatchRequest,
      documented,
      required: true,
      maxBytes: MAX_BATCH_BYTES,
      batchOf: operation,
    },
    responses: { 200: BatchResult },
    errors: ['inferred_fields_not_allowed'],
    idempotency: true,
    handle: (call: BatchCall) => {
      const { digest, inferred } = call.body
      return idempotentRequest(call, digest).run(async () => {
        if (inferred) throw new ApiError('inferred_fields_not_allowed', { ...inferred })
        return ok(await runBatch(call, kind, call.body))
      })
    },
  }) as const

export const BATCH_ROUTES: readonly Route[] = [
  route('post /drafts/batch', {
    summary: 'Create or update many drafts',
    scope: 'invoices:write',
    ...batched(DRAFT_BATCH_KIND, 'draft', DraftBatch),
  }),
  route('post /issued-invoices/import/batch', {
    summary: 'Import many invoices',
    scope: 'invoices:issue',
    ...batched(IMPORT_BATCH_KIND, 'import', ImportBatch),
  }),
]
