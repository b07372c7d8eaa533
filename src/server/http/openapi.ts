/** The OpenAPI 3.1 document, made from the routes. */
import { CATALOG_NAMES } from '../../catalogs/index.ts'
import { KEY_FORM } from '../service/access/idempotency.ts'
import { type Schema, uuid } from '../shapes/kinds.ts'
import { allComponents } from '../shapes/schemas.ts'
import { DESCRIPTIONS, TAGS, tagOf } from './descriptions.ts'
import { EXAMPLES } from './examples.ts'
import type { Route } from './request/route.ts'
import { examplesOf, HEADERS, responsesOf, shareResponses } from './responses.ts'

const scopeNote = ({ authenticated, scope }: Route): string =>
  authenticated === false
    ? 'Needs no key.'
    : scope === null
      ? 'Any key will do.'
      : scope === '*'
        ? 'Needs a key of full access (scope `*`).'
        : `Needs the scope \`${scope}\`.`

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
  const inHeader = route.idempotency
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
  const version = {
    name: 'If-Match',
    in: 'header',
    description:
      'The `ETag` of the version that was read: any other version answers 412. Without it nothing is compared.',
    schema: { type: 'string' },
  }
  return [
    ...inPath,
    ...inQuery,
    ...inHeader,
    ...(304 in route.answers ? [condition] : []),
    ...(route.versioned && route.method !== 'get' ? [version] : []),
  ]
}

const FORM = {
  type: 'object',
  additionalProperties: false,
  required: ['file'],
  properties: {
    file: { type: 'string', format: 'binary', minLength: 1, description: 'At most 16 MB, not empty.' },
  },
}

const XML = { type: 'string', description: 'In the encoding that it declares; at most 10 MB.' }

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
  `${method}${path.replaceAll(/[{}]/g, '').replaceAll(/[^a-z0-9]+(\w)/gi, (_, letter: string) => letter.toUpperCase())}`

const ABOUT = `Drafts, issued and received invoices of one company, with VeriFactu and SII. The company follows from the key.

Every error is \`{"detail": {"code", "message", "request_id", ...}}\`: \`code\` is for programs and does not change, \`message\` is for people, in the language that \`Accept-Language\` asks for (\`en\` or \`es\`). Fields and parameters that an operation does not know are refused, and so is a NUL (U+0000) in a text.

\`X-Request-Id\` may be sent and is answered: 1 to 128 letters, digits and \`. _ : -\`. Moments are UTC without a zone; "today" is the day in Madrid. \`HEAD\` answers wherever \`GET\` does.`

const KEY =
  'The key of a company. The first start prints one; `cuadra-admin key create` makes more, with the scopes that they are to have.'

/** Components that something refers to, in the order of their names. */
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

/** The document for routes under a base path. */
export function openApi(
  routes: readonly Route[],
  basePath: string,
  version: string,
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  const answered = routes.map(responsesOf)
  const responses = shareResponses(answered)
  for (const [index, route] of routes.entries()) {
    const description = DESCRIPTIONS[`${route.method} ${route.path}`]
    paths[route.path] ??= {}
    ;(paths[route.path] as Record<string, unknown>)[route.method] = {
      operationId: operationId(route),
      tags: [tagOf(route.path)],
      summary: route.summary,
      description: `${description}\n\n${scopeNote(route)}`,
      ...(route.authenticated === false ? { security: [] } : {}),
      parameters: parametersOf(route),
      ...bodyOf(route),
      responses: answered[index],
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
