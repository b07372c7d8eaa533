/**
 * Delivers mails to a mail server with nodemailer. Certificates are verified. STARTTLS is used if the server offers it.
 * A password is sent only over an encrypted connection, unless the server runs on this machine.
 */
import { Readable } from 'node:stream'
import { parseConnectionUrl } from 'nodemailer/lib/shared'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { type Failure, type FailureReason, FULL_MAILBOX, MailError, shortResponse } from './failure.ts'
import type { Deliver, RefusedAddress } from './outgoing.ts'

/**
 * Maximum seconds for connecting and the server's greeting. They count towards the time limit of the whole delivery.
 */
const CONNECT_SECONDS = 10
/** Seconds to wait until the server closes the session. */
const QUIT_SECONDS = 5
const CHUNK = 64 * 1024

/** An error of nodemailer. */
interface SmtpError extends Error {
  readonly code?: string
  readonly originalCode?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
  readonly recipient?: string
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i

/** Whether TLS is required because the URL has a password, which would otherwise be sent in clear text. */
function needsTls(smtpUrl: string): boolean {
  const { username, password, hostname, searchParams } = new URL(smtpUrl)
  const isExplicit = searchParams.has('requireTLS') || searchParams.has('ignoreTLS')
  return (username !== '' || password !== '') && !LOOPBACK.test(hostname) && !isExplicit
}

const IS_TLS = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH/

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of server replies, read from the top; the first match applies.
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
  // A reply without a reply code is not SMTP.
  if (typeof response === 'string' && responseCode === undefined) return 'server_refused'
  if (FULL_MAILBOX.test(response ?? '') || (responseCode === 552 && command === 'RCPT TO'))
    return 'recipients_refused'
  // The server reports a too large message with 552 or 523. If the message exceeds the size that the server states at
  // the beginning, nodemailer itself reports this, without a reply code.
  if (responseCode === 552 || responseCode === 523 || (code === 'EMESSAGE' && responseCode === undefined))
    return 'message_too_large'
  if (command === 'DATA') return 'message_refused'
  if (code === 'EENVELOPE') return command === 'MAIL FROM' ? 'sender_refused' : 'recipients_refused'
  if (code === 'EMESSAGE') return 'message_refused'
  return responseCode === undefined ? 'unreachable' : 'server_refused'
}

/**
 * Returns the server's reply about the message. A reply about the login is omitted, because it may contain the user
 * name.
 */
const replyOf = ({ responseCode, response }: SmtpError) => ({
  ...(responseCode === undefined ? {} : { smtp_code: responseCode }),
  ...(typeof response === 'string' ? { smtp_response: shortResponse(response) } : {}),
})

const isPermanent = ({ responseCode = 0 }: SmtpError): boolean => responseCode >= 500

function failureOf(error: SmtpError, isLate: boolean, isHandedOver: boolean): Failure {
  const reason = isLate ? 'timeout' : reasonOf(error)
  return {
    reason,
    permanent: isPermanent(error) || reason === 'message_too_large' || reason === 'tls',
    // A server that replied with an error has not accepted the message.
    uncertain: isHandedOver && error.responseCode === undefined,
    ...(reason === 'login_refused' && error.responseCode !== undefined
      ? { smtp_code: error.responseCode }
      : replyOf(error)),
  }
}

/** Yields the message in chunks. The stream ends only after `handOver` has resolved. */
async function* chunksOf(content: Uint8Array, handOver: () => Promise<void>): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += CHUNK) yield content.subarray(at, at + CHUNK)
  await handOver()
}

type Envelope = SMTPConnection.Envelope
type Sent = SMTPConnection.SentMessageInfo

/** Ends the session with `QUIT` (RFC 5321, 4.1.1.10) if the server is still connected. */
function leave(connection: SMTPConnection, error: SmtpError | undefined): void {
  const isTooLarge = error?.code === 'EMESSAGE' && error.command === 'MAIL FROM'
  const listens = typeof error?.response === 'string' && error.responseCode !== 421
  if (error && !listens && !isTooLarge) {
    connection.close()
    return
  }
  const timer = setTimeout(() => connection.close(), QUIT_SECONDS * 1000)
  timer.unref()
  connection.once('end', () => clearTimeout(timer))
  connection.quit()
}

/** Sends one message in its own SMTP session. */
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
      // The listener stays registered, so that an error after the result does not end the process.
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

/** Creates the delivery by SMTP. `name` is the client's host name in `EHLO`; by default, the name of this machine. */
export function smtpDelivery(smtpUrl: string, seconds: number, name?: string): Deliver {
  const whole = seconds * 1000
  const connecting = Math.min(whole, CONNECT_SECONDS * 1000)
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
    // If the time limit ends while `handOver` writes to the store, the connection is closed before the message is
    // complete.
    const begin = async () => {
      try {
        await handOver()
        isHandedOver = true
      } catch (error) {
        lost = error
        throw error
      }
    }
    const open = () => Readable.from(chunksOf(content, begin), { objectMode: false })
    try {
      const envelope = { from, to: [...to], size: content.length }
      const { rejectedErrors = [] } = (await deliver(settings, envelope, open, signal)) as {
        readonly rejectedErrors?: readonly SmtpError[]
      }
      const refused = rejectedErrors.map(
        (error): RefusedAddress => ({
          address: error.recipient ?? '',
          permanent: isPermanent(error),
          ...replyOf(error),
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
