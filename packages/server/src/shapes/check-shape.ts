/**
 * Validates bodies against their shapes, and reports problems in the client's language. Ajv itself reports them only in
 * English and without the allowed values.
 */
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { isBlank } from '#core/invoice/blank.ts'
import { invalidCharacterOf } from '#core/invoice/characters.ts'
import { type Extra, type Locale, MAX_ITEMS, type ValidationItem } from '#core/invoice/index.ts'
import { suggestedFields } from '#core/invoice/near.ts'
import { escapeSegment } from '#core/invoice/pointer.ts'
import { itemOf } from '#core/messages/index.ts'
import { partsFor } from '#engine/examine/index.ts'
import { ruleOf } from '#rules/index.ts'
import { type ApiError, invalidRequest } from '../errors/api-error.ts'
import type { Schema, Static } from './builders.ts'
import { PATTERNS } from './builders.ts'
import { allComponents } from './schemas.ts'

const LONGEST_PATH = 200
const LONGEST_VALUE = 200

const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Returns a received value in a form that a response can repeat: a short scalar, or the type of an object or list. */
const shown = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? typeName(value)
    : typeof value === 'string'
      ? value.slice(0, LONGEST_VALUE)
      : value

/** Returns the keyword that the engine uses for a problem, and the values that a program needs. */
export function keywordAndValuesOf({ keyword, params, data, parentSchema }: ErrorObject): {
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
    case 'additionalProperties': {
      const allowed = Object.keys(parentSchema?.properties ?? {})
      const similar = suggestedFields(String(additionalProperty), allowed)
      return {
        keyword: 'additional_properties',
        extra: { received: shown(additionalProperty), ...(similar.length > 0 && { similar }), allowed },
      }
    }
    case 'pattern':
      if (pattern !== PATTERNS.line && pattern !== PATTERNS.text)
        return { keyword: 'pattern', extra: { expected: pattern, received: shown(data) } }
      return isBlank(data as string)
        ? { keyword: 'min_length', extra: { min_length: 1, received: 0 } }
        : {
            keyword: 'pattern',
            extra: invalidCharacterOf(data as string, pattern === PATTERNS.line ? 'line' : 'text'),
          }
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

/** Returns the instruction for an unknown field. It contains similar fields, if any, and the list of known fields. */
function fixOfUnknown(fix: string, { similar, allowed }: Extra, locale: Locale): string {
  const es = locale === 'es'
  const first = similar ? fix : es ? 'Corrija su nombre o quítelo.' : 'Correct its name or remove it.'
  return Array.isArray(allowed) && allowed.length > 0
    ? `${first} ${es ? 'Campos que existen' : 'Fields here'}: ${allowed.join(', ')}.`
    : first
}

/** Builds a validation item with the message of the engine's rule, but without the legal basis of the rule. */
export function shapeItem(keyword: string, path: string, extra: Extra, locale: Locale): ValidationItem {
  const code = `schema.${keyword}`
  const item = { source: 'schema', code, path, extra, severity: 'error' } as const
  const rule = ruleOf(code)
  if (!rule) return itemOf(item, { message: `${path || '/'}: ${keyword}.`, fix: '', law: '' })
  const { message, fix } = partsFor(rule, { path, extra }, locale)
  return itemOf(item, {
    message,
    fix: keyword === 'additional_properties' ? fixOfUnknown(fix, extra, locale) : fix,
    law: '',
  })
}

/** Returns the path of a problem, including the name of an unknown or missing member. */
export function pathOf({ instancePath, params }: ErrorObject): string {
  const { additionalProperty, missingProperty, member = additionalProperty ?? missingProperty } = params
  const path = member === undefined ? instancePath : `${instancePath}/${escapeSegment(member)}`
  return path.slice(0, LONGEST_PATH)
}

/**
 * Whether an error only repeats another error. If a nullable value is invalid, Ajv also reports that it is not null,
 * and that it matches none of the alternatives.
 */
const isOfChoice = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'anyOf' || (keyword === 'type' && params.type === 'null')

/** Returns the error for a request with these items. Its message is that of the first item. */
export function invalidShape(items: readonly ValidationItem[], extra: Extra = {}): ApiError {
  const reason = items[0]?.message.replace(/\.$/, '') ?? ''
  return invalidRequest(reason, reason, { ...extra, errors: items })
}

/** Returns the error for a body that does not match the schema of its route. */
function wrongShape(errors: readonly ErrorObject[], locale: Locale): ApiError {
  const reported = errors.filter((error) => !isOfChoice(error))
  const items = (reported.length > 0 ? reported : errors).slice(0, MAX_ITEMS).map((error) => {
    const { keyword, extra } = keywordAndValuesOf(error)
    return shapeItem(keyword, pathOf(error), extra, locale)
  })
  return invalidShape(items)
}

/** Options for schemas that a test already validates. Validating them again would slow down every start. */
export const TRUSTED_SCHEMAS = { meta: false, validateSchema: false } as const

let ajv: Ajv | undefined

/** Returns the schema compiler. It is created on the first call, since most administrators' commands do not need it. */
function compilerOfShapes(): Ajv {
  if (ajv) return ajv
  ajv = new Ajv({ strict: false, allErrors: true, verbose: true, validateFormats: false, ...TRUSTED_SCHEMAS })
  ajv.addSchema({ $id: 'openapi', components: { schemas: allComponents() } })
  return ajv
}

const compiled = new WeakMap<Schema, ValidateFunction>()

/** Makes references to `#/components/...` absolute. */
const located = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/'))

/** Requires that a value matches a schema. Throws the error for the client if it does not. */
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
