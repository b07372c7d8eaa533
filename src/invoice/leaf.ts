/**
 * Leaves of the schemas: the constraints of one number, text or boolean. The compiled validators call `leaf(value)`.
 * The broken keywords are determined only if the call returns false.
 */
import { isBlank } from './blank.ts'
import { formats } from './formats.ts'

export interface LeafSchema {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  /**
   * Refuses texts that consist only of blanks. The schemas use a pattern for this, which would be slow on every text.
   */
  readonly notBlank?: true
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

export interface Leaf {
  (value: unknown): boolean
  readonly schema: LeafSchema
}

/** A problem of one keyword, in the form of the compiled validators. */
export interface LeafError {
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Whether a text has more characters (code points, as in JSON Schema) than the limit. A text never has more characters
 * than code units.
 */
const longerThan = (text: string, limit: number): boolean => text.length > limit && [...text].length > limit

const isFormat = (name: string, text: string): boolean => formats[name as keyof typeof formats](text)

/** Creates the check of a leaf. */
export function makeLeaf(schema: LeafSchema): Leaf {
  const { type, format, pattern } = schema
  const max = schema.maxLength ?? Number.POSITIVE_INFINITY
  const min = schema.minLength ?? 0
  const notBlank = schema.notBlank === true
  const low = schema.minimum ?? Number.NEGATIVE_INFINITY
  const high = schema.maximum ?? Number.POSITIVE_INFINITY
  const above = schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY
  const below = schema.exclusiveMaximum ?? Number.POSITIVE_INFINITY
  const allowed = schema.enum ? new Set(schema.enum) : null
  const shape = pattern === undefined ? null : new RegExp(pattern, 'u')
  const check = format === undefined ? null : formats[format as keyof typeof formats]
  const test =
    schema.const !== undefined
      ? (value: unknown) => value === schema.const
      : type === 'boolean'
        ? (value: unknown) => typeof value === 'boolean'
        : type === 'string'
          ? (value: unknown) =>
              typeof value === 'string' &&
              value.length >= min &&
              !(value.length > max && longerThan(value, max)) &&
              !(notBlank && isBlank(value)) &&
              (allowed === null || allowed.has(value)) &&
              (check === null || check(value)) &&
              (shape === null || shape.test(value))
          : (value: unknown) =>
              typeof value === 'number' &&
              value >= low &&
              value <= high &&
              value > above &&
              value < below &&
              (type !== 'integer' || Number.isInteger(value))
  return Object.assign(test, { schema })
}

/** Returns the problems of a value that its leaf refused: a wrong type, or every broken keyword. */
export function leafErrors({ schema }: Leaf, value: unknown): LeafError[] {
  const { type } = schema
  if (schema.const !== undefined) return [{ keyword: 'const', params: { allowedValue: schema.const } }]
  const fits =
    type === 'integer'
      ? Number.isInteger(value)
      : type === 'number'
        ? Number.isFinite(value)
        : typeof value === type
  if (!fits) return [{ keyword: 'type', params: { type } }]
  const errors: LeafError[] = []
  const report = (keyword: keyof LeafSchema, wrong: (limit: number) => boolean) => {
    const limit = schema[keyword]
    if (typeof limit === 'number' && wrong(limit)) errors.push({ keyword, params: { limit } })
  }
  if (typeof value === 'number') {
    report('minimum', (limit) => value < limit)
    report('maximum', (limit) => value > limit)
    report('exclusiveMinimum', (limit) => value <= limit)
    report('exclusiveMaximum', (limit) => value >= limit)
  } else if (typeof value === 'string') {
    report('minLength', (limit) => value.length < limit)
    report('maxLength', (limit) => longerThan(value, limit))
    errors.push(...textErrors(schema, value))
  }
  return errors
}

/** Returns the problems of a text other than its length. */
function textErrors(
  { format, pattern, notBlank, enum: allowedValues }: LeafSchema,
  value: string,
): LeafError[] {
  const errors: LeafError[] = []
  if (notBlank && isBlank(value)) errors.push({ keyword: 'minLength', params: { limit: 1 } })
  if (format !== undefined && !isFormat(format, value)) errors.push({ keyword: 'format', params: { format } })
  if (allowedValues?.includes(value) === false) errors.push({ keyword: 'enum', params: { allowedValues } })
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    errors.push({ keyword: 'pattern', params: { pattern } })
  return errors
}
