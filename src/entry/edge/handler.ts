/** The engine as an HTTP service: a function from `Request` to `Response` that logs nothing and stores nothing. */
import { shortened } from '../request/operations.ts'
import { refusal } from '../request/refusal.ts'
import { languageOf } from '../web/preferences.ts'
import { refuse } from './edge-messages.ts'
import { readParameters } from './edge-parameters.ts'
import { methodsAndPaths, ROUTES, type Routes, routeOf } from './edge-routes.ts'
import { type HandlerOptions, readSettings, type Settings } from './edge-settings.ts'
import { errorReply, type Reply } from './reply.ts'

/** The default export that workers, `Bun.serve` and `deno serve` expect. */
export interface Handler {
  readonly fetch: (request: Request) => Promise<Response>
}

/** Request headers that pages of other origins may send (Fetch standard, "CORS protocol"). */
const ALLOWED_HEADERS = 'Accept, Accept-Language, Content-Type, If-None-Match, X-Request-Id'

/** Time for which browsers may cache a preflight response, in seconds: one day. Browsers apply a lower maximum. */
const MAX_AGE = '86400'

/** Returns the CORS headers of a response. If origins are listed, the response names only the origin of the page. */
function corsHeaders(origin: string | null, origins: '*' | readonly string[]): Reply['headers'] {
  const exposed = { 'Access-Control-Expose-Headers': 'ETag, X-Request-Id' }
  if (origins === '*') return { 'Access-Control-Allow-Origin': '*', ...exposed }
  return origin !== null && origins.includes(origin)
    ? { 'Access-Control-Allow-Origin': origin, ...exposed }
    : {}
}

/** Returns the headers of a response to OPTIONS. */
const preflightHeaders = (methods: readonly string[]): Reply['headers'] => ({
  Allow: methods.join(', '),
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': ALLOWED_HEADERS,
  'Access-Control-Max-Age': MAX_AGE,
})

/** Matches request ids that are safe to repeat in headers and logs. */
const VALID_ID = /^[\w.:-]{1,128}$/

function idOf(request: Request, { requestId }: Settings): string {
  const own = request.headers.get('x-request-id') ?? ''
  const id = VALID_ID.test(own) ? own : requestId()
  if (!VALID_ID.test(id)) throw new TypeError('cuadra: requestId of createHandler returned an invalid id')
  return id
}

/** Checks path, method and parameters, in this order, and calls the route. */
async function replyTo(request: Request, id: string, settings: Settings, routes: Routes): Promise<Reply> {
  const client = { id, locale: languageOf(request.headers.get('accept-language')) }
  const { pathname, searchParams } = new URL(request.url)
  const { basePath } = settings
  const found = routeOf(routes, pathname, basePath)
  if (!found) {
    const extra = { path: shortened(pathname), allowed: methodsAndPaths(routes, basePath) }
    return errorReply(refuse('route', client.locale, extra), client)
  }
  const { route, name } = found
  const { methods, parameters } = route
  if (request.method === 'OPTIONS') return { status: 204, body: null, headers: preflightHeaders(methods) }
  if (!methods.includes(request.method)) {
    const extra = { received: shortened(request.method), allowed: methods }
    return errorReply(refuse('method', client.locale, extra), client, { Allow: methods.join(', ') })
  }
  const query = readParameters(searchParams, parameters, client.locale)
  if ('refused' in query) return errorReply(query.refused, client)
  const { options } = query
  const locale = (options.locale as typeof client.locale | undefined) ?? client.locale
  return route.answer({ request, id, locale, options, settings, name })
}

function toResponse(
  { status, body, headers }: Reply,
  request: Request,
  id: string,
  settings: Settings,
): Response {
  const { origins } = settings
  const all = new Headers({
    ...headers,
    ...corsHeaders(request.headers.get('origin'), origins),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': id,
  })
  if (origins !== '*') all.append('Vary', 'Origin')
  return new Response(request.method === 'HEAD' ? null : body, { status, headers: all })
}

/** Creates a service with these routes. */
export function handlerOf(routes: Routes, options: HandlerOptions): Handler {
  const settings = readSettings(options)
  const fetch = async (request: Request): Promise<Response> => {
    let id = ''
    let reply: Reply
    try {
      id = idOf(request, settings)
      reply = await replyTo(request, id, settings, routes)
    } catch {
      // `clock`, `requestId` or the engine threw an error. The response does not reveal which.
      const locale = languageOf(request.headers.get('accept-language'))
      reply = errorReply(refusal('internal', locale), { id, locale })
    }
    return toResponse(reply, request, id, settings)
  }
  return { fetch }
}

/**
 * Creates the engine as an HTTP service: `POST /validate`, `/explain`, `/reconcile` and `/qr`, `GET /catalogs`,
 * `/catalogs/{name}` and `/health`.
 *
 * `fetch` never rejects: every failure is a response with `detail` (specification, section "Errors"). Throws a
 * `TypeError` for an invalid option.
 *
 * @example
 * typeof createHandler({ basePath: '/api/v1.1' }).fetch // => 'function'
 */
export const createHandler = (options: HandlerOptions = {}): Handler => handlerOf(ROUTES, options)
