/**
 * Posts one message over HTTPS. Returns the response or, without one, how far the exchange proceeded. Nothing is
 * written before the server has authenticated itself, so it is known whether anything was sent.
 */
import type { ClientRequest, IncomingMessage } from 'node:http'
import { type Agent, request } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { ProblemCode } from './wire-problems.ts'

/** Limits of time and size of one exchange. */
export interface Limits {
  /** Maximum milliseconds until the TLS connection is established. */
  readonly connectMs: number
  /** Maximum milliseconds from sending the message to the end of the response. A thousand records take some seconds. */
  readonly responseMs: number
  /** Maximum bytes of a response after decompression. Ten thousand SII records take some megabytes. */
  readonly maxBytes: number
}

export const LIMITS: Limits = { connectMs: 15_000, responseMs: 120_000, maxBytes: 64 * 1024 * 1024 }

/** The result of posting. `headers` is defined if a response has begun. */
export interface PostResult {
  /** Undefined for a complete response. */
  readonly problem?: ProblemCode
  /** Node's error code, for display. */
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

/** Alerts with which a server rejects the client's certificate (RFC 8446, section 6.2). */
const CERTIFICATE_ALERT =
  /ALERT_(?:NO_CERTIFICATE|BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)/
/** DNS error codes: unknown name, or no response from the DNS server. */
const NAME = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME'])

/** Returns Node's error code, for display. */
export const codeOf = (error: Error): string => (error as NodeJS.ErrnoException).code ?? error.name

/** Returns why the connection failed. */
function connectionProblem(error: Error, socket: TLSSocket | undefined): ProblemCode {
  const code = codeOf(error)
  if (CERTIFICATE_ALERT.test(code)) return 'certificate_refused'
  if (socket?.authorizationError) return 'server_not_trusted'
  if (NAME.has(code)) return 'name_not_found'
  return /^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code) ? 'tls_failed' : 'not_reachable'
}

const DECOMPRESSORS: Readonly<Record<string, (data: Buffer, limit: { maxOutputLength: number }) => Buffer>> =
  {
    gzip: gunzipSync,
    'x-gzip': gunzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
  }

/** Decompresses a body up to the limit. The request asks for an uncompressed response, but servers may ignore this. */
function decompressed(
  body: Buffer,
  encoding: string | undefined,
  most: number,
): Pick<PostResult, 'problem' | 'detail' | 'body'> {
  const name = encoding?.trim().toLowerCase()
  if (name === undefined || name === '' || name === 'identity') return { body }
  const decompress = DECOMPRESSORS[name]
  if (!decompress) return { problem: 'response_not_xml', detail: `Content-Encoding ${name}`, body }
  try {
    return { body: decompress(body, { maxOutputLength: most }) }
  } catch (error) {
    const code = codeOf(error as Error)
    return {
      problem: code === 'ERR_BUFFER_TOO_LARGE' ? 'response_too_large' : 'response_cut_off',
      detail: code,
      body,
    }
  }
}

/** Reads the body of a response until it ends, breaks off or exceeds the limit. */
function receive(response: IncomingMessage, most: number, done: (posted: PostResult) => void): void {
  const pieces: Buffer[] = []
  let bytes = 0
  const { statusCode: status = 0, headers } = response
  const finish = (rest: Pick<PostResult, 'problem' | 'detail'>): void =>
    done({ ...rest, status, headers, body: Buffer.concat(pieces) })
  response.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > most) {
      response.destroy()
      return finish({ problem: 'response_too_large' })
    }
    pieces.push(piece)
  })
  response.on('error', (error) => finish({ problem: 'response_cut_off', detail: codeOf(error) }))
  response.on('end', () => {
    if (!response.complete) return finish({ problem: 'response_cut_off' })
    const whole = decompressed(Buffer.concat(pieces), headers['content-encoding'], most)
    done({ status, headers, ...whole })
  })
}

/** Calls `ready` when the server's certificate has been verified. */
function whenSecure(socket: Socket, isReused: boolean, ready: () => void): void {
  if (isReused) ready()
  else socket.once('secureConnect', ready)
}

/** Posts a text. Never rejects. */
export function post(xml: string, { address, agent, limits, signal }: Call): Promise<PostResult> {
  const body = Buffer.from(xml, 'utf8')
  return new Promise((resolve) => {
    let sent = false
    let received: IncomingMessage | undefined
    let socket: TLSSocket | undefined
    let timer: NodeJS.Timeout | undefined
    let isDone = false
    let outgoing: ClientRequest | undefined

    const done = (posted: PostResult): void => {
      if (isDone) return
      isDone = true
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(posted)
      // The connection is closed, because the unread rest of a response must not stay on a connection that is reused.
      if (posted.problem !== undefined) outgoing?.destroy()
    }
    const begun = (): Pick<PostResult, 'status' | 'headers'> =>
      received ? { status: received.statusCode ?? 0, headers: received.headers } : {}
    const giveUp = (before: ProblemCode, after: ProblemCode): void =>
      done({ problem: sent ? after : before, ...begun(), body: Buffer.alloc(0) })
    function stop(): void {
      giveUp('stopped_before', 'stopped_after')
    }

    if (signal?.aborted) return stop()
    signal?.addEventListener('abort', stop)
    timer = setTimeout(() => giveUp('connect_timeout', 'response_timeout'), limits.connectMs)
    outgoing = request(address, {
      agent,
      method: 'POST',
      headers: {
        'Content-Type': 'text/xml; charset=utf-8',
        'Content-Length': body.length,
        // The root element of the message identifies the operation (document/literal; the WSDL has `soapAction=""`).
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
        timer = setTimeout(() => giveUp('connect_timeout', 'response_timeout'), limits.responseMs)
        outgoing?.end(body)
      })
    })
    outgoing.on('response', (response) => {
      received = response
      receive(response, limits.maxBytes, done)
    })
    outgoing.on('error', (error) => {
      const detail = codeOf(error)
      const nothing = { detail, body: Buffer.alloc(0) }
      if (!sent) return done({ problem: connectionProblem(error, socket), ...nothing })
      // With TLS 1.3, a client learns only after sending that its certificate is rejected. The server has not read the
      // message in this case.
      if (CERTIFICATE_ALERT.test(detail)) return done({ problem: 'certificate_refused', ...nothing })
      // If a response has begun, `receive` reports how it ended.
      if (!received) done({ problem: 'connection_lost', ...nothing })
    })
  })
}
