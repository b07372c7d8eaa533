/** The engine behind HTTP, as a function from `Request` to `Response`. Nothing is logged and nothing is stored. */
import { shortened } from '../request/operations.ts'
import { refusal } from '../request/refusal.ts'
import { languageOf } from '../web/weighed.ts'
import { refuse } from './messages.ts'
import { readParameters } from './parameters.ts'
import { errorReply, type Reply } from './reply.ts'
import { addresses, ROUTES, type Routes, routeOf } from './routes.ts'
import { type HandlerOptions, readSettings, type Settings } from './settings.ts'

/** What workers, `Bun.serve` and `deno serve` take as their default export. */
export interface Handler {
  readonly fetch: (request: Request) => Promise<Response>
}

/** Headers that pages of other origins may send (Fetch standard, "CORS protocol"). */
const ALLOWED_HEADERS = 'Accept, Accept-Language, Content-Type, If-None-Match, X-Request-Id'

/** A day: browsers forget sooner by themselves. */
const MAX_AGE = '86400'

/** Headers of every answer, for the page that asked. Of a list of origins a page learns its own alone. */
function corsHeaders(origin: string | null, origins: '*' | readonly string[]): Reply['headers'] {
  const exposed = { 'Access-Control-Expose-Headers': 'ETag, X-Request-Id' }
  if (origins === '*') return { 'Access-Control-Allow-Origin': '*', ...exposed }
  return origin !== null && origins.includes(origin)
    ? { 'Access-Control-Allow-Origin': origin, ...exposed }
    : {}
}

/** Further headers of the answer to OPTIONS. */
const preflightHeaders = (methods: readonly string[]): Reply['headers'] => ({
  Allow: methods.join(', '),
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': ALLOWED_HEADERS,
  'Access-Control-Max-Age': MAX_AGE,
})

/** Ids that may be repeated in a header and in a log. */
const SANE_ID = /^[\w.:-]{1,128}$/

function idOf(request: Request, { requestId }: Settings): string {
  const own = request.headers.get('x-request-id') ?? ''
  const id = SANE_ID.test(own) ? own : requestId()
  if (!SANE_ID.test(id)) throw new TypeError('cuadra: requestId of createHandler made no id')
  return id
}

/** The checks in their order: address, method, parameters; the rest is the route's. */
async function replyTo(request: Request, id: string, settings: Settings, routes: Routes): Promise<Reply> {
  const spoken = { id, locale: languageOf(request.headers.get('accept-language')) }
  const { pathname, searchParams } = new URL(request.url)
  const { basePath } = settings
  const found = routeOf(routes, pathname, basePath)
  if (!found) {
    const extra = { path: shortened(pathname), allowed: addresses(routes, basePath) }
    return errorReply(refuse('route', spoken.locale, extra), spoken)
  }
  const { route, name } = found
  const { methods, parameters } = route
  if (request.method === 'OPTIONS') return { status: 204, body: null, headers: preflightHeaders(methods) }
  if (!methods.includes(request.method)) {
    const extra = { received: shortened(request.method), allowed: methods }
    return errorReply(refuse('method', spoken.locale, extra), spoken, { Allow: methods.join(', ') })
  }
  const query = readParameters(searchParams, parameters, spoken.locale)
  if ('refused' in query) return errorReply(query.refused, spoken)
  const { options } = query
  const locale = (options.locale as typeof spoken.locale | undefined) ?? spoken.locale
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

/** A service with these addresses. */
export function handlerOf(routes: Routes, options: HandlerOptions): Handler {
  const settings = readSettings(options)
  const fetch = async (request: Request): Promise<Response> => {
    let id = ''
    let reply: Reply
    try {
      id = idOf(request, settings)
      reply = await replyTo(request, id, settings, routes)
    } catch {
      // The clock or the ids of the deployer failed, or we made a mistake. The client is not told which.
      const locale = languageOf(request.headers.get('accept-language'))
      reply = errorReply(refusal('internal', locale), { id, locale })
    }
    return toResponse(reply, request, id, settings)
  }
  return { fetch }
}

/**
 * The engine as an HTTP service: `POST /validate`, `/explain`, `/reconcile` and `/qr`, `GET /catalogs`,
 * `/catalogs/{name}` and `/health`.
 *
 * `fetch` never rejects: whatever goes wrong is an answer with `detail` (specification, section "Errors"). Throws a
 * `TypeError` for a wrong option.
 *
 * @example
 * typeof createHandler({ basePath: '/api/v1.1' }).fetch // => 'function'
 */
export const createHandler = (options: HandlerOptions = {}): Handler => handlerOf(ROUTES, options)
