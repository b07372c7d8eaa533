/** Issued invoices. */

import { ApiError } from '../../errors/api-error.ts'
import { ok } from '../../service/call.ts'
import { issueInvoice } from '../../service/issue.ts'
import { listInvoices } from '../../service/lists.ts'
import { ISSUED_STATUSES } from '../../service/statuses.ts'
import { isIssuedKind } from '../../store/invoices.ts'
import type { Route } from '../route.ts'
import { ref } from '../schemas.ts'
import { CUSTOMER, FILTERS, idOf, PAGE, readingRoutes, validation } from './shared.ts'

const isIssuedStatus = (status: string): status is (typeof ISSUED_STATUSES)[number] =>
  (ISSUED_STATUSES as readonly string[]).includes(status)

export const ISSUED_ROUTES: readonly Route[] = [
  {
    method: 'get',
    path: '/issued-invoices',
    group: 'Issued',
    summary: 'Issued invoices and drafts, by series, newest date first',
    scope: 'invoices:read',
    query: {
      status: {
        schema: { type: 'string', minLength: 1, maxLength: 40, examples: [...ISSUED_STATUSES] },
        description: `One of ${ISSUED_STATUSES.join(', ')}; without it all.`,
      },
      ...FILTERS,
      ...CUSTOMER,
      ...PAGE,
    },
    answers: { 200: ref('InvoicePage') },
    errors: ['unknown_status'],
    handle: async (call) => {
      const status = call.query.status as string | undefined
      if (status !== undefined && !isIssuedStatus(status))
        throw new ApiError('unknown_status', { received: status.slice(0, 40), allowed: ISSUED_STATUSES })
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
