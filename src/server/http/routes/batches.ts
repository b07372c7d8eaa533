/** Many invoices in one request; each is a transaction of its own. */
import type { Operation } from '../../../invoice/index.ts'
import { MAX_BATCH_BYTES } from '../../environment/limits.ts'
import { ApiError } from '../../errors/api-error.ts'
import { ok } from '../../service/access/answer.ts'
import type { Scope } from '../../service/access/call.ts'
import { once } from '../../service/access/idempotency.ts'
import { DRAFTS, IMPORTS, runBatch } from '../../service/issued/batch.ts'
import type { Schema } from '../../shapes/kinds.ts'
import { BatchRequest, BatchResult, DraftBatch, ImportBatch } from '../../shapes/schemas.ts'
import { type Group, type Route, route } from '../request/route.ts'

const batch = (
  path: string,
  group: Group,
  summary: string,
  scope: Scope,
  operation: Operation,
  kind: Parameters<typeof runBatch>[1],
  documented: Schema,
): Route =>
  route({
    method: 'post',
    path,
    group,
    summary,
    scope,
    body: {
      kind: 'json',
      schema: BatchRequest,
      documented,
      required: true,
      maxBytes: MAX_BATCH_BYTES,
      batchOf: operation,
    },
    answers: { 200: BatchResult },
    errors: ['inferred_fields_not_allowed'],
    idempotency: 'request',
    handle: (call) => {
      const { texts, digest, inferred } = call.body
      return once(call, digest).around(async () => {
        if (inferred) throw new ApiError('inferred_fields_not_allowed', { ...inferred })
        return ok(await runBatch(call, kind, texts))
      })
    },
  })

export const BATCH_ROUTES: readonly Route[] = [
  batch(
    '/drafts/batch',
    'Drafts',
    'Create or update many drafts',
    'invoices:write',
    'draft',
    DRAFTS,
    DraftBatch,
  ),
  batch(
    '/issued-invoices/import/batch',
    'Issued',
    'Import many invoices',
    'invoices:issue',
    'import',
    IMPORTS,
    ImportBatch,
  ),
]
