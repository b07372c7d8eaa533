/** Codes that no request to a healthy server provokes, and why. */

/**
 * The test files of codes that no request to a healthy server can provoke: a full disk, an unavailable database or mail
 * server, a defect.
 */
export const CODES_ELSEWHERE: Readonly<Record<string, string>> = {
  internal_error: 'test/server/http/refusals.test.ts',
  service_unavailable: 'test/server/http/refusals.test.ts',
  outcome_unknown: 'test/server/store/outcome.test.ts',
  insufficient_storage: 'test/server/http/refusals.test.ts',
  email_not_sent: 'test/server/mail/sending.test.ts',
  invoice_race_condition: 'test/server/http/refusals.test.ts',
  bad_request: 'test/server/http/refusals.test.ts',
  request_timeout: 'test/server/http/refusals.test.ts',
  request_headers_too_large: 'test/server/http/refusals.test.ts',
  verifactu_other_producer: 'test/server/service/verifactu/system.test.ts',
}
