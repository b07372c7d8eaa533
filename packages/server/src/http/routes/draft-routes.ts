/** Routes of drafts. */
import { created, noContent, ok } from '../../service/access/http-response.ts'
import { listInvoices } from '../../service/invoice/lists.ts'
import { etagHeaderOf } from '../../service/invoice/version.ts'
import { deleteDraft, revalidateDraft, saveDraft, validateDraft } from '../../service/issued/drafts.ts'
import { uuid } from '../../shapes/builders.ts'
import { CUSTOMER_FILTERS, FILTERS, PAGE } from '../../shapes/parameter-shapes.ts'
import { InvoicePage, SavedValidateResult, SaveResult } from '../../shapes/schemas.ts'
import { type Route, route } from '../request/route.ts'
import { DRAFTS, invoiceBody, readingRoutes, validation } from './shared.ts'

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
  route('put /drafts', {
    summary: 'Create or update a draft',
    scope: 'invoices:write',
    query: { invoice_id: { schema: uuid, description: 'Id of the draft to update.' } },
    body: invoiceBody('DraftInvoice'),
    responses: { 201: SaveResult },
    errors: [...STORING, 'invoice_not_found'],
    validate: (call) => validateDraft(call.store, call, call.body),
    versioned: true,
    write: async (call, tx, validated) => {
      const invoiceId = call.query.invoice_id
      const saved = await saveDraft(tx, call, call.body, validated(), { invoiceId })
      return created(saved, `/drafts/${saved.id}`, await etagHeaderOf(tx, saved.id))
    },
  }),
  route('get /drafts', {
    summary: 'List drafts',
    scope: 'invoices:read',
    query: { ...FILTERS, ...CUSTOMER_FILTERS, ...PAGE },
    responses: { 200: InvoicePage },
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
  validation(DRAFTS, 'DraftInvoice', 'draft', false),
  ...readingRoutes(DRAFTS, true),
  route('post /drafts/{invoice_id}/validate', {
    summary: 'Validate a saved draft again',
    scope: 'invoices:read',
    responses: { 200: SavedValidateResult },
    versioned: true,
    write: async (call, tx) => {
      const result = await revalidateDraft(tx, call, call.params.invoice_id)
      return { ...ok(result), headers: await etagHeaderOf(tx, result.id) }
    },
  }),
  route('delete /drafts/{invoice_id}', {
    summary: 'Delete a draft',
    scope: 'invoices:write',
    responses: { 204: null },
    errors: ['invoice_delete_not_allowed'],
    versioned: true,
    write: async (call, tx) => {
      await deleteDraft(tx, call, call.params.invoice_id)
      return noContent
    },
  }),
]
