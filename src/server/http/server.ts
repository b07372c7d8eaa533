/** HTTP in, HTTP out: Hono on Node, with every answer in the shape that the contract gives it. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import type { App } from '../app/app.ts'
import { ranges } from '../environment/addresses.ts'
import { ApiError, refusalOf } from '../errors/api-error.ts'
import type { Answer } from '../service/access/answer.ts'
import { createKeyCache } from '../service/access/key-cache.ts'
import { watchConnections } from './connection.ts'
import { mountPages } from './pages.ts'
import type { Guard } from './request/authenticate.ts'
import type { Address } from './request/incoming.ts'
import { hasIds } from './request/parameters.ts'
import { perform } from './request/perform.ts'
import { createRateLimit } from './request/rate-limit.ts'
import { BASE_PATH, type Route } from './request/route.ts'
import { createRespond, type Env } from './respond.ts'
import { ROUTES } from './routes/index.ts'
import { headersOf, textOf } from './send.ts'

const MAX_HEADER_BYTES = 32 * 1024

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

  const respond = createRespond(app)

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
