/** The OpenAPI 3.1 document, made from the routes. */
import { CODES, type Code } from '../errors/codes.ts'
import type { Route, Schema } from './route.ts'
import { COMPONENTS, ref } from './schemas.ts'

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
  if (route.idempotent) codes.push('idempotency_key_reused')
  return [...new Set([...codes, ...(route.errors ?? [])])].sort()
}

const SCOPE_NOTE = (scope: string | null): string => (scope === null ? 'Any key.' : `Scope \`${scope}\`.`)

const json = (schema: Schema) => ({ 'application/json': { schema } })

function responsesOf(route: Route): Record<string, unknown> {
  const responses: Record<string, unknown> = {}
  for (const [status, answer] of Object.entries(route.answers)) {
    const content =
      answer === null
        ? {}
        : typeof answer === 'string'
          ? { content: { [answer]: { schema: { type: 'string' } } } }
          : { content: json(answer) }
    responses[status] = { description: 'Done.', ...content }
  }
  const byStatus = new Map<number, Code[]>()
  for (const code of codesOf(route)) {
    const { status } = CODES[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b))
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${CODES[code].en}`).join('\n\n'),
      content: json({
        allOf: [
          ref('Error'),
          {
            type: 'object',
            properties: { detail: { type: 'object', properties: { code: { enum: codes } } } },
          },
        ],
      }),
    }
  return responses
}

function parametersOf(route: Route): unknown[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: name?.endsWith('_id') ? { type: 'string', format: 'uuid' } : { type: 'string' },
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
          description: 'The same key with the same request answers the first answer again, for 24 hours.',
          schema: { type: 'string', minLength: 1, maxLength: 200 },
        },
      ]
    : []
  return [...inPath, ...inQuery, ...inHeader]
}

function bodyOf({ body }: Route): Record<string, unknown> {
  if (!body) return {}
  const content =
    body.kind === 'json'
      ? json(body.schema)
      : {
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['file'],
              properties: {
                file: { type: 'string', format: 'binary', description: 'At most 16 MB, not empty.' },
              },
            },
          },
        }
  return { requestBody: { required: body.kind === 'multipart' || body.required, content } }
}

const operationId = ({ method, path }: Route): string =>
  `${method}${path.replaceAll(/[{}]/g, '').replaceAll(/[^a-z0-9]+(\w)/gi, (_, letter: string) => letter.toUpperCase())}`

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
      description:
        'Drafts, issued and received invoices of one company, with VeriFactu and SII. The company follows from the key. Every error is `{"detail": {"code", "message", "request_id", ...}}`.',
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
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    },
  }
}
