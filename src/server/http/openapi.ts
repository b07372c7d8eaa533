/** The OpenAPI 3.1 document, made from the routes. */
import { CATALOG_NAMES } from '../../catalogs/index.ts'
import { CODES, type Code } from '../errors/codes.ts'
import { KEY_FORM } from '../service/access/idempotency.ts'
import { type Schema, uuid } from '../shapes/kinds.ts'
import { COMPONENTS, Refusal } from '../shapes/schemas.ts'
import { EXAMPLES } from './examples.ts'
import type { Route } from './request/route.ts'

/** Codes that any route of its kind may answer. */
export function codesOf(route: Route): readonly Code[] {
  const codes: Code[] = [
    'request_validation_error',
    'internal_error',
    'service_unavailable',
    'method_not_allowed',
    // A body may be sent to any route.
    'bad_request',
    'payload_too_large',
    'request_timeout',
  ]
  if (route.authenticated !== false)
    // Counting a request against a rate needs room, too.
    codes.push('unauthorized', 'feature_outside_plan', 'ip_forbidden', 'rate_limited', 'insufficient_storage')
  if (route.scope) codes.push('scope_missing')
  if (route.path.includes('{invoice_id}')) codes.push(route.unknownId ?? 'invoice_not_found')
  if (route.path.includes('{doc_id}')) codes.push('document_not_found')
  if (route.body) codes.push('unsupported_media_type')
  if (route.method !== 'get') codes.push('invoice_race_condition')
  if ('write' in route || route.idempotent) codes.push('outcome_unknown')
  if (route.idempotent) codes.push('idempotency_key_reused')
  return [...new Set([...codes, ...(route.errors ?? [])])].sort()
}

const SCOPE_NOTE = (scope: string | null): string => (scope === null ? 'Any key.' : `Scope \`${scope}\`.`)

const json = (schema: Schema) => ({ 'application/json': { schema } })

const DONE: Readonly<Record<string, string>> = {
  200: 'Done: the answer.',
  201: 'Done: it is stored.',
  204: 'Done: it is gone. There is no body.',
  304: 'The client has it already: the tag in `If-None-Match` is still right.',
}

