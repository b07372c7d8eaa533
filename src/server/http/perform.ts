/** One request through its checks, in the order that `http-contract` gives them; the rest is the route's. */
import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import type { Locale } from '../../invoice/index.ts'
import { clientAddress, contains, ranges } from '../addresses.ts'
import type { App } from '../app.ts'
import { ApiError, invalidRequest } from '../errors/api-error.ts'
import { MAX_JSON_BYTES } from '../limits.ts'
import { hasBody } from '../receiving.ts'
import type { Answer, Call, Scope } from '../service/call.ts'
import { type Claim, claim, hashOf, idempotencyKeyOf, settle } from '../service/idempotency.ts'
import type { Judged } from '../service/judge.ts'
import type { createKeyCache } from '../service/key-cache.ts'
import { collect, requireJson, requireUncompressed } from './body.ts'
import { isUuid, readQuery } from './parameters.ts'
import type { createRateLimit } from './rate-limit.ts'
import type { Route } from './route.ts'
import { requireShape } from './shape.ts'

/** Address as sent, with its query. */
export type Address = Pick<URL, 'pathname' | 'search' | 'searchParams'>

export interface Incoming {
  readonly incoming: IncomingMessage
  readonly url: Address
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  readonly locale: Locale
}

export interface Guard {
  readonly app: App
  readonly findKey: ReturnType<typeof createKeyCache>
  readonly limit: ReturnType<typeof createRateLimit>
  readonly trusted: BlockList
}

const headerOf = (incoming: IncomingMessage, name: string): string | undefined => {
  const value = incoming.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const allows = (scopes: readonly string[], wanted: Scope): boolean =>
  scopes.includes('*') || scopes.includes(wanted)

/** Key, plan, address, rate, scope: 401, 402, 403, 429, 403. */
async function authenticate(
  { app, findKey, limit, trusted }: Guard,
  { incoming }: Incoming,
  { scope }: Route,
) {
  const header = headerOf(incoming, 'x-api-key') ?? ''
  const key = await findKey(header, app.clock.today())
  if (!key?.company.data.is_active) throw new ApiError('unauthorized')
  if (!key.company.data.plan.api) throw new ApiError('feature_outside_plan', { feature: 'api' })
  if (key.allowIps.length > 0) {
    const peer = incoming.socket.remoteAddress ?? ''
    const address = clientAddress(peer, headerOf(incoming, 'x-forwarded-for'), trusted)
    if (!contains(ranges(key.allowIps), address)) throw new ApiError('ip_forbidden', { address })
  }
  if (key.ratePerMinute !== null)
    await limit({ companyId: key.company.id, keyId: key.keyId, ratePerMinute: key.ratePerMinute })
  if (scope !== null && !allows(key.scopes, scope)) throw new ApiError('scope_missing', { missing: scope })
  return key
}

/** The body as the route wants it, and its bytes, which an idempotency key remembers. */
async function readBody({ app }: Guard, { incoming, locale }: Incoming, route: Route) {
  const { body } = route
  if (body?.kind === 'multipart') {
    requireUncompressed(incoming)
    return { value: undefined, bytes: new Uint8Array() }
  }
  const maxBytes = body?.maxBytes ?? MAX_JSON_BYTES
  const none = { value: undefined, bytes: new Uint8Array() }
  if (!hasBody(incoming)) {
    if (body?.required) {
      requireJson(incoming)
      throw invalidRequest('there is no body', 'falta el cuerpo')
    }
    return none
  }
  if (body) requireJson(incoming)
  const bytes = await collect(incoming, maxBytes, app.config.requestTimeout)
  if (bytes.length === 0 && !body?.required) return none
  if (!body) {
    // Clients that always send something send `{}`.
    if (/^\s*(?:\{\s*\})?\s*$/.test(bytes.subarray(0, 100).toString('latin1')) && bytes.length <= 100)
      return none
    throw invalidRequest(
      'there is no body in this operation: leave it out',
      'esta operación no lleva cuerpo: no lo envíe',
    )
  }
  const reading = { bytes, maxBytes, locale }
  if (body.batchOf)
    return {
      value: await app.work.readBatch({ ...reading, operation: body.batchOf }),
      bytes: new Uint8Array(),
    }
  const value = await app.work.parseBody(reading)
  if (!body.judgedByEngine) requireShape(value, body.schema, locale)
  return { value, bytes }
}

/** A malformed id answers as an unknown one does. */
function requireIds(params: Readonly<Record<string, string>>, route: Route): Record<string, string> {
  const ids: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('_id') && !isUuid(value))
      throw new ApiError(name === 'doc_id' ? 'document_not_found' : (route.unknownId ?? 'invoice_not_found'))
    ids[name] = name.endsWith('_id') ? value.toLowerCase() : value
  }
  return ids
}

/** What comes of a promise, or throws, when it is asked for: after its idempotency key, which may know the answer. */
async function later(promise: Promise<Judged> | undefined): Promise<() => Judged> {
  try {
    const judged = await promise
    return () => judged as Judged
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/** In one transaction, with its idempotency key. A refusal leaves no trace of the key: it is judged anew. */
async function write(
  route: Extract<Route, { write: unknown }>,
  call: Call,
  key: Claim | null,
): Promise<Answer> {
  const { store } = call.app
  const judged = await later(route.judge?.(call))
  if (!key) return store.transaction((tx) => route.write(call, tx, judged))
  return store.transaction(async (tx) => {
    const earlier = await claim(tx, key)
    if (earlier) return earlier
    const answer = await route.write(call, tx, judged)
    await settle(tx, key, answer)
    return answer
  })
}

export async function perform(guard: Guard, request: Incoming, route: Route): Promise<Answer> {
  const { app } = guard
  const { incoming, url, requestId, locale } = request
  const key = route.authenticated === false ? null : await authenticate(guard, request, route)
  const query = readQuery(url.searchParams, route.query)
  const params = requireIds(request.params, route)
  const idempotencyKey = route.idempotent
    ? idempotencyKeyOf(headerOf(incoming, 'idempotency-key'))
    : undefined
  const { value, bytes } = await readBody(guard, request, route)
  const call: Call = {
    app,
    requestId,
    locale,
    // A route without a key reads neither.
    company: key?.company as Call['company'],
    keyId: key?.keyId ?? '',
    params,
    query,
    body: value,
    size: bytes.length,
    incoming,
    idempotencyKey,
  }
  if (!('write' in route)) return route.handle(call)
  const claimed = idempotencyKey === undefined ? null : claimOf(call, route, url, bytes)
  return write(route, call, claimed)
}

/** The claim of a call on its idempotency key. */
export const claimOf = (
  call: Call,
  route: Pick<Route, 'method'>,
  url: { pathname: string; search: string },
  bytes: string | Uint8Array,
): Claim => ({
  companyId: call.company.id,
  keyId: call.keyId,
  idempotencyKey: call.idempotencyKey ?? '',
  requestHash: hashOf(route.method, url.pathname, url.search, bytes),
  now: call.app.clock.now(),
})
