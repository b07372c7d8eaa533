/** What a body has wrong, in the language of the client: Ajv says it in English only, and not which values there are. */
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { escapeSegment, type Locale, MAX_ITEMS, type Text } from '../../invoice/index.ts'
import { type ApiError, invalidRequest } from '../errors/api-error.ts'
import type { Schema, Static } from './kinds.ts'
import { NOT_BLANK } from './patterns.ts'
import { allComponents } from './schemas.ts'

const LONGEST_PATH = 200

const KINDS: Readonly<Record<string, Text>> = {
  string: { en: 'a text', es: 'un texto' },
  number: { en: 'a number', es: 'un número' },
  integer: { en: 'a whole number', es: 'un número entero' },
  boolean: { en: 'true or false', es: 'true o false' },
  object: { en: 'an object', es: 'un objeto' },
  array: { en: 'a list', es: 'una lista' },
  null: { en: 'null', es: 'null' },
}

/** Members of `params` that the words are made with. */
interface Params {
  readonly type?: string | readonly string[]
  readonly allowedValues?: readonly unknown[]
  readonly limit?: number
  readonly comparison?: string
  readonly pattern?: string
}

const kinds = (type: Params['type'], locale: Locale): string =>
  [type ?? []]
    .flat()
    .map((one) => KINDS[one]?.[locale] ?? one)
    .join(locale === 'es' ? ' o ' : ' or ')

function wordsOf({ keyword, params, message = '' }: ErrorObject, locale: Locale): string {
  const { type, allowedValues = [], limit = 0, comparison = '', pattern = '' } = params as Params
  const words: Readonly<Record<string, Text>> = {
    type: { en: `must be ${kinds(type, 'en')}`, es: `debe ser ${kinds(type, 'es')}` },
    enum: {
      en: `is none of ${allowedValues.join(', ')}`,
      es: `no es ninguno de ${allowedValues.join(', ')}`,
    },
    additionalProperties: {
      en: 'is no field of this operation: leave it out',
      es: 'no es un campo de esta operación: no lo envíe',
    },
    required: { en: 'is missing', es: 'falta' },
    pattern:
      pattern === NOT_BLANK
        ? { en: 'is blank', es: 'está en blanco' }
        : { en: `does not fit ${pattern}`, es: `no se ajusta a ${pattern}` },
    minLength: {
      en: limit === 1 ? 'is empty' : `has fewer than ${limit} characters`,
      es: limit === 1 ? 'está vacío' : `tiene menos de ${limit} caracteres`,
    },
    maxLength: { en: `has more than ${limit} characters`, es: `tiene más de ${limit} caracteres` },
    minItems: {
      en: limit === 1 ? 'is empty' : `has fewer than ${limit} entries`,
      es: limit === 1 ? 'está vacía' : `tiene menos de ${limit} elementos`,
    },
    maxItems: { en: `has more than ${limit} entries`, es: `tiene más de ${limit} elementos` },
    minimum: { en: `must be ${comparison} ${limit}`, es: `debe ser ${comparison} ${limit}` },
    maximum: { en: `must be ${comparison} ${limit}`, es: `debe ser ${comparison} ${limit}` },
  }
  return words[keyword]?.[locale] ?? message
}

/** Where it is wrong: a member that is unknown or missing is named itself. */
export function pathOf({ instancePath, params }: ErrorObject): string {
  const { additionalProperty, missingProperty, member = additionalProperty ?? missingProperty } = params
  const path = member === undefined ? instancePath : `${instancePath}/${escapeSegment(member)}`
  return path.slice(0, LONGEST_PATH)
}

/** A value that may be null is a choice for Ajv: what it is not, and that it is not null either. */
const isOfChoice = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'anyOf' || (keyword === 'type' && (params as Params).type === 'null')

/** The refusal of a body that has not the shape that its route declares. */
export function wrongShape(errors: readonly ErrorObject[], locale: Locale): ApiError {
  const told = errors.filter((error) => !isOfChoice(error))
  const fields = (told.length > 0 ? told : errors).slice(0, MAX_ITEMS).map((error) => ({
    path: pathOf(error),
    code: error.keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    message: wordsOf(error, locale),
  }))
  const [first] = fields
  const reason = first ? `${first.path || '/'} ${first.message}` : ''
  return invalidRequest(reason, reason, { errors: fields })
}

let ajv: Ajv | undefined

/** Made for the first shape that is compiled: most commands of the administrator compile none. */
function compilerOfShapes(): Ajv {
  if (ajv) return ajv
  ajv = new Ajv({ strict: false, allErrors: true })
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
