/** Routes that change issued invoices: import, cancellation, correction, mail, deletion. Issuing: `issued-routes.ts`. */
import { created, noContent, ok } from '../../service/access/http-response.ts'
import { cancelInvoice } from '../../service/issued/cancel.ts'
import { createCorrectiveDraft } from '../../service/issued/corrective.ts'
import { importInvoice, validateImport } from '../../service/issued/import.ts'
import { removeImported } from '../../service/issued/remove-imported.ts'
import { sendInvoice } from '../../service/mail/send-mail.ts'
import {
  BUILDABLE_CORRECTIVE,
  CorrectiveRequest,
  InvoiceSummary,
  SaveResult,
  SendRequest,
  SendResult,
} from '../../shapes/schemas.ts'
import { type Route, route } from '../request/route.ts'
import { invoiceBody } from './shared.ts'

export const ISSUED_CHANGE_ROUTES: readonly Route[] = [
  route('post /issued-invoices/import', {
    summary: 'Import an invoice issued elsewhere',
    scope: 'invoices:issue',
    body: invoiceBody('ImportedInvoice'),
    responses: { 201: SaveResult },
    errors: [
      'unsupported_schema_version',
      'inferred_fields_not_allowed',
      'missing_required_fields',
      'schema_validation_failed',
      'issuer_tax_id_required',
      'issuer_tax_id_mismatch',
      'future_issue_date',
      'invoice_update_not_allowed',
      'issued_invoice_fiscally_locked',
    ],
    idempotency: true,
    validate: (call) => validateImport(call.store, call, call.body),
    write: async (call, tx, validated) => {
      const saved = await importInvoice(tx, call, call.body, validated())
      return created(saved, `/issued-invoices/${saved.id}`)
    },
  }),
  route('post /issued-invoices/{invoice_id}/cancel', {
    summary: 'Cancel an issued invoice',
    scope: 'invoices:issue',
    responses: { 200: InvoiceSummary },
    errors: ['invalid_status_transition'],
    idempotency: true,
    write: async (call, tx) => ok(await cancelInvoice(tx, call, call.params.invoice_id)),
  }),
  route('post /issued-invoices/{invoice_id}/corrective', {
    summary: 'Draft a corrective of an issued invoice',
    scope: 'invoices:write',
    body: {
      kind: 'json',
      schema: CorrectiveRequest,
      documented: BUILDABLE_CORRECTIVE,
      required: true,
    },
    responses: { 201: SaveResult },
    errors: [
      'invoice_not_issued_for_correction',
      'corrective_draft_invalid',
      'invoice_update_not_allowed',
      'canonical_not_available',
    ],
    idempotency: true,
    write: async (call, tx) => {
      const saved = await createCorrectiveDraft(tx, call, call.params.invoice_id, call.body)
      return created(saved, `/drafts/${saved.id}`)
    },
  }),
  route('post /issued-invoices/{invoice_id}/send', {
    summary: 'Send an issued invoice by e-mail',
    scope: 'invoices:issue',
    body: { kind: 'json', schema: SendRequest, required: false },
    responses: { 200: SendResult },
    errors: [
      'invalid_status_transition',
      'canonical_not_available',
      'no_recipient_email',
      'export_not_possible',
      'mail_too_large',
      'email_not_sent',
    ],
    idempotency: true,
    handle: (call) => sendInvoice(call, call.params.invoice_id, call.body),
  }),
  route('delete /issued-invoices/{invoice_id}', {
    summary: 'Delete an imported invoice',
    scope: 'invoices:issue',
    responses: { 204: null },
    errors: ['invoice_delete_not_allowed'],
    write: async (call, tx) => {
      await removeImported(tx, call, call.params.invoice_id)
      return noContent
    },
  }),
]
