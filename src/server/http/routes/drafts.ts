/** Drafts: issued invoices that are not issued yet. */
import { created, noContent, ok } from '../../service/access/answer.ts'
import { acting } from '../../service/invoice/events.ts'
import { listInvoices } from '../../service/invoice/lists.ts'
import { tagOf } from '../../service/invoice/version.ts'
import { deleteDraft, judgeDraft, revalidateDraft, saveDraft } from '../../service/issued/drafts.ts'
import { uuid } from '../../shapes/kinds.ts'
import { CUSTOMER, FILTERS, PAGE } from '../../shapes/parameters.ts'
import { InvoicePage, SavedValidateResult, SaveResult } from '../../shapes/schemas.ts'
import { isDraftKind } from '../../store/invoices.ts'
import { type Route, route } from '../request/route.ts'
import { invoiceBody, readingRoutes, validation } from './shared.ts'

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
  route({
    method: 'put',
    path: '/drafts',
    group: 'Drafts',
    summary: 'Create or update a draft',
    scope: 'invoices:write',
    query: { invoice_id: { schema: uuid, description: 'Update this draft.' } },
    body: invoiceBody('DraftInvoice'),
    answers: { 201: SaveResult },
    errors: [...STORING, 'invoice_not_found'],
    judge: (call) => judgeDraft(call.store, call, call.body),
    versioned: true,
    write: async (call, tx, judged) => {
      const who = acting(call)
      const invoiceId = call.query.invoice_id
      const saved = await saveDraft(tx, call, call.body, judged(), { invoiceId, who })
      return { ...created(saved), headers: { ETag: tagOf({ updated_at: who.stamp }) } }
    },
  }),
  route({
    method: 'get',
    path: '/drafts',
    group: 'Drafts',
    summary: 'List drafts',
    scope: 'invoices:read',
    query: { ...FILTERS, ...CUSTOMER, ...PAGE },
    answers: { 200: InvoicePage },
    handle: async (call) =>
      ok(
        await listInvoices(call, {
          direction: 'issued',
          status: 'draft',
          newestFirst: true,
          query: call.query,
        }),
      ),
  }),
  validation('/drafts/validate', 'Drafts', 'DraftInvoice', 'draft', false),
  ...readingRoutes('/drafts', 'Drafts', isDraftKind, { isVersioned: true }),
  route({
    method: 'post',
    path: '/drafts/{invoice_id}/validate',
    group: 'Drafts',
    summary: 'Validate a saved draft again',
    scope: 'invoices:read',
    answers: { 200: SavedValidateResult },
    write: async (call, tx) => ok(await revalidateDraft(tx, call, call.params.invoice_id)),
  }),
  route({
    method: 'delete',
    path: '/drafts/{invoice_id}',
    group: 'Drafts',
    summary: 'Delete a draft',
    scope: 'invoices:write',
    answers: { 204: null },
    errors: ['invoice_delete_not_allowed'],
    versioned: true,
    write: async (call, tx) => {
      await deleteDraft(tx, call, call.params.invoice_id)
      return noContent
    },
  }),
]
