/** Failures of mail delivery, in a form that is stored and returned in responses. */
import { CuadraError } from '#core/errors/index.ts'

export const FAILURES = [
  'unreachable',
  'timeout',
  'tls',
  'login_refused',
  'sender_refused',
  'recipients_refused',
  'message_refused',
  'message_too_large',
  'server_refused',
  'not_written',
  'not_in_force',
] as const
export type FailureReason = (typeof FAILURES)[number]

export interface Failure {
  readonly reason: FailureReason
  /** Whether the mail server would reject the same message again. */
  readonly permanent: boolean
  /** Whether the server may have accepted the message: the connection was lost after the whole message was sent. */
  readonly uncertain: boolean
  /** Reply code of the mail server (RFC 5321, section 4.2). */
  readonly smtp_code?: number
  /** Reply text of the mail server, if it is about the message. */
  readonly smtp_response?: string
}

export class MailError extends CuadraError {
  override readonly kind = 'unknown'
  constructor(readonly failure: Failure) {
    super(failure.reason)
  }
}

/**
 * Matches the reply about a full mailbox (RFC 3463, section 3.3), for which some servers use the code of a too large
 * message.
 */
export const FULL_MAILBOX = /^\d{3}[ -][45]\.2\.2\b/

const LONGEST = 200
/** Returns the reply of a server on one line, without control characters. */
export const shortResponse = (response: string): string =>
  response
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
