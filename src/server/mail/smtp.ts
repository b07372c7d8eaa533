/**
 * Delivery to a mail server, by nodemailer. Certificates are checked. A server that offers STARTTLS is spoken to
 * encrypted; a password goes over no other line, unless the server is this machine.
 */
import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type Failure, type FailureReason, MailError, shortResponse } from './failure.ts'
import type { Deliver, Refused } from './outgoing.ts'

/** Seconds for connection and greeting, of the time that the whole may take. */
const CONNECTING = 10
/** Seconds that a server has to answer the end of the session. */
const LEAVING = 5
const PIECE = 64 * 1024

/** What nodemailer says of a failure. */
interface SmtpError extends Error {
  readonly code?: string
  readonly originalCode?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
  readonly recipient?: string
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i

/** Whether a password would go over the line as it is. */
function needsTls(smtpUrl: string): boolean {
  const { username, password, hostname, searchParams } = new URL(smtpUrl)
  const isSaid = searchParams.has('requireTLS') || searchParams.has('ignoreTLS')
  return (username !== '' || password !== '') && !LOOPBACK.test(hostname) && !isSaid
}

const IS_TLS = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH/

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of what servers answer, read from the top; the first that fits holds.
function reasonOf({
  code,
  originalCode = '',
  command = '',
  responseCode,
  response,
}: SmtpError): FailureReason {
  if (code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ETLS' || IS_TLS.test(originalCode)) return 'tls'
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login_refused'
  // A reply without a code says neither yes nor no.
  if (typeof response === 'string' && responseCode === undefined) return 'server_refused'
  // 552 and 523 say it of the size, and so does the client before it sends more than the server takes.
  if (responseCode === 552 || responseCode === 523 || (code === 'EMESSAGE' && responseCode === undefined))
    return 'message_too_large'
  if (command === 'DATA') return 'message_refused'
  if (code === 'EENVELOPE') return command === 'MAIL FROM' ? 'sender_refused' : 'recipients_refused'
  if (code === 'EMESSAGE') return 'message_refused'
  return responseCode === undefined ? 'unreachable' : 'server_refused'
}

/** What was said about the message; the words of a refused login may repeat the user. */
const words = ({ responseCode, response }: SmtpError) => ({
  ...(responseCode === undefined ? {} : { smtp_code: responseCode }),
  ...(typeof response === 'string' ? { smtp_response: shortResponse(response) } : {}),
})

const isPermanent = ({ responseCode = 0 }: SmtpError): boolean => responseCode >= 500

function failureOf(error: SmtpError, isLate: boolean, isHandedOver: boolean): Failure {
  const reason = isLate ? 'timeout' : reasonOf(error)
  return {
    reason,
    permanent: isPermanent(error) || reason === 'message_too_large' || reason === 'tls',
    // A server that answered has not taken it.
    uncertain: isHandedOver && error.responseCode === undefined,
    ...(reason === 'login_refused' && error.responseCode !== undefined
      ? { smtp_code: error.responseCode }
      : words(error)),
  }
}

/** The message in pieces, and its end only once `handOver` has said so. */
async function* heldBack(content: Uint8Array, handOver: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += PIECE) yield content.subarray(at, at + PIECE)
  await handOver()
}

type Envelope = SMTPConnection.Envelope
type Sent = SMTPConnection.SentMessageInfo

/** Ends the session as the protocol has it (RFC 5321, 4.1.1.10), where the server still listens. */
function leave(connection: SMTPConnection, error: SmtpError | undefined): void {
  const isTooLarge = error?.code === 'EMESSAGE' && error.command === 'MAIL FROM'
  const listens = typeof error?.response === 'string' && error.responseCode !== 421
  if (error && !listens && !isTooLarge) {
    connection.close()
    return
  }
  const timer = setTimeout(() => connection.close(), LEAVING * 1000)
  timer.unref()
  connection.once('end', () => clearTimeout(timer))
  connection.quit()
}

/** One message in a session of its own. */
async function deliver(
  { auth, ...options }: SMTPConnection.Options & { auth?: SMTPConnection.AuthenticationType },
  envelope: Envelope,
  open: () => Readable,
  signal: AbortSignal,
): Promise<Sent> {
  const connection = new SMTPConnection(options)
  let failed: SmtpError | undefined
  try {
    return await new Promise<Sent>((resolve, reject) => {
      // Stays to the end: an error after the result is ignored.
      connection.on('error', reject)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      const send = () =>
        connection.send(envelope, open(), (error, sent) => (error ? reject(error) : resolve(sent)))
      connection.connect((error) => {
        if (error) reject(error)
        else if (auth && connection.allowsAuth)
          connection.login(auth, (refused) => (refused ? reject(refused) : send()))
        else send()
      })
    })
  } catch (error) {
    failed = error as SmtpError
    throw error
  } finally {
    leave(connection, failed)
  }
}

/** `name` is what the client calls itself in `EHLO`; without one the name of this machine. */
export function smtpDelivery(smtpUrl: string, seconds: number, name?: string): Deliver {
  const whole = seconds * 1000
  const connecting = Math.min(whole, CONNECTING * 1000)
  const settings = {
    ...(needsTls(smtpUrl) ? { requireTLS: true } : {}),
    ...(name === undefined ? {} : { name }),
    connectionTimeout: connecting,
    greetingTimeout: connecting,
    dnsTimeout: connecting,
    socketTimeout: whole,
    ...(parseConnectionUrl(smtpUrl) as SMTPConnection.Options),
  }
  return async ({ from, to, content }, handOver) => {
    const signal = AbortSignal.timeout(whole)
    let isHandedOver = false
    let lost: unknown
    // Where the time is over while the store is asked, nothing may be sent any more: the connection is closed.
    const begin = async () => {
      try {
        await handOver()
        isHandedOver = true
      } catch (error) {
        lost = error
        throw error
      }
    }
    const open = () => Readable.from(heldBack(content, begin), { objectMode: false })
    try {
      const envelope = { from, to: [...to], size: content.length }
      const { rejectedErrors = [] } = (await deliver(settings, envelope, open, signal)) as {
        readonly rejectedErrors?: readonly SmtpError[]
      }
      const refused = rejectedErrors.map(
        (error): Refused => ({
          address: error.recipient ?? '',
          permanent: isPermanent(error),
          ...words(error),
        }),
      )
      const isRefused = new Set(refused.map(({ address }) => address))
      return { accepted: to.filter((address) => !isRefused.has(address)), refused }
    } catch (error) {
      if (lost !== undefined) throw lost
      throw new MailError(failureOf(error as SmtpError, signal.aborted, isHandedOver))
    }
  }
}
