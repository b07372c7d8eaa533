/** The HTTP server: Hono on Node. All responses have the shapes of the API specification. */
import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import type { App } from '../app/app.ts'
import { createBodyMemory } from '../documents/body-memory.ts'
import { parseAddressRanges } from '../environment/ip-addresses.ts'
import { ApiError, methodNotAllowed, toApiError } from '../errors/api-error.ts'
import { type ApiResponse, BASE_PATH } from '../service/access/http-response.ts'
import { createKeyCache } from '../service/access/key-cache.ts'
import { watchConnections } from './connection.ts'
import { mountMetrics, mountPages } from './page-routes.ts'
import type { Guard } from './request/authenticate.ts'
import { performRequest } from './request/perform-request.ts'
import { createRateLimit } from './request/rate-limit.ts'
import { hasValidIds } from './request/request-parameters.ts'
import type { Route } from './request/route.ts'
import { createRespond, type Env, type Respond } from './respond.ts'
import { ROUTES } from './routes/index.ts'
import { headersOf, textOf } from './send-response.ts'

const MAX_HEADER_BYTES = 32 * 1024

/** Converts a path of the API specification to Hono's syntax. */
const honoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Groups routes by path, static paths first, so that `/drafts/batch` is not treated as an invoice id. */
const byPath = (routes: readonly Route[]): [string, Route[]][] => {
  const found = new Map<string, Route[]>()
  for (const route of routes) found.set(route.path, [...(found.get(route.path) ?? []), route])
  return [...found].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
}

/** Refuses requests to unknown addresses. */
const refuseOthers = (hono: Hono<Env>, respond: Respond): unknown =>
  hono.notFound(async (context) => {
    await respond(context.env, '(unknown)', async () => {
      throw new ApiError('not_found')
    })
    return RESPONSE_ALREADY_SENT
  })

/**
 * Creates a server that omits no request header. By default, Node drops headers after the 1,000th, and repetitions of
 * some headers. Here the total size of the headers is limited, and repeated headers are joined with commas.
 */
function serverOf(options: ServerOptions, listener: RequestListener): Server {
  const server = createServer(
    { ...options, maxHeaderSize: MAX_HEADER_BYTES, joinDuplicateHeaders: true },
    listener,
  )
  server.maxHeadersCount = 0
  return server
}

function listenerOf(app: App, hono: Hono<Env>) {
  const fetch = (request: Request, env: unknown) => {
    // A request with several Host headers is invalid (RFC 9112, section 3.2). `@hono/node-server` checks this header
    // only if the target of the request is not an absolute URL.
    if ((env as HttpBindings).incoming.headers.host?.includes(','))
      throw new RequestError('several Host headers')
    return hono.fetch(request, env as HttpBindings)
  }
  return getRequestListener(fetch, {
    // With this option on, `@hono/node-server` replaces `Response` for the whole process. It would send the replaced
    // `RESPONSE_ALREADY_SENT` as a second response, which breaks the connection.
    overrideGlobalObjects: false,
    // `handleUnreadBody` handles the unread rest of a body, so that the client receives the error response.
    autoCleanupIncoming: false,
    errorHandler: (error) => {
      const id = randomUUID()
      const refusal = error instanceof RequestError ? new ApiError('bad_request') : toApiError(error)
      if (refusal.status >= 500) app.log.error({ request_id: id, err: error }, 'request failed')
      const headers = { ...refusal.headers, Connection: 'close' }
      const response: ApiResponse = { status: refusal.status, json: refusal.body(id, 'en'), headers }
      return new Response(textOf(response), { status: response.status, headers: headersOf(response, id) })
    },
  })
}

/** Creates a server for the metrics only. It does not listen yet. */
export function createMetricsServer(app: App): Server {
  const hono = new Hono<Env>()
  const respond = createRespond(app)
  mountMetrics(hono, app, respond)
  refuseOthers(hono, respond)
  return serverOf({}, listenerOf(app, hono))
}

function createRouting(app: App, holdBody: Guard['holdBody']) {
  const hono = new Hono<Env>()
  const guard: Guard = {
    app,
    findKey: createKeyCache(app.store, app.clock.now),
    limit: createRateLimit(app.store, app.clock.now),
    trusted: parseAddressRanges(app.config.trustProxy),
    holdBody,
  }

  const respond = createRespond(app)

  const mount = (prefix: string, path: string, routes: readonly Route[]) => {
    const methods = routes.map(({ method }) => method.toUpperCase())
    const allowed = [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
    const pattern = prefix + path
    hono.all(honoPath(pattern), async ({ env, req }) => {
      const { incoming, outgoing } = env
      await respond(env, pattern, async (requestId, locale, always) => {
        const params = req.param() as Record<string, string>
        const method = incoming.method === 'HEAD' ? 'GET' : incoming.method
        const route = routes[methods.indexOf(method ?? '')]
        // `/received-invoices/recognize` matches the pattern `/received-invoices/{invoice_id}`, but its last part is
        // not an invoice id.
        if (!route && !hasValidIds(params)) throw new ApiError('not_found')
        if (!route) throw methodNotAllowed(incoming.method, allowed)
        const { searchParams } = new URL(req.url)
        return performRequest(
          guard,
          { incoming, outgoing, searchParams, params, requestId, locale, always },
          route,
        )
      })
      return RESPONSE_ALREADY_SENT
    })
  }

  for (const [path, routes] of byPath(ROUTES)) mount(BASE_PATH, path, routes)
  const health = ROUTES.filter(({ path }) => path === '/health')
  mount('', '/health', health)
  mountPages(hono, app, respond)
  refuseOthers(hono, respond)
  return hono
}

/** Creates the server. It does not listen yet. */
export function createHttpServer(app: App, holdBody = createBodyMemory()): Server {
  const milliseconds = app.config.requestTimeout * 1000
  const server = serverOf(
    {
      keepAliveTimeout: 65_000,
      headersTimeout: milliseconds,
      // Bodies have their own timeout, after which the client receives an error response. This timeout is the fallback.
      requestTimeout: milliseconds + 5000,
      connectionsCheckingInterval: Math.min(milliseconds / 2, 30_000),
      // `watchConnections` refuses requests without a Host header in the format of the API specification.
      requireHostHeader: false,
    },
    listenerOf(app, createRouting(app, holdBody)),
  )
  watchConnections(server, app.config.requestTimeout)
  return server
}
