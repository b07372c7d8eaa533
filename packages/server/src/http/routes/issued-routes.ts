/** Routes of issued invoices. */
import { ok } from '../../service/access/http-response.ts'
import { listInvoices } from '../../service/invoice/lists.ts'
import { ISSUED_STATUSES } from '../../service/invoice/statuses.ts'
import { exportInvoice } from '../../service/issued/export-issued.ts'
import { issueInvoice } from '../../service/issued/issue.ts'
import { oneOf } from '../../shapes/builders.ts'
import { CUSTOMER_FILTERS, FILTERS, PAGE, WRITE_FORMAT } from '../../shapes/parameter-shapes.ts'
import { InvoicePage, InvoiceSummary, IssueRequest } from '../../shapes/schemas.ts'
import { type Route, route } from '../request/route.ts'
import { ISSUED, readingRoutes, validation } from './shared.ts'

export const ISSUED_ROUTES: readonly Route[] = [
  route('get /issued-invoices', {
    summary: 'List issued invoices',
    scope: 'invoices:read',
    query: {
      status: {
        schema: oneOf(...ISSUED_STATUSES),
        description: 'Status of the invoices. Default: all.',
        unknownValue: 'unknown_status',
      },
      ...FILTERS,
      ...CUSTOMER_FILTERS,
      ...PAGE,
    },
    responses: { 200: InvoicePage },
    errors: ['unknown_status'],
    handle: async (call) =>
      ok(await listInvoices(call, { direction: 'issued', status: call.query.status, query: call.query })),
  }),
  validation(ISSUED, 'InvoiceToIssue', 'issue', false),
  ...readingRoutes(ISSUED, false),
  route('get /issued-invoices/{invoice_id}/export', {
    summary: 'Issued invoice as Facturae, UBL or CII',
    scope: 'invoices:read',
    query: WRITE_FORMAT,
    responses: { 200: 'application/xml' },
    errors: ['invalid_status_transition', 'canonical_not_available', 'export_not_possible'],
    handle: (call) => exportInvoice(call, call.params.invoice_id, call.query),
  }),
  route('post /issued-invoices/{invoice_id}/issue', {
    summary: 'Issue a draft',
    scope: 'invoices:issue',
    body: { kind: 'json', schema: IssueRequest, required: false },
    responses: { 200: InvoiceSummary },
    errors: [
      'invalid_status_transition',
      'invoice_queued_for_bulk_issue',
      'bulk_issue_series_active',
      'company_not_verified',
      'forced_number_in_use',
      'forced_number_invalid',
      'validation_failed',
      'clock_behind',
      'verifactu_other_producer',
    ],
    idempotency: true,
    write: async (call, tx) =>
      ok(await issueInvoice(tx, call, call.params.invoice_id, call.body?.invoice_number?.trim())),
  }),
]
