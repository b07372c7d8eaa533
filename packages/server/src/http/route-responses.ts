/** Describes responses in the OpenAPI document: schemas, headers and examples. */
import { CODES, type Code } from '../errors/error-codes.ts'
import type { Schema } from '../shapes/builders.ts'
import { Refusal } from '../shapes/schemas.ts'
import { REFUSALS, RESPONSES } from './examples.ts'
import type { Route } from './request/route.ts'

type Member = Record<string, unknown>

/** Returns the error codes that a route may return. */
export function codesOf(route: Route): readonly Code[] {
  const codes: Code[] = [
    'request_validation_error',
    'internal_error',
    'service_unavailable',
    'method_not_allowed',
    // Clients can send a body to any route, so every route can return the errors of an invalid body.
    'bad_request',
    'payload_too_large',
    'request_timeout',
  ]
  if (route.authenticated !== false)
    // Counting requests for the rate limit writes to the store, which fails if the disk is full.
    codes.push('unauthorized', 'feature_outside_plan', 'ip_forbidden', 'rate_limited', 'insufficient_storage')
  if (route.scope) codes.push('scope_missing')
  if (route.path.includes('{invoice_id}')) codes.push(route.unknownId ?? 'invoice_not_found')
  if (route.path.includes('{doc_id}')) codes.push('document_not_found')
  if (route.body) codes.push('unsupported_media_type')
  if (route.method !== 'get') codes.push('invoice_race_condition')
  if ('write' in route || route.idempotency) codes.push('outcome_unknown')
  if (route.idempotency) codes.push('idempotency_key_reused')
  if (route.versioned && route.method !== 'get') codes.push('precondition_failed')
  return [...new Set([...codes, ...(route.errors ?? [])])].sort()
}

const DONE: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Stored.',
  204: 'Deleted. The response has no body.',
  304: 'Not modified: the version in `If-None-Match` is current.',
}

/** Descriptions of the headers of responses. */
export const HEADERS: Readonly<Record<string, Member>> = {
  'X-Request-Id': {
    description: 'Id of the request in logs: the id that the client sent, or a new id.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  Allow: { description: 'Methods that the path allows.', schema: { type: 'string' } },
  ETag: {
    description: 'Tag of the version. That of an invoice changes with its document and its status.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description:
      'For keys with a rate limit: remaining requests (`r`), and seconds until all are available again (`t`), such as `"default";r=87;t=8` (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description:
      'For keys with a rate limit: requests (`q`) per window in seconds (`w`), such as `"default";q=100;w=60`.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` if this is a repetition of the first response to this key.',
    schema: { type: 'string', enum: ['true'] },
  },
  Location: {
    description: 'Path of the created invoice or document, from the root of the server.',
    schema: { type: 'string' },
  },
  'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } },
}

/** Returns the headers of a response by its status. */
function headersOf(
  { path, responses, authenticated, idempotency, versioned }: Route,
  status: string,
): Member {
  const isDone = status < '300'
  const isTagged =
    (304 in responses && (status === '200' || status === '304')) || (versioned && /^20[01]$/.test(status))
  const isFile = status === '200' && typeof responses[200] === 'string'
  const names = [
    'X-Request-Id',
    ...(status === '429' || status === '503' ? ['Retry-After'] : []),
    ...(status === '405' ? ['Allow'] : []),
    ...(isTagged ? ['ETag'] : []),
    // An event of the invoicing software has no URL.
    ...(status === '201' && path !== '/verifactu/sif' ? ['Location'] : []),
    ...(isFile ? ['Content-Disposition'] : []),
    ...(authenticated === false ? [] : ['RateLimit', 'RateLimit-Policy']),
    ...(idempotency && isDone ? ['Idempotent-Replayed'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Returns the schema of a response that is a file. */
const fileOf = (mediaType: string): Schema =>
  mediaType.endsWith('xml') ? { type: 'string' } : { type: 'string', format: 'binary' }

function successResponse(route: Route, status: string, response: Schema | string | null): Member {
  const head = { description: DONE[status], headers: headersOf(route, status) }
  if (response === null) return head
  const example = RESPONSES[`${route.method} ${route.path}`]?.[status]
  const shown = example === undefined ? {} : { example }
  if (typeof response === 'string')
    return { ...head, content: { [response]: { schema: fileOf(response), ...shown } } }
  return { ...head, content: { 'application/json': { schema: response, ...shown } } }
}

/** Describes an error response, with an example of each code that it can contain. */
function errorResponse(route: Route, status: string, codes: readonly Code[]): Member {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])
  return {
    description: codes.map((code) => `\`${code}\`: ${CODES[code].en}`).join('\n\n'),
    headers: headersOf(route, status),
    content: { 'application/json': { schema: Refusal, examples: Object.fromEntries(examples) } },
  }
}

/** Returns the responses of an operation by their status. */
export function responsesOf(route: Route): Record<string, Member> {
  const responses: Record<string, Member> = {}
  for (const [status, response] of Object.entries(route.responses))
    responses[status] = successResponse(route, status, response)
  const byStatus = new Map<number, Code[]>()
  for (const code of codesOf(route)) {
    const { status } = CODES[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    responses[status] = errorResponse(route, String(status), codes)
  return responses
}

/** Returns an example of every error code that the operations may return. */
export const examplesOf = (routes: readonly Route[]): Record<string, Member> =>
  Object.fromEntries(
    [...new Set(routes.flatMap(codesOf))]
      .sort()
      .map((code) => [code, { summary: code, value: REFUSALS[code] }]),
  )

/** Minimum number of operations that return the same error response before it becomes a component. */
const MIN_USES = 3

/**
 * Turns error responses that several operations return into components. The most common one with status 401 is named
 * `Refused401`, the next one `Refused401B`.
 */
export function shareResponses(all: readonly Record<string, Member>[]): Record<string, Member> {
  const keyOf = (status: string, response: Member) => status + JSON.stringify(response)
  const uses = new Map<string, { readonly status: string; readonly response: Member; count: number }>()
  const refusals = all.flatMap((responses) => Object.entries(responses)).filter(([status]) => status >= '400')
  for (const [status, response] of refusals) {
    const key = keyOf(status, response)
    const count = (uses.get(key)?.count ?? 0) + 1
    uses.set(key, { status, response, count })
  }
  const names = new Map<string, string>()
  const components: Record<string, Member> = {}
  const common = [...uses]
    .filter(([, { count }]) => count >= MIN_USES)
    .sort(([, a], [, b]) => b.count - a.count)
  for (const [key, { status, response }] of common) {
    const before = Object.keys(components).filter((name) => name.startsWith(`Refused${status}`)).length
    const name = `Refused${status}${before === 0 ? '' : String.fromCharCode(65 + before)}`
    names.set(key, name)
    components[name] = response
  }
  for (const responses of all)
    for (const [status, response] of Object.entries(responses)) {
      const name = names.get(keyOf(status, response))
      if (name) responses[status] = { $ref: `#/components/responses/${name}` }
    }
  return components
}
