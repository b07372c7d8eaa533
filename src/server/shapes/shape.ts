/** What a body has wrong, in the language of the client: Ajv says it in English only, and not which values there are. */
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { ruleOf } from '../../../rules/index.ts'
import { partsFor } from '../../engine/message-parts.ts'
import {
  type Extra,
  escapeSegment,
  type Locale,
  MAX_ITEMS,
  type ValidationItem,
} from '../../invoice/index.ts'
import { itemOf } from '../../messages/index.ts'
import { type ApiError, invalidRequest } from '../errors/api-error.ts'
import type { Schema, Static } from './kinds.ts'
import { NOT_BLANK } from './kinds.ts'
import { allComponents } from './schemas.ts'

const LONGEST_PATH = 200
const LONGEST_VALUE = 200

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** A value to repeat in an answer: scalars only, and not a megabyte of them. */
const shown = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? typeName(value)
    : typeof value === 'string'
      ? value.slice(0, LONGEST_VALUE)
      : value

/** The keyword as the engine names it, and the values that a program needs to react. */
function findingOf({ keyword, params, data, parentSchema }: ErrorObject): {
  readonly keyword: string
  readonly extra: Extra
} {
  const { limit, type, allowedValues, allowedValue, pattern, missingProperty, additionalProperty } = params
  const size = (data as { readonly length?: number } | null)?.length
  switch (keyword) {
    case 'type':
      return { keyword: 'type', extra: { expected: [type].flat()[0], received: typeName(data) } }
    case 'enum':
      return { keyword: 'enum', extra: { allowed: allowedValues, received: shown(data) } }
    case 'const':
      return { keyword: 'const', extra: { expected: allowedValue, received: shown(data) } }
    case 'required':
      return { keyword: 'required', extra: { missing: missingProperty } }
    case 'additionalProperties':
      return {
        keyword: 'additional_properties',
        extra: { received: shown(additionalProperty), allowed: Object.keys(parentSchema?.properties ?? {}) },
      }
    case 'pattern':
      return pattern === NOT_BLANK
        ? { keyword: 'min_length', extra: { min_length: 1, received: 0 } }
        : { keyword: 'pattern', extra: { expected: pattern, received: shown(data) } }
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems': {
      const name = snakeCase(keyword)
      return { keyword: name, extra: { [name]: limit, received: size } }
    }
    default:
      return { keyword: snakeCase(keyword), extra: { expected: limit ?? null, received: shown(data) } }
  }
}

const snakeCase = (keyword: string): string =>
  keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The fields that there are, after the words of a field that there is not. */
const offered = ({ allowed }: Extra, locale: Locale): string =>
  Array.isArray(allowed) && allowed.length > 0
    ? ` ${locale === 'es' ? 'Campos que existen' : 'Fields here'}: ${allowed.join(', ')}.`
    : ''

/** What is wrong at a place, as an item of the engine: the words of its rule, without the law of an invoice. */
export function shapeItem(keyword: string, path: string, extra: Extra, locale: Locale): ValidationItem {
  const code = `schema.${keyword}`
  const item = { source: 'schema', code, path, extra, severity: 'error' } as const
  const rule = ruleOf(code)
  if (!rule) return itemOf(item, { message: `${path || '/'}: ${keyword}.`, fix: '', law: '' })
  const { message, fix } = partsFor(rule, { path, extra }, locale)
  const fields = keyword === 'additional_properties' ? offered(extra, locale) : ''
  return itemOf(item, { message, fix: `${fix}${fields}`, law: '' })
}

/** Where it is wrong: a member that is unknown or missing is named itself. */
export function pathOf({ instancePath, params }: ErrorObject): string {
  const { additionalProperty, missingProperty, member = additionalProperty ?? missingProperty } = params
  const path = member === undefined ? instancePath : `${instancePath}/${escapeSegment(member)}`
  return path.slice(0, LONGEST_PATH)
}

/** A value that may be null is a choice for Ajv: what it is not, and that it is not null either. */
const isOfChoice = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')

/** The refusal of a request with these items: its sentence is the first of them. */
export function invalidShape(items: readonly ValidationItem[], extra: Extra = {}): ApiError {
  const reason = items[0]?.message.replace(/\.$/, '') ?? ''
  return invalidRequest(reason, reason, { ...extra, errors: items })
}

/** The refusal of a body that has not the shape that its route declares. */
function wrongShape(errors: readonly ErrorObject[], locale: Locale): ApiError {
  const told = errors.filter((error) => !isOfChoice(error))
  const items = (told.length > 0 ? told : errors).slice(0, MAX_ITEMS).map((error) => {
    const { keyword, extra } = findingOf(error)
    return shapeItem(keyword, pathOf(error), extra, locale)
  })
  return invalidShape(items)
}

let ajv: Ajv | undefined

/** Made for the first shape that is compiled: most commands of the administrator compile none. */
function compilerOfShapes(): Ajv {
  if (ajv) return ajv
  ajv = new Ajv({ strict: false, allErrors: true, verbose: true })
  ajv.addSchema({ $id: 'openapi', components: { schemas: allComponents() } })
  return ajv
}

const compiled = new WeakMap<Schema, ValidateFunction>()

/** `#/components/...` inside of a schema leads into the document that holds them all. */
const located = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'))

/** Throws what is wrong with a value that a route takes as it is declared. */
export function requireShape<S extends Schema>(
  value: unknown,
  schema: S,
  locale: Locale,
): asserts value is Static<S> {
  let validate = compiled.get(schema)
  if (!validate) {
    validate = compilerOfShapes().compile(located(schema))
    compiled.set(schema, validate)
  }
  if (!validate(value)) throw wrongShape(validate.errors ?? [], locale)
}
