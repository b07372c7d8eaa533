/** Codes that no request to a healthy server provokes, and why. */

/**
 * The test files of codes that no request to a healthy server can provoke: a full disk, an unavailable database or mail
 * server, a defect.
 */
export const CODES_ELSEWHERE: Readonly<Record<string, string>> = {
  internal_error: 'packages/server/test/http/refusals.test.ts',
  service_unavailable: 'packages/server/test/http/refusals.test.ts',
  outcome_unknown: 'packages/server/test/store/outcome.test.ts',
  insufficient_storage: 'packages/server/test/http/refusals.test.ts',
  email_not_sent: 'packages/server/test/mail/sending.test.ts',
  invoice_race_condition: 'packages/server/test/http/refusals.test.ts',
  bad_request: 'packages/server/test/http/refusals.test.ts',
  request_timeout: 'packages/server/test/http/refusals.test.ts',
  request_headers_too_large: 'packages/server/test/http/refusals.test.ts',
  verifactu_other_producer: 'packages/server/test/service/verifactu/system.test.ts',
}
