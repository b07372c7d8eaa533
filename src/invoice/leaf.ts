/** Leaves of the schemas: the constraints of one number, text or boolean. */
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

/** Returns the broken keywords of a value, if any. */
export type Leaf = (value: unknown) => readonly LeafError[]

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

const NONE: readonly LeafError[] = []

/** Creates the check of a leaf. */
export function makeLeaf(schema: LeafSchema): Leaf {
  const { type, format, pattern, notBlank, enum: allowedValues } = schema
  const shape = pattern === undefined ? null : new RegExp(pattern, 'u')
  const isFormat = format === undefined ? null : formats[format as keyof typeof formats]
  const isType = (value: unknown): boolean =>
    type === 'integer'
      ? Number.isInteger(value)
      : type === 'number'
        ? Number.isFinite(value)
        : typeof value === type
  const broken = (keyword: string, params: LeafError['params']): LeafError[] => [{ keyword, params }]
  const limited = (keyword: keyof LeafSchema, wrong: (limit: number) => boolean): readonly LeafError[] => {
    const limit = schema[keyword]
    return typeof limit === 'number' && wrong(limit) ? broken(keyword, { limit }) : NONE
  }
  const ofNumber = (value: number): readonly LeafError[] => [
    ...limited('minimum', (limit) => value < limit),
    ...limited('maximum', (limit) => value > limit),
    ...limited('exclusiveMinimum', (limit) => value <= limit),
    ...limited('exclusiveMaximum', (limit) => value >= limit),
  ]
  const ofText = (value: string): readonly LeafError[] => [
    ...limited('minLength', (limit) => value.length < limit),
    ...limited('maxLength', (limit) => longerThan(value, limit)),
    ...(notBlank && isBlank(value) ? broken('minLength', { limit: 1 }) : NONE),
    ...(isFormat?.(value) === false ? broken('format', { format }) : NONE),
    ...(allowedValues?.includes(value) === false ? broken('enum', { allowedValues }) : NONE),
    ...(shape?.test(value) === false ? broken('pattern', { pattern }) : NONE),
  ]
  return (value) => {
    if (schema.const !== undefined)
      return value === schema.const ? NONE : broken('const', { allowedValue: schema.const })
    if (!isType(value)) return broken('type', { type })
    return typeof value === 'number' ? ofNumber(value) : typeof value === 'string' ? ofText(value) : NONE
  }
}
