/** Refusals that no request to a healthy server provokes, built from the server's own messages. */
import { ApiError } from 'cuadra-server/errors/api-error.ts'
import { CODES, type Code } from 'cuadra-server/errors/error-codes.ts'

/** Extra members of such refusals. */
const EXTRA: Readonly<Partial<Record<Code, object>>> = {
  request_timeout: { seconds: 60 },
  invoice_number_already_assigned: { number: 'F000042' },
  missing_emission_fields: { missing: ['header.invoice_series_code'] },
  bulk_issue_series_active: { series: 'F' },
  verifactu_other_producer: { received: 'B66666668', expected: 'B77777779' },
  email_not_sent: { reason: 'the mail server does not answer' },
}

const ID = '6f1f1fae-3b19-4ab5-9c2a-000000000000'

/** Refusals by code, for codes that the suite does not provoke. */
export const RESERVED: Readonly<Record<string, unknown>> = Object.fromEntries(
  (Object.keys(CODES) as Code[]).map((code) => [code, new ApiError(code, { ...EXTRA[code] }).body(ID, 'en')]),
)
