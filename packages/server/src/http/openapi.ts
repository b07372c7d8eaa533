/** Builds the OpenAPI 3.1 document from the routes. */
import { CATALOG_NAMES } from '#core/catalogs/index.ts'
import { KEY_FORM } from '../service/access/idempotency.ts'
import { type Schema, uuid } from '../shapes/builders.ts'
import { allComponents } from '../shapes/schemas.ts'
import { EXAMPLES } from './examples.ts'
import type { Route } from './request/route.ts'
import { DESCRIPTIONS, operationTag, TAGS } from './route-descriptions.ts'
import { examplesOf, HEADERS, responsesOf, shareResponses } from './route-responses.ts'

const scopeNote = ({ authenticated, scope }: Route): string =>
  authenticated === false
    ? 'Requires no key.'
    : scope === null
      ? 'Any key can use it.'
      : scope === '*'
        ? 'Requires a key with full access (scope `*`).'
        : `Requires the scope \`${scope}\`.`

const IN_PATH: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>> = {
  invoice_id: { description: 'The `id` of the invoice; issuing does not change it.', schema: uuid },
  doc_id: { description: 'The `public_id` of the document.', schema: uuid },
  submission_id: { description: 'The `public_id` of the submission.', schema: uuid },
  name: { description: 'The name of the catalog.', schema: { type: 'string', enum: CATALOG_NAMES } },
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
  const inHeader = route.idempotency
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          description:
            'For 24 hours, a repeated request with the same key returns the first response again, with any API key of the company. A repeated request has the same method, path and query, and a body with the same JSON value, XML bytes, or file name, type and content. A refused request can be corrected and sent with the same key.',
          schema: { type: 'string', minLength: 1, maxLength: 200, pattern: KEY_FORM },
        },
      ]
    : []
  const condition = {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of the version that the client has. If it is current, the response is 304.',
    schema: { type: 'string' },
  }
  const version = {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the version that the client read. If the invoice has another version, the response is 412. Without this header, the version is not checked.',
    schema: { type: 'string' },
  }
  return [
    ...inPath,
    ...inQuery,
    ...inHeader,
    ...(304 in route.responses ? [condition] : []),
    ...(route.versioned && route.method !== 'get' ? [version] : []),
  ]
}

const FORM = {
  type: 'object',
  additionalProperties: false,
  required: ['file'],
  properties: {
    file: {
      type: 'string',
      format: 'binary',
      minLength: 1,
      description: 'The file, at most 16 MB and not empty.',
    },
  },
}

const XML = {
  type: 'string',
  description: 'The XML document in the encoding that it declares, at most 10 MB.',
}

function contentOf({ method, path, body }: Route) {
  const example = EXAMPLES[`${method} ${path}`]
  if (body?.kind === 'multipart') return { 'multipart/form-data': { schema: FORM } }
  if (body?.kind === 'xml')
    return { 'application/xml': { schema: XML, example }, 'text/xml': { schema: XML, example } }
  return { 'application/json': { schema: body?.documented ?? body?.schema, example } }
}

function bodyOf(route: Route): Record<string, unknown> {
  const { body } = route
  if (!body) return {}
  const content = contentOf(route)
  return { requestBody: { required: body.kind !== 'json' || body.required, content } }
}

const operationId = ({ method, path }: Route): string =>
  `${method}${path.replaceAll(/[{}]/g, '').replaceAll(/[^a-z0-9]+([a-z0-9]?)/gi, (_, letter: string) => letter.toUpperCase())}`

const ABOUT = `Drafts, issued and received invoices of one company, with VeriFactu and SII. The API key determines the company.

Every error is \`{"detail": {"code", "message", "request_id", ...}}\`: \`code\` is for programs and never changes; \`message\` is a text for people, in the language of \`Accept-Language\` (\`en\` or \`es\`). Unknown fields and parameters are rejected, as are strings containing NUL (U+0000) or half of a surrogate pair.

If a request has an \`X-Request-Id\`, it is logged and returned: 1 to 128 letters, digits and \`. _ : -\`. Timestamps are in UTC, without a time zone; "today" is the current day in Madrid. Every \`GET\` route also accepts \`HEAD\`.`

const KEY =
  'The key of a company. The first start of the server prints a key; `cuadra-admin key create` creates further keys with the scopes that you choose.'

/** Returns the components that the document refers to, in alphabetical order. */
function used(schemas: Readonly<Record<string, unknown>>, by: unknown): Record<string, unknown> {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      visit(schemas[name])
    }
  }
  visit(by)
  return Object.fromEntries([...found].sort().map((name) => [name, schemas[name]]))
}

/** Builds the OpenAPI document for routes under a base path. */
export function openApi(
  routes: readonly Route[],
  basePath: string,
  version: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  const routeResponses = routes.map(responsesOf)
  const responses = shareResponses(routeResponses)
  for (const [index, route] of routes.entries()) {
    const description = DESCRIPTIONS[`${route.method} ${route.path}`]
    paths[route.path] ??= {}
    ;(paths[route.path] as Record<string, unknown>)[route.method] = {
      operationId: operationId(route),
      tags: [operationTag(route.path)],
      summary: route.summary,
      description: `${description}\n\n${scopeNote(route)}`,
      ...(route.authenticated === false ? { security: [] } : {}),
      parameters: parametersOf(route),
      ...bodyOf(route),
      responses: routeResponses[index],
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
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: used(allComponents(), [paths, responses]),
      responses,
      examples: examplesOf(routes),
      headers: HEADERS,
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: KEY } },
    },
  }
}
