/** What the specification has and this server has not yet, by name: a test says that it is really absent. */
import type { SpecifiedRoute } from './specification.ts'

/** Routes of later work: absent from router and OpenAPI document, not half-made. */
export const LATER_ROUTES: readonly (Pick<SpecifiedRoute, 'method' | 'path'> & { readonly until: string })[] =
  [
    { method: 'post', path: '/received-invoices/import', until: 'XML import' },
    { method: 'post', path: '/received-invoices/recognize', until: 'recognition' },
    { method: 'get', path: '/issued-invoices/{invoice_id}/pdf', until: 'PDF' },
    { method: 'get', path: '/received-invoices/{invoice_id}/pdf', until: 'PDF' },
    { method: 'get', path: '/issued-invoices/{invoice_id}/export', until: 'XML export' },
    { method: 'post', path: '/issued-invoices/{invoice_id}/send', until: 'mail' },
    { method: 'get', path: '/verifactu/aeat-records', until: 'sending to the tax authority' },
  ]

/** Rows of the table of states that no route here walks, and why. */
export const LATER_ROWS: Readonly<Record<string, string>> = {
  'none -> XML import -> received': 'XML import is later work',
  'issued -> e-mail send -> sent': 'sending mail is later work',
  'queued -> - -> -':
    'not shown in the specification: only the application queues; here the administrator does',
}

/**
 * Codes that no request to a healthy server can provoke, each with the test file that does: a full disk, a database
 * that is gone, a defect.
 */
export const CODES_ELSEWHERE: Readonly<Record<string, string>> = {
  internal_error: 'test/server/refusals.test.ts',
  service_unavailable: 'test/server/refusals.test.ts',
  outcome_unknown: 'test/server/outcome.test.ts',
  insufficient_storage: 'test/server/refusals.test.ts',
  invoice_race_condition: 'test/server/refusals.test.ts',
  bad_request: 'test/server/refusals.test.ts',
  request_timeout: 'test/server/refusals.test.ts',
  request_headers_too_large: 'test/server/refusals.test.ts',
}
