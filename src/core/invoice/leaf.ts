/** Leaves of the schemas: the constraints of one number, text or boolean. */
import { formats } from './text-formats.ts'

export interface LeafSchema {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  /** `line` or `text` (both refuse texts of blanks only), a date, or a code of a catalog. */
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

/** Function that returns the keywords that a value violates. */
export type Leaf = (value: unknown) => readonly LeafError[]

/** A violation of one keyword, in the form of the compiled validators. */
export interface LeafError {
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Whether a text has more characters (code points, as in JSON Schema) than the limit. Code units are compared first,
 * because a text never has fewer code units than characters.
 */
const longerThan = (text: string, limit: number): boolean => text.length > limit && [...text].length > limit

const NONE: readonly LeafError[] = []

/** Functions that test whether a value violates a keyword. */
const BREAKS = {
  minimum: (value: number, limit: number) => value < limit,
  maximum: (value: number, limit: number) => value > limit,
  exclusiveMinimum: (value: number, limit: number) => value <= limit,
  exclusiveMaximum: (value: number, limit: number) => value >= limit,
  minLength: (value: string, limit: number) => value.length < limit,
  maxLength: longerThan,
  format: (value: string, name: keyof typeof formats) => !formats[name](value),
  enum: (value: unknown, allowed: readonly unknown[]) => !allowed.includes(value),
  pattern: (value: string, pattern: string) => !new RegExp(pattern, 'u').test(value),
} as const

interface Check extends LeafError {
  readonly isBroken: (value: never, limit: never) => boolean
}

/** Returns the checks of the keywords that the schema has. */
const checksOf = (schema: LeafSchema): readonly Check[] =>
  (Object.keys(BREAKS) as (keyof typeof BREAKS)[]).flatMap((keyword) => {
    const limit = schema[keyword]
    return limit === undefined ? [] : { keyword, params: { limit }, isBroken: BREAKS[keyword] }
  })

/** Creates the check of a leaf. */
export function makeLeaf(schema: LeafSchema): Leaf {
  const { type } = schema
  const checks = checksOf(schema)
  const isType = (value: unknown): boolean =>
    type === 'integer'
      ? Number.isInteger(value)
      : type === 'number'
        ? Number.isFinite(value)
        : typeof value === type
  return (value) => {
    if (schema.const !== undefined)
      return value === schema.const ? NONE : [{ keyword: 'const', params: { limit: schema.const } }]
    if (!isType(value)) return [{ keyword: 'type', params: { type } }]
    let errors = NONE
    for (const { keyword, params, isBroken } of checks)
      if (isBroken(value as never, params.limit as never)) errors = [...errors, { keyword, params }]
    return errors
  }
}
