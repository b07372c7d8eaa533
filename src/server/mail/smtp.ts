/**
 * Delivery to a mail server, by nodemailer. Certificates are checked. A server that offers STARTTLS is spoken to
 * encrypted; a password goes over no other line, unless the server is this machine.
 */
import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import { type Failure, type FailureReason, MailError, shortResponse } from './failure.ts'
import type { Deliver, Refused } from './outgoing.ts'

/** Seconds for connection and greeting, of the time that the whole may take. */
const CONNECTING = 10
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

function reasonOf({ code, originalCode = '', command = '', responseCode }: SmtpError): FailureReason {
  if (code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ETLS' || IS_TLS.test(originalCode)) return 'tls'
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login_refused'
  // 552 and 523 say it of the size, and so does the client before it sends more than the server takes.
  if (responseCode === 552 || responseCode === 523 || (code === 'EMESSAGE' && responseCode === undefined))
    return 'message_too_large'
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

export function smtpDelivery(smtpUrl: string, seconds: number): Deliver {
  const whole = seconds * 1000
  const connecting = Math.min(whole, CONNECTING * 1000)
  const transport = createTransport({
    url: smtpUrl,
    ...(needsTls(smtpUrl) ? { requireTLS: true } : {}),
    connectionTimeout: connecting,
    greetingTimeout: connecting,
    dnsTimeout: connecting,
    socketTimeout: whole,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  // The stream that nodemailer would make is read ahead, before the server has asked for a byte; this one is not.
  transport.use('stream', (mail, done) => {
    const { open } = mail.data as { readonly open?: () => Readable }
    if (open) mail.message.createReadStream = open as typeof mail.message.createReadStream
    done()
  })
  return async ({ from, to, content }, handOver) => {
    const signal = AbortSignal.timeout(whole)
    let isHandedOver = false
    let lost: unknown
    const begin = async () => {
      try {
        await handOver()
        isHandedOver = true
      } catch (error) {
        lost = error
        throw error
      }
    }
    // Where the time is over while the store is asked, nothing may be sent any more: nodemailer has closed the line.
    const options = {
      envelope: { from, to: [...to], size: content.length },
      raw: Buffer.from(content),
      open: () => Readable.from(heldBack(content, begin), { objectMode: false }),
      signal,
    }
    try {
      const { rejectedErrors = [] } = (await transport.sendMail(options)) as {
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
