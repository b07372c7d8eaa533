/** Checks a request (key, query, ids, headers and body, in this order), and passes it to the handler of its route. */
import { LARGE_DOCUMENT } from '../../environment/limits.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Call } from '../../service/access/call.ts'
import { idempotencyKeyOf, idempotentRequest } from '../../service/access/idempotency.ts'
import type { ApiResponse } from '../../service/access/response.ts'
import type { Validated } from '../../service/invoice/validate.ts'
import type { Tx } from '../../store/store.ts'
import { authenticate, type Guard } from './authenticate.ts'
import { headerOf, type Incoming } from './incoming.ts'
import { isUuid, readQuery } from './parameters.ts'
import { readBody } from './read-body.ts'
import type { Route, RouteCall, WritingRoute } from './route.ts'

/** Refuses malformed ids in the same way as unknown ones. */
function requireIds(params: Readonly<Record<string, string>>, route: Route): Record<string, string> {
  const ids: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('_id') && !isUuid(value))
      throw new ApiError(name === 'doc_id' ? 'document_not_found' : (route.unknownId ?? 'invoice_not_found'))
    ids[name] = name.endsWith('_id') ? value.toLowerCase() : value
  }
  return ids
}

/** Defers the error of a validation until its result is needed: the idempotency key may have a stored response. */
async function deferred(promise: Promise<Validated> | undefined): Promise<() => Validated> {
  try {
    const validated = await promise
    return () => validated as Validated
  } catch (error) {
    return () => {
      throw error
    }
  }
}

/**
 * Runs the work in a shared transaction. A large document gets its own transaction, so that it does not delay other
 * requests.
 */
const writing = <T>({ store, size }: Call, work: (tx: Tx) => Promise<T>): Promise<T> =>
  size > LARGE_DOCUMENT ? store.transaction(work) : store.sharedTransaction(work)

/**
 * Runs the work and stores the idempotency key in one transaction. A refusal does not store the key, so the request can
 * be sent again.
 */
async function write(route: WritingRoute, call: RouteCall, bytes: Uint8Array): Promise<ApiResponse> {
  const request = idempotentRequest(call, bytes)
  const validated = await deferred(route.validate?.(call))
  return writing(call, (tx) => request.runInTransaction(tx, () => route.write(call, tx, validated)))
}

/** Returns the parts of the address that must match if the idempotency key is used again. */
function identityOf({ url, incoming }: Incoming, route: Route, params: Record<string, string>): string[] {
  if (route.idempotency === 'path')
    return [route.method, route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '')]
  return route.idempotency === 'url'
    ? [route.method, incoming.url ?? '']
    : [route.method, url.pathname, url.search]
}

export async function perform(guard: Guard, request: Incoming, route: Route): Promise<ApiResponse> {
  const { app } = guard
  const { incoming, url, requestId, locale } = request
  const key = route.authenticated === false ? null : await authenticate(guard, request, route)
  const query = readQuery(url.searchParams, route.query, locale)
  const params = requireIds(request.params, route)
  const idempotencyKey = route.idempotency
    ? idempotencyKeyOf(headerOf(incoming, 'idempotency-key'))
    : undefined
  const { value, bytes } = await readBody(app, request, route)
  const call: RouteCall = {
    app,
    requestId,
    locale,
    // Routes without an API key do not use these members.
    company: key?.company as Call['company'],
    store: app.store.of(key?.company.id ?? ''),
    keyId: key?.keyId ?? '',
    params,
    query,
    body: value,
    size: bytes.length,
    incoming,
    idempotencyKey,
    requestIdentity: idempotencyKey === undefined ? [] : identityOf(request, route, params),
    ifMatch: route.versioned ? headerOf(incoming, 'if-match') : undefined,
  }
  if (!('write' in route)) return route.handle(call)
  return write(route, call, bytes)
}
