/** Query parameters by their declarations: text in, values out. */
import { isDate } from '../../../invoice/index.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import { CLEAN, type Parameter } from '../../shapes/parameters.ts'

const LONGEST_SHOWN = 80
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

const IS_CLEAN = new RegExp(CLEAN)

type Value = string | number | boolean

/** What is looked at of the schema of a parameter. */
interface Keywords {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  /** Of a text with a form of its own: what is shown to whoever sent another. */
  readonly examples?: readonly string[]
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly default?: Value
}

/** The value of a text under a schema, or why it is none. */
function read(text: string, schema: Keywords): { value: Value } | { expected: string } {
  const { type, minimum, maximum, maxLength = 200, format, enum: allowed, examples, pattern } = schema
  if (type === 'integer') {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity)))
      return { expected: maximum === undefined ? `>= ${minimum}` : `${minimum}-${maximum}` }
    return { value }
  }
  if (type === 'boolean')
    return text === 'true' || text === 'false' ? { value: text === 'true' } : { expected: 'true, false' }
  if (allowed) return allowed.includes(text) ? { value: text } : { expected: allowed.join(', ') }
  if (format === 'date') return isDate(text) ? { value: text } : { expected: 'YYYY-MM-DD' }
  if (format === 'uuid') return isUuid(text) ? { value: text.toLowerCase() } : { expected: 'UUID' }
  if (examples && pattern !== undefined && !new RegExp(pattern).test(text))
    return { expected: examples.join(', ') }
  if (!IS_CLEAN.test(text) || [...text].length > maxLength) return { expected: `1-${maxLength}` }
  return { value: text }
}

/** The parameters of a request. Throws `request_validation_error` for one that is unknown, repeated or wrong. */
export function readQuery(
  sent: URLSearchParams,
  known: Readonly<Record<string, Parameter>> = {},
): Readonly<Record<string, Value>> {
  const query: Record<string, Value> = {}
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
    const keywords: Keywords = declared.schema
    const found = read(text, keywords)
    if ('expected' in found) {
      const received = text.slice(0, LONGEST_SHOWN)
      if (declared.unknownValue)
        throw new ApiError(declared.unknownValue, { received, allowed: keywords.enum })
      throw invalidRequest(
        `the parameter ${parameter} is "${received}"; allowed is ${found.expected}`,
        `el parámetro ${parameter} es «${received}»; se admite ${found.expected}`,
        { parameter, received, allowed: found.expected },
      )
    }
    query[name] = found.value
  }
  for (const [name, { schema, required }] of Object.entries<Parameter>(known)) {
    if (Object.hasOwn(query, name)) continue
    const keywords: Keywords = schema
    if (required)
      throw invalidRequest(`the parameter ${name} is missing`, `falta el parámetro ${name}`, {
        parameter: name,
        allowed: keywords.enum,
      })
    if (keywords.default !== undefined) query[name] = keywords.default
  }
  return query
}

/** Whether every id in a path has the form of one. */
export const hasIds = (params: Readonly<Record<string, string>>): boolean =>
  Object.entries(params).every(([name, value]) => !name.endsWith('_id') || isUuid(value))
