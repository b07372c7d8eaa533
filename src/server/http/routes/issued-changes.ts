/** What changes issued invoices beside issue itself: import, cancel, corrective, delete. */

import { created, noContent, ok } from '../../service/call.ts'
import { cancelInvoice } from '../../service/cancel.ts'
import { type CorrectiveRequest, draftCorrective } from '../../service/corrective.ts'
import { importInvoice, judgeImport } from '../../service/import.ts'
import { removeImported } from '../../service/remove-imported.ts'
import type { Route } from '../route.ts'
import { ref } from '../schemas.ts'
import { BUILDABLE_CORRECTIVE } from '../schemas-issued.ts'
import { idOf, invoiceBody } from './shared.ts'

export const ISSUED_CHANGE_ROUTES: readonly Route[] = [
  {
    method: 'post',
    path: '/issued-invoices/import',
    group: 'Issued',
    summary: 'Import an invoice issued elsewhere, or update the imported one with its number',
    scope: 'invoices:issue',
    body: invoiceBody('ImportedInvoice'),
    answers: { 201: ref('SaveResult') },
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
    idempotent: true,
    judge: (call) => judgeImport(call, call.body),
    write: async (call, tx, judged) => created(await importInvoice(tx, call, call.body, judged())),
  },
  {
    method: 'post',
    path: '/issued-invoices/{invoice_id}/cancel',
    group: 'Issued',
    summary: 'Cancel an issued or sent invoice',
    scope: 'invoices:issue',
    answers: { 200: ref('InvoiceSummary') },
    errors: ['invalid_status_transition'],
    idempotent: true,
    write: async (call, tx) => ok(await cancelInvoice(tx, call, idOf(call))),
  },
  {
    method: 'post',
    path: '/issued-invoices/{invoice_id}/corrective',
    group: 'Issued',
    summary: 'Draft a corrective of an issued or sent invoice',
    scope: 'invoices:write',
    body: {
      kind: 'json',
      schema: ref('CorrectiveRequest'),
      documented: BUILDABLE_CORRECTIVE,
      required: true,
    },
    answers: { 201: ref('SaveResult') },
    errors: [
      'invoice_not_issued_for_correction',
      'corrective_draft_invalid',
      'invoice_update_not_allowed',
      'canonical_not_available',
    ],
    idempotent: true,
    write: async (call, tx) =>
      created(await draftCorrective(tx, call, idOf(call), call.body as CorrectiveRequest)),
  },
  {
    method: 'delete',
    path: '/issued-invoices/{invoice_id}',
    group: 'Issued',
    summary: 'Delete an imported invoice with its attachments',
    scope: 'invoices:issue',
    answers: { 204: null },
    errors: ['invoice_delete_not_allowed'],
    write: async (call, tx) => {
      await removeImported(tx, call, idOf(call))
      return noContent
    },
  },
]
