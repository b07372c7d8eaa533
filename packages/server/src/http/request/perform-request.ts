/** Checks a request (API key, query, ids, headers and body, in this order), and calls the handler of its route. */
import type { ServerResponse } from 'node:http'
import type { MemoryReservation } from '../../documents/body-memory.ts'
import { LARGE_BODY_BYTES, LARGE_DOCUMENT } from '../../environment/server-limits.ts'
import { ApiError, toApiError } from '../../errors/api-error.ts'
import { sortedJson } from '../../reading/sorted-json.ts'
import { type Call, clientOf } from '../../service/access/call.ts'
import type { ApiResponse } from '../../service/access/http-response.ts'
import { idempotencyKeyOf, idempotentRequest } from '../../service/access/idempotency.ts'
import type { Validated } from '../../service/invoice/validate-sent.ts'
import { requireUndamaged } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { authenticate, type Guard } from './authenticate.ts'
import { headerOf, type Incoming } from './incoming.ts'
import { readBody } from './read-body.ts'
import { isUuid, readQuery } from './request-parameters.ts'
import type { Route, RouteCall, WritingRoute } from './route.ts'

/** Requires that all ids are well-formed. A malformed id gets the same error as an unknown id. */
function requireIds(params: Readonly<Record<string, string>>, route: Route): Record<string, string> {
  const ids: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name.endsWith('_id') && !isUuid(value))
      throw new ApiError(name === 'doc_id' ? 'document_not_found' : (route.unknownId ?? 'invoice_not_found'))
    ids[name] = name.endsWith('_id') ? value.toLowerCase() : value
  }
  return ids
}

/**
 * Returns a function that returns a validation or throws its error. A response stored for the idempotency key has
 * precedence over the error.
 */
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
async function write(route: WritingRoute, call: RouteCall): Promise<ApiResponse> {
  const request = idempotentRequest(call)
  const validated = await deferred(route.validate?.(call))
  return writing(call, (tx) => request.runInTransaction(tx, () => route.write(call, tx, validated)))
}

/** Returns the values that a repeated idempotency key must match. Batches and forms later add their content. */
async function identityOf(
  call: RouteCall,
  { method, path, body: declared }: Route,
  bytes: Uint8Array,
): Promise<NonNullable<Call['requestIdentity']>> {
  const { app, params, query, body, idempotencyKey } = call
  if (idempotencyKey === undefined) return []
  const isValue = declared?.kind === 'json' && !declared.batchOf
  const content = isValue ? await app.work.digestOf(bytes, body, clientOf(call)) : bytes
  return [method, path, sortedJson({ params, query }), content]
}

/** Runs the handler of a route. After an unexpected error, checks whether damaged stored data is the cause. */
async function answer(
  route: Route,
  call: RouteCall,
  { invoice_id }: Record<string, string>,
): Promise<ApiResponse> {
  try {
    return await ('write' in route ? write(route, call) : route.handle(call))
  } catch (error) {
    const isUnexpected = toApiError(error).code === 'internal_error'
    if (isUnexpected && route.authenticated !== false) await requireUndamaged(call.store, invoice_id)
    throw error
  }
}

/** Maximum bytes of memory per character of a text. */
const BYTES_PER_CHARACTER = 2

/**
 * Releases the memory of a request: immediately if its response is small, otherwise when the response was sent. If
 * there is no memory for the large response of a read request, it is refused, because the client can repeat the
 * request.
 */
function releaseAfter(
  { text = '', pieces = [text] }: ApiResponse,
  { scope }: Route,
  held: MemoryReservation,
  outgoing: ServerResponse,
): void {
  const characters = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const isLarge = characters > LARGE_BODY_BYTES && !outgoing.destroyed
  if (isLarge && scope?.endsWith(':read')) held.resize(characters * BYTES_PER_CHARACTER)
  if (isLarge) outgoing.once('close', held.release)
  else held.release()
}

export async function performRequest(guard: Guard, request: Incoming, route: Route): Promise<ApiResponse> {
  const { app } = guard
  const { incoming, outgoing, searchParams, requestId, locale } = request
  const key = route.authenticated === false ? null : await authenticate(guard, request, route)
  const query = readQuery(searchParams, route.query, locale)
  const params = requireIds(request.params, route)
  const idempotencyKey = route.idempotency
    ? idempotencyKeyOf(headerOf(incoming, 'idempotency-key'))
    : undefined
  const hasLeft = () => idempotencyKey === undefined && incoming.socket.destroyed
  const client = { company: key?.company.id ?? '', hasLeft }
  const held = guard.holdBody(client.company)
  try {
    const { value, bytes } = await readBody(app, request, route, client, held)
    const call: RouteCall = {
      app,
      requestId,
      locale,
      // Routes without an API key do not use these members.
      company: key?.company as Call['company'],
      store: app.store.of(client.company),
      keyId: key?.keyId ?? '',
      params,
      query,
      body: value,
      size: bytes.length,
      hasLeft,
      incoming,
      held,
      idempotencyKey,
      ifMatch: route.versioned ? headerOf(incoming, 'if-match') : undefined,
    }
    const identified = { ...call, requestIdentity: await identityOf(call, route, bytes) }
    const response = await answer(route, identified, params)
    held.end()
    releaseAfter(response, route, held, outgoing)
    return response
  } catch (error) {
    held.release()
    throw error
  }
}
