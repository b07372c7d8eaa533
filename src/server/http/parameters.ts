/** Query parameters by their declarations: text in, values out. */
import { isDate } from '../../invoice/index.ts'
import { ApiError, invalidRequest } from '../errors/api-error.ts'
import type { Call } from '../service/call.ts'
import type { Parameter, Schema } from './route.ts'

const LONGEST_SHOWN = 80
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

/** Texts that may stand in a database and in a header: without control characters, and without what is no text. */
export const CLEAN = '^[^\\u0000-\\u001f\\u007f\\ufffd]+$'
const IS_CLEAN = new RegExp(CLEAN)

/** The value of a text under a schema, or why it is none. */
function read(text: string, schema: Schema): { value: string | number | boolean } | { expected: string } {
  const { type, minimum, maximum, maxLength, format } = schema as Record<string, number | string | undefined>
  const allowed = schema.enum as readonly string[] | undefined
  if (type === 'integer') {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= ((minimum as number) ?? -Infinity) && value <= ((maximum as number) ?? Infinity)))
      return { expected: maximum === undefined ? `>= ${minimum}` : `${minimum}-${maximum}` }
    return { value }
  }
  if (type === 'boolean')
    return text === 'true' || text === 'false' ? { value: text === 'true' } : { expected: 'true, false' }
  if (allowed) return allowed.includes(text) ? { value: text } : { expected: allowed.join(', ') }
  if (format === 'date') return isDate(text) ? { value: text } : { expected: 'YYYY-MM-DD' }
  if (format === 'uuid') return isUuid(text) ? { value: text.toLowerCase() } : { expected: 'UUID' }
  if (!IS_CLEAN.test(text) || [...text].length > ((maxLength as number) ?? 200))
    return { expected: `1-${maxLength ?? 200}` }
  return { value: text }
}

/** The parameters of a request. Throws `request_validation_error` for one that is unknown, repeated or wrong. */
export function readQuery(
  sent: URLSearchParams,
  known: Readonly<Record<string, Parameter>> = {},
): Call['query'] {
  const query: Record<string, string | number | boolean> = {}
  for (const [name, text] of sent) {
    const parameter = name.slice(0, LONGEST_SHOWN)
    const declared = Object.hasOwn(known, name) ? known[name] : undefined
    const names = Object.keys(known).join(', ')
    if (!declared)
      throw invalidRequest(
        `there is no query parameter ${parameter} here (${names ? `there is: ${names}` : 'this address takes none'})`,
        `aquí no existe el parámetro ${parameter} (${names ? `existen: ${names}` : 'esta dirección no admite ninguno'})`,
        { parameter, allowed: Object.keys(known) },
      )
    if (Object.hasOwn(query, name))
      throw invalidRequest(
        `the parameter ${parameter} is repeated`,
        `el parámetro ${parameter} está repetido`,
        { parameter },
      )
    const found = read(text, declared.schema)
    if ('expected' in found) {
      const received = text.slice(0, LONGEST_SHOWN)
      if (declared.unknownValue)
        throw new ApiError(declared.unknownValue, { received, allowed: declared.schema.enum })
      throw invalidRequest(
        `the parameter ${parameter} is "${received}"; allowed is ${found.expected}`,
        `el parámetro ${parameter} es «${received}»; se admite ${found.expected}`,
        { parameter, received, allowed: found.expected },
      )
    }
    query[name] = found.value
  }
  for (const [name, { schema, required }] of Object.entries(known)) {
    if (Object.hasOwn(query, name)) continue
    if (required)
      throw invalidRequest(`the parameter ${name} is missing`, `falta el parámetro ${name}`, {
        parameter: name,
      })
    if (schema.default !== undefined) query[name] = schema.default as string
  }
  return query
}

/** Whether every id in a path has the form of one. */
export const hasIds = (params: Readonly<Record<string, string>>): boolean =>
  Object.entries(params).every(([name, value]) => !name.endsWith('_id') || isUuid(value))
