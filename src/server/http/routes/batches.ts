/** Many invoices in one request; each is a transaction of its own. */
import { DRAFTS, IMPORTS, runBatch } from '../../service/batch.ts'
import { ok } from '../../service/call.ts'
import { MAX_BATCH_BYTES } from '../body.ts'
import { remembered } from '../remembered.ts'
import type { ReadingRoute } from '../route.ts'
import { ref, STORABLE_BATCH } from '../schemas.ts'

const batch = (
  path: string,
  group: ReadingRoute['group'],
  summary: string,
  scope: ReadingRoute['scope'],
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
  },
  answers: { 200: ref('BatchResult') },
  errors: ['inferred_fields_not_allowed'],
  idempotent: true,
  handle: (call) =>
    remembered(call, async () => {
      const { invoices } = call.body as { readonly invoices: readonly unknown[] }
      return ok(await runBatch(call, kind, invoices))
    }),
})

export const BATCH_ROUTES: readonly ReadingRoute[] = [
  batch('/drafts/batch', 'Drafts', 'Create or update many drafts', 'invoices:write', DRAFTS),
  batch(
    '/issued-invoices/import/batch',
    'Issued',
    'Import many invoices, in order',
    'invoices:issue',
    IMPORTS,
  ),
]
