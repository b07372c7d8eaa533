/** Messages for failures of mails. */
import type { Text } from '#core/invoice/index.ts'
import { ApiError, RETRY_LATER_HEADERS } from '../../errors/api-error.ts'
import { DEFERRED, FAILURES, FULL, UNCERTAIN, UNREADABLE } from '../../generated/texts/mail.ts'
import { type Failure, FULL_MAILBOX } from '../../mail/failure.ts'

function hintOf({
  reason,
  permanent,
  uncertain,
  smtp_code: code = 0,
  smtp_response: reply = '',
}: Failure): Text {
  if (uncertain) return reply === '' ? UNCERTAIN : UNREADABLE
  if (code === 452 || (reason === 'recipients_refused' && (code === 552 || FULL_MAILBOX.test(reply))))
    return FULL
  return code > 0 && !permanent ? DEFERRED : FAILURES[reason]
}

/** Returns the error for the client. Its `detail` contains every member of the failure, for programs. */
export const mailNotSentError = (failure: Failure): ApiError =>
  failure.reason === 'not_written'
    ? new ApiError('service_unavailable', { message: FAILURES.not_written }, RETRY_LATER_HEADERS)
    : new ApiError('email_not_sent', { ...failure, hint: hintOf(failure) })
