/**
 * Builders of shapes. A shape is a JSON Schema (2020-12) that carries the type of its values: `Static<typeof Shape>`.
 * TypeBox derives the type. These functions write schemas in the style of the OpenAPI document.
 */
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import common from '#schemas/common.json'

export type { Static, TProperties as Properties, TSchema as Schema } from 'typebox'

/** Patterns of texts with one line and with several lines, as in invoices. */
export const PATTERNS = { line: common.$defs.code.pattern, text: common.$defs.text.pattern } as const

export const textOf = Type.String
export const text = Type.String()
export const singleLineText = Type.String({ pattern: PATTERNS.line })
/** Returns the schema of a required text of one line. */
export const requiredLine = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: PATTERNS.line })
export const flag = Type.Boolean()
export const number = Type.Number()
export const integer = Type.Integer()
export const date = Type.String({ format: 'date' })
export const stamp = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$',
  description: 'Timestamp in ISO 8601: UTC, without a time zone.',
})
export const uuid = Type.String({ format: 'uuid' })
/** An object with any members. */
export const anyObject = Type.Unsafe<object>({ type: 'object', additionalProperties: true })

export const oneOf = <const V extends string>(...values: readonly V[]) =>
  Type.Unsafe<V>({ type: 'string', enum: values })

export const constant = <const V extends string>(value: V) => Type.Unsafe<V>({ const: value })

export const listOf = <S extends TSchema>(items: S, limits: object = {}) =>
  Type.Unsafe<readonly Static<S>[]>({ type: 'array', ...limits, items })

export const either = <S extends TSchema>(schema: S) =>
  Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] })

/** Returns a schema that also allows null. If the schema has a `type`, null is added to it. */
export const nullable = <S extends TSchema>(schema: S) =>
  'type' in schema && !('enum' in schema)
    ? Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] })
    : either(schema)

export const optional = Type.Optional
/** Returns a schema with the given type of values. */
export const shaped = Type.Unsafe

/** Returns an object with exactly these members. Optional members may be missing. */
export const object = <P extends TProperties>(properties: P) => {
  const { type, required = [] } = Type.Object(properties)
  return Type.Unsafe<Readonly<Static<TObject<P>>>>({
    type,
    additionalProperties: false,
    required,
    properties,
  })
}

export const page = <S extends TSchema>(item: S) =>
  object({ items: listOf(item), total: integer, limit: integer, offset: integer })
