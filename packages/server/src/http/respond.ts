/**
 * Sends a response, which is the result or the error of a handler, with the request id and in the client's language.
 * Then writes the log entry and updates the metrics.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Locale } from '#core/invoice/index.ts'
import { languageOf } from '#entry/web/index.ts'
import type { App } from '../app/app.ts'
import { toApiError } from '../errors/api-error.ts'
import type { ApiResponse } from '../service/access/http-response.ts'
import { codingFor } from './compress.ts'
import { handleUnreadBody } from './connection.ts'
import { send } from './send-response.ts'

export type Env = { Bindings: HttpBindings }

/** A request and its response. */
interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/**
 * Runs `work` and sends its response or error. Resolves when the response was sent or the connection was interrupted.
 */
export type Respond = (
  exchange: Exchange,
  pattern: string,
  work: (id: string, locale: Locale, always: Record<string, string>) => Promise<ApiResponse>,
) => Promise<void>

/** Matches request ids that are safe in a header and in a log. */
const SANE_ID = /^[\w.:-]{1,128}$/
const requestIdOf = (incoming: IncomingMessage): string => {
  const own = incoming.headers['x-request-id']
  return typeof own === 'string' && SANE_ID.test(own) ? own : randomUUID()
}

/** The language if the client requests none. */
const DEFAULT_LOCALE = languageOf(null)

/** Whether the client disconnected before the end of a file. This is not an error of the server. */
const isGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'

export const createRespond = (app: App): Respond => {
  // Log entries of requests have only the members below. They contain no personal data, so no member is redacted.
  const lines = app.log.child({}, { redact: [] })
  return async ({ incoming, outgoing }, pattern, work) => {
    const started = performance.now()
    const requestId = requestIdOf(incoming)
    const accepted = incoming.headers['accept-language']
    const locale = accepted === undefined ? DEFAULT_LOCALE : languageOf(accepted)
    let response: ApiResponse
    const always: Record<string, string> = {}
    try {
      response = await work(requestId, locale, always)
    } catch (error) {
      const refusal = toApiError(error)
      if (refusal.status >= 500 && refusal.extra.reason !== 'left')
        app.log.error({ request_id: requestId, route: pattern, err: error }, 'request failed')
      response = {
        status: refusal.status,
        json: refusal.body(requestId, locale),
        headers: { 'Content-Language': locale, ...refusal.headers },
      }
    }
    const seconds = (performance.now() - started) / 1000
    const method = incoming.method ?? ''
    app.metrics.observe(pattern, method, response.status, seconds)
    // Logs the path pattern of the route, because the path itself may contain a tax id.
    lines.info(
      {
        request_id: requestId,
        method,
        route: pattern,
        status: response.status,
        ms: Math.round(seconds * 1e4) / 10,
      },
      'request',
    )
    const rest = await handleUnreadBody(incoming, response.headers?.Connection === 'close')
    try {
      const coding = codingFor(incoming.headers['accept-encoding'] as string | undefined)
      await send(outgoing, response, { requestId, isHead: method === 'HEAD', always, coding, rest })
    } catch (error) {
      if (!isGone(error))
        app.log.error({ request_id: requestId, route: pattern, err: error }, 'response broke off')
      outgoing.destroy()
    }
  }
}
