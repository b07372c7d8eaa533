/** Drafts: issued invoices that are not issued yet. */

import { created, noContent, ok } from '../../service/call.ts'
import { deleteDraft, judgeDraft, revalidateDraft, saveDraft } from '../../service/drafts.ts'
import { listInvoices } from '../../service/lists.ts'
import { isDraftKind } from '../../store/invoices.ts'
import type { Route } from '../route.ts'
import { ref, shapes } from '../schemas.ts'
import { CUSTOMER, FILTERS, idOf, invoiceBody, PAGE, readingRoutes, validation } from './shared.ts'

const STORING = [
  'unsupported_schema_version',
  'inferred_fields_not_allowed',
  'missing_required_fields',
  'invoice_number_not_allowed',
  'issue_date_not_allowed',
  'schema_validation_failed',
  'issuer_tax_id_mismatch',
  'invoice_update_not_allowed',
] as const

export const DRAFT_ROUTES: readonly Route[] = [
  {
    method: 'put',
    path: '/drafts',
    group: 'Drafts',
    summary: 'Create a draft, or update the one with the same external_ref',
    scope: 'invoices:write',
    query: { invoice_id: { schema: shapes.uuid, description: 'Update this draft.' } },
    body: invoiceBody('DraftInvoice'),
    answers: { 201: ref('SaveResult') },
    errors: [...STORING, 'invoice_not_found'],
    judge: (call) => judgeDraft(call.app.store.read, call, call.body),
    write: async (call, tx, judged) =>
      created(
        await saveDraft(tx, call, call.body, judged(), {
          invoiceId: call.query.invoice_id as string | undefined,
        }),
      ),
  },
  {
    method: 'get',
    path: '/drafts',
    group: 'Drafts',
    summary: 'Drafts, newest first',
    scope: 'invoices:read',
    query: { ...FILTERS, ...CUSTOMER, ...PAGE },
    answers: { 200: ref('InvoicePage') },
    handle: async (call) =>
      ok(
        await listInvoices(call, {
          direction: 'issued',
          statuses: ['draft'],
          newestFirst: true,
          query: call.query,
        }),
      ),
  },
  validation('/drafts/validate', 'Drafts', 'DraftInvoice', 'draft', false),
  ...readingRoutes('/drafts', 'Drafts', isDraftKind),
  {
    method: 'post',
    path: '/drafts/{invoice_id}/validate',
    group: 'Drafts',
    summary: 'Validate a saved draft again',
    scope: 'invoices:read',
    answers: { 200: ref('SavedValidateResult') },
    write: async (call, tx) => ok(await revalidateDraft(tx, call, idOf(call))),
  },
  {
    method: 'delete',
    path: '/drafts/{invoice_id}',
    group: 'Drafts',
    summary: 'Delete a draft with its attachments',
    scope: 'invoices:write',
    answers: { 204: null },
    errors: ['invoice_delete_not_allowed'],
    write: async (call, tx) => {
      await deleteDraft(tx, call, idOf(call))
      return noContent
    },
  },
]
