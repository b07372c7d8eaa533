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

/** Whether a value breaks the limit of a keyword. */
const BREAKS = {
  minimum: (value: number, limit: number) => value < limit,
  maximum: (value: number, limit: number) => value > limit,
  exclusiveMinimum: (value: number, limit: number) => value <= limit,
  exclusiveMaximum: (value: number, limit: number) => value >= limit,
  minLength: (value: string, limit: number) => value.length < limit,
  maxLength: longerThan,
} as const

interface Check extends LeafError {
  readonly isBroken: (value: never) => boolean
}

/** Returns the checks of the keywords that the schema has. */
function checksOf(schema: LeafSchema): readonly Check[] {
  const { format, pattern, notBlank, enum: allowedValues } = schema
  const checks: Check[] = []
  for (const keyword of Object.keys(BREAKS) as (keyof typeof BREAKS)[]) {
    const limit = schema[keyword]
    if (limit === undefined) continue
    const isBroken: (value: never, limit: number) => boolean = BREAKS[keyword]
    checks.push({ keyword, params: { limit }, isBroken: (value) => isBroken(value, limit) })
  }
  if (notBlank) checks.push({ keyword: 'minLength', params: { limit: 1 }, isBroken: isBlank })
  if (format !== undefined) {
    const isFormat = formats[format as keyof typeof formats]
    checks.push({ keyword: 'format', params: { format }, isBroken: (value) => !isFormat(value) })
  }
  if (allowedValues) {
    const allowed = new Set(allowedValues)
    checks.push({ keyword: 'enum', params: { allowedValues }, isBroken: (value) => !allowed.has(value) })
  }
  if (pattern !== undefined) {
    const shape = new RegExp(pattern, 'u')
    checks.push({ keyword: 'pattern', params: { pattern }, isBroken: (value) => !shape.test(value) })
  }
  return checks
}

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
      return value === schema.const ? NONE : [{ keyword: 'const', params: { allowedValue: schema.const } }]
    if (!isType(value)) return [{ keyword: 'type', params: { type } }]
    let errors = NONE
    for (const { keyword, params, isBroken } of checks)
      if (isBroken(value as never)) errors = [...errors, { keyword, params }]
    return errors
  }
}
