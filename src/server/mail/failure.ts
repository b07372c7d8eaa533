/** Why a message was not delivered: what the other side said, as a value that can be stored and told. */
import { CuadraError } from '../../errors/index.ts'

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
  /** Whether the same message would be refused again. */
  readonly permanent: boolean
  /** The whole message was on its way when the connection was lost: the other side may have it. */
  readonly uncertain: boolean
  /** Reply code of the mail server (RFC 5321, section 4.2). */
  readonly smtp_code?: number
  /** Its words, where they are about the message. */
  readonly smtp_response?: string
}

export class MailError extends CuadraError {
  override readonly kind = 'unknown'
  constructor(readonly failure: Failure) {
    super(failure.reason)
  }
}

const LONGEST = 200
/** What a server says, in one line without controls. */
export const shortResponse = (response: string): string =>
  response
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
