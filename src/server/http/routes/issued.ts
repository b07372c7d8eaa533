/** Issued invoices. */

import { ok } from '../../service/call.ts'
import { issueInvoice } from '../../service/issue.ts'
import { listInvoices } from '../../service/lists.ts'
import { ISSUED_STATUSES } from '../../service/statuses.ts'
import { isIssuedKind } from '../../store/invoices.ts'
import type { Status } from '../../store/tables.ts'
import type { Route } from '../route.ts'
import { ref, shapes } from '../schemas.ts'
import { CUSTOMER, FILTERS, idOf, PAGE, readingRoutes, validation } from './shared.ts'

export const ISSUED_ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/issued-invoices',
    group: 'Issued',
    summary: 'Issued invoices and drafts, by series, newest date first',
    scope: 'invoices:read',
    query: {
      status: {
        schema: shapes.oneOf(...ISSUED_STATUSES),
        description: 'Without it all.',
        unknownValue: 'unknown_status',
      },
      ...FILTERS,
      ...CUSTOMER,
      ...PAGE,
    },
    answers: { 200: ref('InvoicePage') },
    errors: ['unknown_status'],
    handle: async (call) => {
      const status = call.query.status as Status | undefined
      return ok(
        await listInvoices(call, { direction: 'issued', statuses: status && [status], query: call.query }),
      )
    },
  },
  validation('/issued-invoices/validate', 'Issued', 'InvoiceToIssue', 'issue', false),
  ...readingRoutes('/issued-invoices', 'Issued', isIssuedKind),
  {
    method: 'post',
    path: '/issued-invoices/{invoice_id}/issue',
    group: 'Issued',
    summary: 'Issue a draft: number, date, fiscal record',
    scope: 'invoices:issue',
    body: { kind: 'json', schema: ref('IssueRequest'), required: false },
    answers: { 200: ref('InvoiceSummary') },
    errors: [
      'invalid_status_transition',
      'invoice_queued_for_bulk_issue',
      'bulk_issue_series_active',
      'company_not_verified',
      'forced_number_in_use',
      'forced_number_invalid',
      'validation_failed',
      'clock_behind',
    ],
    idempotent: true,
    write: async (call, tx) => {
      const { invoice_number } = (call.body ?? {}) as { invoice_number?: string }
      return ok(await issueInvoice(tx, call, idOf(call), invoice_number))
    },
  },
]
