/** HTTP in, HTTP out: Hono on Node, with every answer in the shape that the contract gives it. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { Locale } from '../../invoice/index.ts'
import { languageOf } from '../../web/weighed.ts'
import { ranges } from '../addresses.ts'
import type { App } from '../app.ts'
import { ApiError, refusalOf } from '../errors/api-error.ts'
import type { Answer } from '../service/call.ts'
import { createKeyCache } from '../service/key-cache.ts'
import { restOf, watchConnections } from './connection.ts'
import { mountPages } from './pages.ts'
import { hasIds } from './parameters.ts'
import { type Address, type Guard, perform } from './perform.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Route } from './route.ts'
import { ROUTES } from './routes/index.ts'
import { headersOf, send, textOf } from './send.ts'

export const BASE_PATH = '/api/v1.1'

type Env = { Bindings: HttpBindings }

/** Ids that may be repeated in a header and in a log. */
const SANE_ID = /^[\w.:-]{1,128}$/
const MAX_HEADER_BYTES = 32 * 1024

const requestIdOf = (incoming: IncomingMessage): string => {
  const own = incoming.headers['x-request-id']
  return typeof own === 'string' && SANE_ID.test(own) ? own : randomUUID()
}

/** A client that is gone before the end of a file is no fault of the server. */
const isGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE'

const NO_PARAMETERS = new URLSearchParams()

/** As the router has read it: a target may be a whole URL, or begin with two slashes. */
const addressOf = ({ req }: Context<Env>): Address =>
  req.url.includes('?') ? new URL(req.url) : { pathname: req.path, search: '', searchParams: NO_PARAMETERS }

/** Paths of the specification as Hono writes them. */
const honoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Static addresses before those with parameters: `/drafts/batch` is no invoice. */
const byPath = (routes: readonly Route[]): [string, Route[]][] => {
  const found = new Map<string, Route[]>()
  for (const route of routes) found.set(route.path, [...(found.get(route.path) ?? []), route])
  return [...found].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
}

function createHono(app: App): Hono<Env> {
  const hono = new Hono<Env>()
  const guard: Guard = {
    app,
    findKey: createKeyCache(app.store, app.clock.now),
    limit: createRateLimit(app.store, app.clock.now),
    trusted: ranges(app.config.trustProxy),
  }

  const respond = async (
    context: Context<Env>,
    pattern: string,
    work: (id: string, locale: Locale) => Promise<Answer>,
  ) => {
    const { incoming, outgoing } = context.env
    const started = performance.now()
    const requestId = requestIdOf(incoming)
    const locale = languageOf((incoming.headers['accept-language'] as string | undefined) ?? null)
    let answer: Answer
    try {
      answer = await work(requestId, locale)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.status >= 500)
        app.log.error({ request_id: requestId, route: pattern, err: error }, 'request failed')
      answer = {
        status: refusal.status,
        json: refusal.body(requestId, locale),
        headers: { 'Content-Language': locale, ...refusal.headers },
      }
    }
    const seconds = (performance.now() - started) / 1000
    const method = incoming.method ?? ''
    app.metrics.observe(pattern, method, answer.status, seconds)
    // The address as declared: what a client writes into it may be a tax id.
    app.log.info(
      {
        request_id: requestId,
        method,
        route: pattern,
        status: answer.status,
        ms: Math.round(seconds * 1e4) / 10,
      },
      'request',
    )
    const rest = await restOf(incoming, answer.headers?.Connection === 'close')
    try {
      await send(outgoing, answer, { requestId, isHead: method === 'HEAD', rest })
    } catch (error) {
      if (!isGone(error))
        app.log.error({ request_id: requestId, route: pattern, err: error }, 'answer broke off')
      outgoing.destroy()
    }
    return RESPONSE_ALREADY_SENT
  }

  const mount = (prefix: string, path: string, routes: readonly Route[]) => {
    const methods = routes.map(({ method }) => method.toUpperCase())
    const allowed = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
    const pattern = prefix + path
    hono.all(honoPath(pattern), (context) =>
      respond(context, pattern, async (requestId, locale) => {
        const { incoming } = context.env
        const method = incoming.method === 'HEAD' ? 'GET' : incoming.method
        const route = routes[methods.indexOf(method ?? '')]
        const params = context.req.param() as Record<string, string>
        // `/received-invoices/recognize` has the form of an invoice's address, and is none.
        if (!route && !hasIds(params)) throw new ApiError('not_found')
        if (!route)
          throw new ApiError(
            'method_not_allowed',
            { received: (incoming.method ?? '').slice(0, 20), allowed },
            { Allow: allowed.join(', ') },
          )
        const url = addressOf(context)
        return perform(guard, { incoming, url, params, requestId, locale }, route)
      }),
    )
  }

  for (const [path, routes] of byPath(ROUTES)) mount(BASE_PATH, path, routes)
  const health = ROUTES.filter(({ path }) => path === '/health')
  mount('', '/health', health)
  mountPages(hono, app, respond)
  hono.notFound((context) =>
    respond(context, '(unknown)', async () => {
      throw new ApiError('not_found')
    }),
  )
  return hono
}

/** A server that is not listening yet. */
export function createHttpServer(app: App): Server {
  const hono = createHono(app)
  const listener = getRequestListener((request, env) => hono.fetch(request, env as HttpBindings), {
    // The rest of a body is seen to here, so that its client learns why it is refused.
    autoCleanupIncoming: false,
    errorHandler: (error) => {
      const id = randomUUID()
      const refusal = error instanceof RequestError ? new ApiError('bad_request') : refusalOf(error)
      if (refusal.status >= 500) app.log.error({ request_id: id, err: error }, 'request failed')
      const headers = { ...refusal.headers, Connection: 'close' }
      const answer: Answer = { status: refusal.status, json: refusal.body(id, 'en'), headers }
      return new Response(textOf(answer), { status: answer.status, headers: headersOf(answer, id) })
    },
  })
  const milliseconds = app.config.requestTimeout * 1000
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: 65_000,
      headersTimeout: milliseconds,
      // A body has its own clock, which answers politely; this one is behind it.
      requestTimeout: milliseconds + 5000,
      connectionsCheckingInterval: Math.min(milliseconds / 2, 30_000),
      // Refused in the shape of every other refusal.
      requireHostHeader: false,
    },
    listener,
  )
  watchConnections(server, app.config.requestTimeout)
  return server
}