/** Headers of answers, and what they are for. */
const HEADERS: Readonly<Record<string, Record<string, unknown>>> = {
  'X-Request-Id': {
    description: 'Names the request in logs: the one that was sent, or a new one.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  Allow: { description: 'Methods that the address has.', schema: { type: 'string' } },
  ETag: { description: 'Changes with the content.', schema: { type: 'string' } },
  'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } },
}

/** Headers of an answer by its status. */
function headersOf({ answers }: Route, status: string): Record<string, unknown> {
  const isTagged = 304 in answers && (status === '200' || status === '304')
  const isFile = status === '200' && typeof answers[200] === 'string'
  const names = [
    'X-Request-Id',
    ...(status === '429' || status === '503' ? ['Retry-After'] : []),
    ...(status === '405' ? ['Allow'] : []),
    ...(isTagged ? ['ETag'] : []),
    ...(isFile ? ['Content-Disposition'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function responsesOf(route: Route): Record<string, unknown> {
  const responses: Record<string, unknown> = {}
  for (const [status, answer] of Object.entries(route.answers)) {
    const content =
      answer === null
        ? {}
        : typeof answer === 'string'
          ? { content: { [answer]: { schema: { type: 'string' } } } }
          : { content: json(answer) }
    responses[status] = { description: DONE[status], headers: headersOf(route, status), ...content }
  }
  const byStatus = new Map<number, Code[]>()
  for (const code of codesOf(route)) {
    const { status } = CODES[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${CODES[code].en}`).join('\n\n'),
      headers: headersOf(route, String(status)),
      content: json({
        allOf: [
          Refusal,
          {
            type: 'object',
            properties: { detail: { type: 'object', properties: { code: { enum: codes } } } },
          },
        ],
      }),
    }
  return responses
}

const IN_PATH: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>> = {
  invoice_id: { description: 'The `id` of the invoice; issuing does not change it.', schema: uuid },
  doc_id: { description: 'The `public_id` of the document.', schema: uuid },
  submission_id: { description: 'The `public_id` of the submission.', schema: uuid },
  name: { description: 'Which catalog.', schema: { type: 'string', enum: CATALOG_NAMES } },
}

function parametersOf(route: Route): unknown[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(IN_PATH[name] ?? { schema: { type: 'string' } }),
  }))
  const inQuery = Object.entries(route.query ?? {}).map(
    ([name, { schema, description, required = false }]) => ({
      name,
      in: 'query',
      required,
      description,
      schema,
    }),
  )
  const inHeader = route.idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'The same key with the same request answers again, for 24 hours, what was answered when it was done. A request that was refused may be mended and sent with the same key.',
          schema: { type: 'string', minLength: 1, maxLength: 200, pattern: KEY_FORM },
        },
      ]
    : []
  const condition = {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of what the client has.',
    schema: { type: 'string' },
  }
  return [...inPath, ...inQuery, ...inHeader, ...(304 in route.answers ? [condition] : [])]
}

const FORM = {
  type: 'object',
  additionalProperties: false,
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', minLength: 1, description: 'At most 16 MB, not empty.' },
  },
}

const XML = { schema: { type: 'string', description: 'In the encoding that it declares; at most 10 MB.' } }

function contentOf({ method, path, body }: Route) {
  if (body?.kind === 'multipart') return { 'multipart/form-data': { schema: FORM } }
  if (body?.kind === 'xml') return { 'application/xml': XML, 'text/xml': XML }
  const example = EXAMPLES[`${method} ${path}`]
  return { 'application/json': { schema: body?.documented ?? body?.schema, example } }
}

function bodyOf(route: Route): Record<string, unknown> {
  const { body } = route
  if (!body) return {}
  const content = contentOf(route)
  return { requestBody: { required: body.kind !== 'json' || body.required, content } }
}

const operationId = ({ method, path }: Route): string =>
  `${method}${path.replaceAll(/[{}]/g, '').replaceAll(/[^a-z0-9]+(\w)/gi, (_, letter: string) => letter.toUpperCase())}`

const ABOUT = `Drafts, issued and received invoices of one company, with VeriFactu and SII. The company follows from the key.

Every error is \`{"detail": {"code", "message", "request_id", ...}}\`: \`code\` is for programs and does not change, \`message\` is for people, in the language that \`Accept-Language\` asks for (\`en\` or \`es\`). Fields and parameters that an operation does not know are refused, and so is a NUL (U+0000) in a text.

\`X-Request-Id\` may be sent and is answered: 1 to 128 letters, digits and \`. _ : -\`. Moments are UTC without a zone; "today" is the day in Madrid. \`HEAD\` answers wherever \`GET\` does.`

/** The document for routes under a base path. */
export function openApi(
  routes: readonly Route[],
  basePath: string,
  version: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    paths[route.path] ??= {}
    ;(paths[route.path] as Record<string, unknown>)[route.method] = {
      operationId: operationId(route),
      tags: [route.group],
      summary: route.summary,
      description: route.authenticated === false ? 'Needs no key.' : SCOPE_NOTE(route.scope),
      ...(route.authenticated === false ? { security: [] } : {}),
      parameters: parametersOf(route),
      ...bodyOf(route),
      responses: responsesOf(route),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'cuadra invoicing service',
      version,
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: basePath }],
    security: [{ apiKey: [] }],
    tags: ['Drafts', 'Issued', 'Received', 'Attachments', 'Catalogs', 'Company', 'Compliance', 'Health'].map(
      (name) => ({ name }),
    ),
    paths,
    components: {
      schemas: COMPONENTS,
      headers: HEADERS,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  }
}
