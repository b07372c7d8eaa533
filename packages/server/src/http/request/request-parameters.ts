/** Parses query parameters as their routes declare them. */

import { isDate } from '#core/invoice/date.ts'
import type { Locale, Text } from '#core/invoice/index.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import type { Code } from '../../errors/error-codes.ts'
import { MONTH_PATTERN, type Parameter } from '../../shapes/parameter-shapes.ts'

const LONGEST_SHOWN = 80
const MAX_PROBLEMS = 100

/** Returns a received value in a form that a response can repeat: short and without NUL. */
const shown = (text: string): string => text.slice(0, LONGEST_SHOWN).replaceAll('\0', '\ufffd')
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isUuid = (text: string): boolean => UUID.test(text)

type Value = string | number | boolean

/** The keywords of a parameter's schema that are validated here. */
interface Keywords {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly default?: Value
}

type Read = { readonly value: Value } | { readonly expected: string }

function readInteger(text: string, { minimum, maximum }: Keywords): Read {
  const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (value >= (minimum ?? -Infinity) && value <= (maximum ?? Infinity)) return { value }
  return { expected: maximum === undefined ? `>= ${minimum}` : `${minimum}-${maximum}` }
}

/** Returns whether a text has the format of its schema, and the format; undefined if the schema states none. */
function formOf(
  text: string,
  { format, enum: allowed, pattern }: Keywords,
): [isRight: boolean, expected: string] | undefined {
  if (allowed) return [allowed.includes(text), allowed.join(', ')]
  if (format === 'date') return [isDate(text), 'YYYY-MM-DD']
  if (format === 'uuid') return [isUuid(text), 'UUID']
  return pattern === MONTH_PATTERN ? [new RegExp(pattern).test(text), 'YYYY-MM'] : undefined
}

/** Parses a text by its schema. Returns the expected format if the text does not match. */
function read(text: string, schema: Keywords): Read {
  const { type, maxLength = 200, format } = schema
  if (type === 'integer') return readInteger(text, schema)
  if (type === 'boolean')
    return text === 'true' || text === 'false' ? { value: text === 'true' } : { expected: 'true, false' }
  const [isRight, expected] = formOf(text, schema) ?? []
  if (expected !== undefined)
    return isRight ? { value: format === 'uuid' ? text.toLowerCase() : text } : { expected }
  if (text === '' || [...text].length > maxLength) return { expected: `1-${maxLength}` }
  // Stored texts are trimmed and never contain NUL or U+FFFD. PostgreSQL refuses NUL, so U+FFFD replaces it.
  return { value: (text.trim() || text).replaceAll('\0', '\ufffd') }
}

/** A problem with a parameter: the message, its details, and the schema keyword that the parameter violates. */
interface Problem extends Text {
  readonly keyword: string
  readonly extra: Readonly<Record<string, unknown>> & { readonly parameter: string }
  /** The code of the refusal if this problem is the first one. */
  readonly code?: Code | undefined
}

const unknown = (parameter: string, allowed: readonly string[]): Problem => {
  const names = allowed.join(', ')
  return {
    en: `unknown query parameter ${parameter} (${names ? `known: ${names}` : 'this path takes none'})`,
    es: `parámetro desconocido: ${parameter} (${names ? `existen: ${names}` : 'esta dirección no admite ninguno'})`,
    keyword: 'additional_properties',
    extra: { parameter, allowed },
  }
}

const repeated = (parameter: string): Problem => ({
  en: `the parameter ${parameter} is repeated`,
  es: `el parámetro ${parameter} está repetido`,
  keyword: 'max_items',
  extra: { parameter, max_items: 1 },
})

const wrong = (parameter: string, text: string, expected: string, declared: Parameter): Problem => {
  const received = shown(text)
  const { enum: values }: Keywords = declared.schema
  const extra = { parameter, received, allowed: declared.unknownValue ? values : expected }
  return {
    en: `the parameter ${parameter} is "${received}"; expected: ${expected}`,
    es: `el parámetro ${parameter} es «${received}»; se admite ${expected}`,
    keyword: values ? 'enum' : 'pattern',
    extra,
    code: declared.unknownValue,
  }
}

const missing = (parameter: string, { enum: allowed }: Keywords): Problem => ({
  en: `the parameter ${parameter} is missing`,
  es: `falta el parámetro ${parameter}`,
  keyword: 'required',
  extra: { parameter, allowed },
})

/** Throws one refusal that lists all problems. The first problem determines its code and message. */
function refuse(problems: readonly [Problem, ...Problem[]], locale: Locale): never {
  const [{ en, es, extra, code }] = problems
  if (code) {
    const { parameter: _, ...members } = extra
    throw new ApiError(code, members)
  }
  const errors = problems.map((one) => {
    const text = one[locale]
    return {
      source: 'schema',
      code: `schema.${one.keyword}`,
      message: `${text.charAt(0).toUpperCase()}${text.slice(1)}.`,
      path: `?${one.extra.parameter}`,
      extra: one.extra,
      severity: 'error',
    }
  })
  throw invalidRequest(en, es, { ...extra, errors })
}

/** Returns the defaults of missing parameters, and the problems of missing required ones. */
function absent(known: Readonly<Record<string, Parameter>>, seen: ReadonlySet<string>) {
  const values: Record<string, Value> = {}
  const problems: Problem[] = []
  for (const [name, { schema, required }] of Object.entries(known)) {
    if (seen.has(name)) continue
    const keywords: Keywords = schema
    if (required) problems.push(missing(name, keywords))
    else if (keywords.default !== undefined) values[name] = keywords.default
  }
  return { values, problems }
}

/** Parses the parameters of a request. Throws `request_validation_error` if any is unknown, repeated or invalid. */
export function readQuery(
  sent: URLSearchParams,
  known: Readonly<Record<string, Parameter>> = {},
  locale: Locale = 'en',
): Readonly<Record<string, Value>> {
  const query: Record<string, Value> = {}
  const problems: Problem[] = []
  const seen = new Set<string>()
  const take = (name: string, text: string): Problem | undefined => {
    const parameter = shown(name)
    const declared = Object.hasOwn(known, name) ? known[name] : undefined
    if (!declared) return unknown(parameter, Object.keys(known))
    if (seen.has(name)) return repeated(parameter)
    const found = read(text, declared.schema)
    if ('expected' in found) return wrong(parameter, text, found.expected, declared)
    query[name] = found.value
    return undefined
  }
  for (const [name, text] of sent) {
    if (problems.length >= MAX_PROBLEMS) break
    const problem = take(name, text)
    if (problem) problems.push(problem)
    seen.add(name)
  }
  const rest = absent(known, seen)
  const [first, ...others] = [...problems, ...rest.problems]
  if (first) refuse([first, ...others], locale)
  return { ...query, ...rest.values }
}

/** Whether all ids in a path are well-formed. */
export const hasValidIds = (params: Readonly<Record<string, string>>): boolean =>
  Object.entries(params).every(([name, value]) => !name.endsWith('_id') || isUuid(value))
