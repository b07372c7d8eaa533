/**
 * Handles errors of connections outside the handling of requests: invalid HTTP syntax, requests that never end, and
 * unread bodies. The client receives the reason before its connection is closed.
 */
import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  awaitsContinue,
  deferContinue,
  hasBody,
  isMalformed,
  MALFORMED,
  markMalformed,
} from '../documents/receiving.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Code } from '../errors/error-codes.ts'

/**
 * Milliseconds to wait for the rest of a body before the response is sent. If the body ends in this time, the
 * connection is kept open.
 */
const REST_TIMEOUT_MS = 250
/** Time limits for a client that continues to send after the response: in total, and without receiving any data. */
const LINGER_MS = { total: 30_000, idle: 5000 }
/** The same time limits for a client whose request timed out or is malformed. */
const LATE_LINGER_MS = { total: 500, idle: 500 }
/** Milliseconds between the response to an unreadable request and the end of its connection. */
const CLOSE_AFTER_MS = 2000
/** Milliseconds without data in either direction after which a connection is closed. */
const STALLED_MS = 300_000

/** Reads and discards a body. Resolves to true if the body has ended. */
function discard(incoming: IncomingMessage, limits: { total: number; idle: number }): Promise<boolean> {
  if (incoming.readableEnded) return Promise.resolve(true)
  if (incoming.destroyed) return Promise.resolve(false)
  return new Promise((resolve) => {
    const finish = (ended: boolean) => () => {
      clearTimeout(total)
      clearTimeout(idle)
      incoming.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone)
      incoming.off(MALFORMED, onGone)
      incoming.pause()
      resolve(ended)
    }
    const onEnd = finish(true)
    const onGone = finish(false)
    const total = setTimeout(onGone, limits.total)
    const idle = setTimeout(onGone, limits.idle)
    const onData = () => void idle.refresh()
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone)
    incoming.on(MALFORMED, onGone)
    incoming.resume()
  })
}

/**
 * Handles the unread rest of a body before the response is sent. Returns undefined if the body ends in time; the
 * connection then stays open. Otherwise the connection must close, and the response must end only after the returned
 * function has resolved. If the connection closed earlier, a client that sends its whole body before it reads would
 * never receive the response (RFC 9112, section 9.6).
 */
export async function handleUnreadBody(
  incoming: IncomingMessage,
  isClosing: boolean,
): Promise<(() => Promise<unknown>) | undefined> {
  if (!hasBody(incoming) || incoming.readableEnded) return undefined
  if (awaitsContinue(incoming) || incoming.destroyed || isMalformed(incoming)) return async () => undefined
  if (isClosing) return () => discard(incoming, LATE_LINGER_MS)
  if (await discard(incoming, { total: REST_TIMEOUT_MS, idle: REST_TIMEOUT_MS })) return undefined
  return () => discard(incoming, LINGER_MS)
}

const CODES: Readonly<Record<string, Code>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'request_headers_too_large',
}

/** Error codes of a client that has disconnected. */
const GONE: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

/** Writes a refusal as raw HTTP, for a connection without a readable request. */
function rawResponse(refusal: ApiError): string {
  const id = randomUUID()
  const body = JSON.stringify(refusal.body(id, 'en'))
  const headers = {
    ...refusal.headers,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': id,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`
}

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** Calls `then` after the responses to earlier requests on the connection were sent. */
function afterResponse(outgoing: ServerResponse, then: () => void): void {
  if (outgoing.writableEnded && outgoing.writableFinished) then()
  else outgoing.once('close', then)
}

/** Handles errors on the connections of a server. A request must arrive within `seconds`. */
export function watchConnections(server: Server, seconds: number): void {
  /** Requests of each connection whose response is not complete, in order of arrival. */
  const open = new WeakMap<Duplex, Set<Exchange>>()
  const refused = new WeakSet<Duplex>()

  const track = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // HTTP/1.0 has no Host header. Requests of later versions without this header are refused.
    if (incoming.httpVersionMinor === 0) incoming.headers.host ??= 'server.invalid'
    const exchange = { incoming, outgoing }
    const all = open.get(incoming.socket) ?? new Set()
    open.set(incoming.socket, all.add(exchange))
    outgoing.once('close', () => all.delete(exchange))
  }

  const refuse = (socket: Duplex, refusal: ApiError) => {
    if (refused.has(socket)) return
    refused.add(socket)
    if (!socket.writable) {
      socket.destroy()
      return
    }
    socket.end(rawResponse(refusal))
    setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref()
  }

  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex) => {
    const { code = '' } = error
    const refusal = new ApiError(
      CODES[code] ?? 'bad_request',
      code === 'ERR_HTTP_REQUEST_TIMEOUT' ? { seconds } : {},
    )
    const last = [...(open.get(socket) ?? [])].at(-1)
    if (GONE.has(code)) socket.destroy()
    else if (!last) refuse(socket, refusal)
    else if (last.incoming.complete) afterResponse(last.outgoing, () => refuse(socket, refusal))
    else if (last.outgoing.headersSent) socket.destroy()
    // The client closed its sending side before the body ended. Node closes the connection as soon as this function
    // returns, so the refusal is sent now.
    else if (code === 'HPE_INVALID_EOF_STATE') refuse(socket, refusal)
    else markMalformed(last.incoming)
  }

  server.prependListener('request', track)
  // `100 Continue` is sent when the body is read. A client whose request is refused earlier need not send the body.
  server.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    deferContinue(incoming, () => outgoing.writeContinue())
    server.emit('request', incoming, outgoing)
  })
  // Unknown expectations may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  server.on('connect', (_, socket) =>
    refuse(
      socket,
      new ApiError('method_not_allowed', { received: 'CONNECT', allowed: ['GET', 'POST', 'PUT', 'DELETE'] }),
    ),
  )
  server.on('clientError', onClientError)
  server.setTimeout(STALLED_MS)
}
