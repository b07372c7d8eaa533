/**
 * One message over HTTPS, and no more than that: what came back, or how far it got. Whether something was sent decides
 * what may follow, so nothing is written before the server has shown who it is.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Agent, request } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { ProblemCode } from './problems.ts'

/** How long and how much: what a server may take of this one. */
export interface Limits {
  /** Milliseconds until a connection stands, with TLS. */
  readonly connect: number
  /** Milliseconds from the message being sent to the end of its answer. A thousand records take some seconds. */
  readonly answer: number
  /** Bytes of an answer, also when it comes compressed. Ten thousand lines of the SII have some megabytes. */
  readonly bytes: number
}

export const LIMITS: Limits = { connect: 15_000, answer: 120_000, bytes: 64 * 1024 * 1024 }

/** What came of posting. `headers` and `body` are there as soon as an answer has begun. */
export interface Posted {
  /** Undefined where a whole answer came. */
  readonly problem?: ProblemCode
  /** Code of Node, for people. */
  readonly detail?: string
  readonly status?: number
  readonly headers?: IncomingMessage['headers']
  readonly body: Buffer
}

interface Call {
  readonly address: string
  readonly agent: Agent
  readonly limits: Limits
  readonly signal: AbortSignal | undefined
}

/** Alerts by which a server says that it does not take the certificate of its client (RFC 8446, section 6.2). */
const CERTIFICATE_ALERT =
  /ALERT_(?:NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)/
/** The name service: there is no such name, or nobody says. */
const NAME = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'])

/** Code of Node, for people. */
export const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? error.name

/** Why there was no connection. */
function unconnected(error: Error, socket: TLSSocket | undefined): ProblemCode {
  const code = codeOf(error)
  if (CERTIFICATE_ALERT.test(code)) return 'certificate_refused'
  if (socket?.authorizationError) return 'server_not_trusted'
  if (NAME.has(code)) return 'name_not_found'
  return /^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code) ? 'tls_failed' : 'not_reachable'
}

const EXPANDERS: Readonly<Record<string, (data: Buffer, limit: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** Nothing compressed was asked for; whoever compresses nevertheless is read, as far as the limit goes. */
function expanded(
  body: Buffer,
  encoding: string | undefined,
  most: number,
): Pick<Posted, 'problem' | 'detail' | 'body'> {
  const name = encoding?.trim().toLowerCase()
  if (name === undefined || name === '' || name === 'identity') return { body }
  const expand = EXPANDERS[name]
  if (!expand) return { problem: 'answer_not_xml', detail: `Content-Encoding ${name}`, body }
  try {
    return { body: expand(body, { maxOutputLength: most }) }
  } catch (error) {
    const code = codeOf(error as Error)
    return {
      problem: code === 'ERR_BUFFER_TOO_LARGE' ? 'answer_too_large' : 'answer_cut',
      detail: code,
      body,
    }
  }
}

/** The body of an answer, until it ends, breaks off or is too long. */
function receive(response: IncomingMessage, most: number, done: (posted: Posted) => void): void {
  const pieces: Buffer[] = []
  let bytes = 0
  const { statusCode: status = 0, headers } = response
  const finish = (rest: Pick<Posted, 'problem' | 'detail'>): void =>
    done({ ...rest, status, headers, body: Buffer.concat(pieces) })
  response.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > most) {
      response.destroy()
      return finish({ problem: 'answer_too_large' })
    }
    pieces.push(piece)
  })
  response.on('error', (error) => finish({ problem: 'answer_cut', detail: codeOf(error) }))
  response.on('end', () => {
    if (!response.complete) return finish({ problem: 'answer_cut' })
    const whole = expanded(Buffer.concat(pieces), headers['content-encoding'], most)
    done({ status, headers, ...whole })
  })
}

/** Calls back once the server has shown its certificate and it is trusted. */
function whenSecure(socket: Socket, isReused: boolean, ready: () => void): void {
  if (isReused) ready()
  else socket.once('secureConnect', ready)
}

/** Posts a text. Never rejects. */
export function post(xml: string, { address, agent, limits, signal }: Call): Promise<Posted> {
  const body = Buffer.from(xml, 'utf8')
  return new Promise((resolve) => {
    let sent = false
    let answered: IncomingMessage | undefined
    let socket: TLSSocket | undefined
    let timer: NodeJS.Timeout | undefined
    let isDone = false
    let outgoing: ClientRequest | undefined

    const done = (posted: Posted): void => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(posted)
      // What is not read to its end leaves nothing to be read on the same connection.
      if (posted.problem !== undefined) outgoing?.destroy()
    }
    const begun = (): Pick<Posted, 'status' | 'headers'> =>
      answered ? { status: answered.statusCode ?? 0, headers: answered.headers } : {}
    const giveUp = (before: ProblemCode, after: ProblemCode): void =>
      done({ problem: sent ? after : before, ...begun(), body: Buffer.alloc(0) })
    function stop(): void {
      giveUp('stopped_before', 'stopped_after')
    }

    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop)
    timer = setTimeout(() => giveUp('connect_timeout', 'answer_timeout'), limits.connect)
    outgoing = request(address, {
      agent,
      method: 'POST',
      headers: {
        'Content-Type': 'text/xml; charset=utf-8',
        'Content-Length': body.length,
        // Document/literal: the services know the operation by the message (WSDL, soapAction="").
        SOAPAction: '""',
        Accept: 'text/xml',
        'Accept-Encoding': 'identity',
      },
    })
    outgoing.on('socket', (one) => {
      socket = one as TLSSocket
      whenSecure(one, outgoing?.reusedSocket ?? false, () => {
        if (isDone) return
        sent = true
        clearTimeout(timer)
        timer = setTimeout(() => giveUp('connect_timeout', 'answer_timeout'), limits.answer)
        outgoing?.end(body)
      })
    })
    outgoing.on('response', (response) => {
      answered = response
      receive(response, limits.bytes, done)
    })
    outgoing.on('error', (error) => {
      const detail = codeOf(error)
      const nothing = { detail, body: Buffer.alloc(0) }
      if (!sent) return done({ problem: unconnected(error, socket), ...nothing })
      // With TLS 1.3 a client learns only after it has sent that its certificate is not taken; nothing was read then.
      if (CERTIFICATE_ALERT.test(detail)) return done({ problem: 'certificate_refused', ...nothing })
      // An answer that has begun says itself how it ends.
      if (!answered) done({ problem: 'connection_lost', ...nothing })
    })
  })
}
