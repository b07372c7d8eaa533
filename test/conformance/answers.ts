/** Validates every response against the OpenAPI document, and records what was seen for the completeness test. */
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js'
import { openApi } from 'cuadra-server/http/openapi.ts'
import type { Route } from 'cuadra-server/http/request/route.ts'
import { ROUTES } from 'cuadra-server/http/routes/index.ts'
import type { Answered } from './harness.ts'
import { forgetRefusals, note, noteRefusal } from './recorder.ts'

interface Declared {
  readonly $ref?: string
  readonly content?: Record<string, { readonly schema: object; readonly examples?: Record<string, object> }>
}

const document = openApi(ROUTES, '/api/v1.1', '1.1.0') as {
  paths: Record<string, Record<string, { responses: Record<string, Declared> }>>
  components: { responses: Record<string, Declared> }
}

/** Returns a declaration, or the component that it references. */
const resolved = (declared: Declared | undefined): Declared | undefined =>
  declared?.$ref === undefined
    ? declared
    : document.components.responses[declared.$ref.split('/').at(-1) ?? '']
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema({ $id: 'openapi', components: document.components })
const compiled = new Map<object, ValidateFunction>()

const compile = (schema: object): ValidateFunction => {
  const known = compiled.get(schema)
  if (known) return known
  const located = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'))
  const validate = ajv.compile(located)
  compiled.set(schema, validate)
  return validate
}

/** `get /drafts/{invoice_id}` of every request that succeeded. */
export const seenRoutes = new Set<string>()
/** Codes of every refusal. */
export const seenCodes = new Set<string>()
/** Rows of the table of states that a test has covered: `draft -> issue -> issued`. */
export const seenTransitions = new Set<string>()

/** Forgets what other test files of the same worker have covered. */
export function forgetSeen(): void {
  for (const seen of [seenRoutes, seenCodes, seenTransitions]) seen.clear()
  forgetRefusals()
}

/** Records that the running test covers a row of the specification's table of states. */
export const transition = (row: string): void => {
  seenTransitions.add(row)
}

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)

/** Returns the declared route of a request, static addresses first. */
export function routeOf(method: string, path: string): Route | undefined {
  const [plain = ''] = path.split('?')
  const wanted = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()
  const found = ROUTES.filter((route) => matches(route.path, plain))
  const exact = found.some((route) => !route.path.includes('{'))
    ? found.filter((route) => !route.path.includes('{'))
    : found
  return exact.find((route) => route.method === wanted)
}

/** Throws if a response does not match the declaration of its route in the OpenAPI document. */
export function checkAnswer(
  method: string,
  path: string,
  answer: Answered,
  { body, worked = false }: { readonly body?: unknown; readonly worked?: boolean } = {},
): void {
  const { status, headers, json, text } = answer
  if (!headers.get('x-request-id')) throw new Error(`${method} ${path}: no X-Request-Id`)
  const code = status >= 400 ? json?.detail?.code : undefined
  if (status >= 400) {
    if (
      method !== 'HEAD' &&
      (typeof code !== 'string' ||
        typeof json.detail.message !== 'string' ||
        json.detail.request_id !== headers.get('x-request-id'))
    )
      throw new Error(`${method} ${path}: ${status} is not in the shape of an error: ${text.slice(0, 300)}`)
    if (code) seenCodes.add(code)
    if (code) noteRefusal(json, headers.get('content-language') === 'en')
  }
  const route = routeOf(method, path)
  if (!route || method === 'HEAD' || status === 304) return
  if (status < 400) seenRoutes.add(`${route.method} ${route.path}`)
  const operation = document.paths[route.path]?.[route.method]
  const declared = resolved(operation?.responses[String(status)])
  if (!declared) throw new Error(`${method} ${path}: status ${status} is not declared: ${text.slice(0, 300)}`)
  const { schema, examples } = declared.content?.['application/json'] ?? {}
  note({
    route,
    status,
    json,
    text,
    contentType: headers.get('content-type') ?? '',
    isWorked: worked,
    sent: body,
  })
  if (!schema) {
    if (!declared.content && text !== '') throw new Error(`${method} ${path}: a body where none is declared`)
    return
  }
  if (status >= 400 && !Object.hasOwn(examples ?? {}, code))
    throw new Error(`${method} ${path}: ${status} ${code} is not declared`)
  const validate = compile(schema)
  if (!validate(json))
    throw new Error(
      `${method} ${path}: ${status} does not fit the OpenAPI document: ${ajv.errorsText(validate.errors).slice(0, 600)}\n${text.slice(0, 600)}`,
    )
}
