/** One request through its checks, in the order that `http-contract` gives them; the rest is the route's. */
import { LARGE_DOCUMENT } from '../../environment/limits.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Answer } from '../../service/access/answer.ts'
import type { Call } from '../../service/access/call.ts'
import { type Claim, claim, hashOf, idempotencyKeyOf, settle } from '../../service/access/idempotency.ts'
import type { Judged } from '../../service/invoice/judge.ts'
import type { Tx } from '../../store/store.ts'
import { authenticate, type Guard } from './authenticate.ts'
import { headerOf, type Incoming } from './incoming.ts'
import { isUuid, readQuery } from './parameters.ts'
import { readBody } from './read-body.ts'
import type { Route, RouteCall, WritingRoute } from './route.ts'

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

/** What takes long to write keeps nobody waiting but those who write the same rows. */
const writing = <T>({ store, size }: Call, work: (tx: Tx) => Promise<T>): Promise<T> =>
  size > LARGE_DOCUMENT ? store.transaction(work) : store.together(work)

/** In one transaction, with its idempotency key. A refusal leaves no trace of the key: it is judged anew. */
async function write(route: WritingRoute, call: RouteCall, key: Claim | null): Promise<Answer> {
  const judged = await later(route.judge?.(call))
  if (!key) return writing(call, (tx) => route.write(call, tx, judged))
  return writing(call, async (tx) => {
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
  const query = readQuery(url.searchParams, route.query, locale)
  const params = requireIds(request.params, route)
  const idempotencyKey = route.idempotent
    ? idempotencyKeyOf(headerOf(incoming, 'idempotency-key'))
    : undefined
  const { value, bytes } = await readBody(app, request, route)
  const call: RouteCall = {
    app,
    requestId,
    locale,
    // A route without a key reads none of them.
    company: key?.company as Call['company'],
    store: app.store.of(key?.company.id ?? ''),
    keyId: key?.keyId ?? '',
    params,
    query,
    body: value,
    size: bytes.length,
    incoming,
    idempotencyKey,
    ifMatch: route.versioned ? headerOf(incoming, 'if-match') : undefined,
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
  keyId: call.keyId,
  idempotencyKey: call.idempotencyKey ?? '',
  requestHash: hashOf(route.method, url.pathname, url.search, bytes),
  now: call.app.clock.now(),
})
