/**
 * The schema stage: runs the compiled validator of the operation and turns what it reports into findings.
 *
 * Three stages of the pipeline are one pass here, because `draft.json`, `issue.json`, `import.json` and
 * `received.json` are compositions: a computed field (`false` in `input.json`) becomes
 * `inferred_fields_not_allowed`, a missing per-operation field becomes `missing_required_field`, a number or
 * date on a draft becomes `invoice_number_not_allowed` / `issue_date_not_allowed`.
 */
import { formatCodes } from './formats.ts'
import { draftSchema, importSchema, issueSchema, receivedSchema } from './generated/validators.js'
import { type Extra, type Finding, MAX_ITEMS, type Operation } from './item.ts'
import { type Leaf, leafErrors } from './leaf.ts'
import { escapeSegment, valueAt } from './pointer.ts'
import { lookingFor, type SchemaError } from './shape.ts'

const VALIDATORS = { draft: draftSchema, issue: issueSchema, import: importSchema, received: receivedSchema }

/** Fields that only some operations require: the base schema leaves them optional. */
const PER_OPERATION = new Set([
  '/meta/external_ref',
  '/invoice/header/invoice_series_code',
  '/invoice/header/invoice_number',
  '/invoice/issue_data/issue_date',
])

/** Fields that a draft must not carry, and those that only a received invoice has: elsewhere nobody knows them. */
const REFUSED: Readonly<Record<string, string>> = {
  '/invoice/header/invoice_number': 'invoice_number_not_allowed',
  '/invoice/issue_data/issue_date': 'issue_date_not_allowed',
  '/meta/recognition_status': 'schema.additional_properties',
  '/meta/recognition_score': 'schema.additional_properties',
  '/recognition': 'schema.additional_properties',
}

const snakeCase = (keyword: string): string =>
  keyword.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const typeName = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'number' && !Number.isFinite(value)
        ? String(value)
        : typeof value

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** Values to repeat in an answer: scalars only, and not a megabyte of them. */
const received = (value: unknown): unknown =>
  typeof value === 'string' && value.length > 200
    ? `${value.slice(0, 200)}…`
    : value === null || ['string', 'number', 'boolean'].includes(typeof value)
      ? value
      : typeName(value)

function extraOf(error: SchemaError, document: unknown): Extra {
  const value = valueAt(document, error.instancePath)
  const { params } = error
  switch (error.keyword) {
    case 'type':
      return { expected: params.type, received: typeName(value) }
    case 'enum':
      return { allowed: params.allowedValues, received: received(value) }
    case 'const':
      return { expected: params.allowedValue, received: received(value) }
    case 'maxLength':
      return { max_length: params.limit, received: (value as string).length }
    case 'minLength':
      return { min_length: params.limit, received: (value as string).trim().length }
    case 'minItems':
      return { min_items: params.limit, received: (value as readonly unknown[]).length }
    case 'maxItems':
      return { max_items: params.limit, received: (value as readonly unknown[]).length }
    case 'format':
      return { expected: params.format, received: received(value) }
    case 'pattern':
      return { expected: params.pattern, received: received(value) }
    default:
      return { expected: params.limit, received: received(value) }
  }
}

/** A value that is not in a catalog: the catalog's codes where they are few, else its name. */
const listExtra = (catalog: string, value: unknown): Extra => {
  const allowed = formatCodes[catalog]?.()
  return allowed ? { allowed, catalog, received: value } : { catalog, received: value }
}

/** The field that a `oneOf` or `anyOf` of `required` branches is about; the message names them. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  one_of: ['unit_price_without_tax', 'unit_price_with_tax'],
  any_of: ['code', 'name'],
}

/** A member that the schema of an operation refuses whatever its value. */
const isRefusedMember = ({ keyword }: SchemaError): boolean => keyword === 'false schema'

function toFinding(error: SchemaError, document: unknown): Finding {
  const { keyword, instancePath, params } = error
  switch (keyword) {
    case 'false schema': {
      const code = REFUSED[instancePath]
      return code
        ? { code, path: instancePath, extra: { received: received(valueAt(document, instancePath)) } }
        : { code: 'inferred_fields_not_allowed', path: instancePath, extra: { fields: [instancePath] } }
    }
    case 'required': {
      const path = `${instancePath}/${params.missingProperty as string}`
      return PER_OPERATION.has(path)
        ? { code: 'missing_required_field', path, extra: { missing: lastSegment(path) } }
        : { code: 'schema.required', path, extra: { missing: lastSegment(path) } }
    }
    case 'additionalProperties': {
      const name = params.additionalProperty as string
      return {
        code: 'schema.additional_properties',
        path: `${instancePath}/${escapeSegment(name)}`,
        extra: { received: received(name) },
      }
    }
    case 'oneOf':
    case 'anyOf': {
      const code = snakeCase(keyword)
      return { code: `schema.${code}`, path: instancePath, extra: { choices: CHOICES[code] } }
    }
    case 'format':
      if (params.format === 'date') break
      return {
        code: 'schema.enum',
        path: instancePath,
        extra: listExtra(String(params.format), received(valueAt(document, instancePath))),
      }
  }
  return { code: `schema.${snakeCase(keyword)}`, path: instancePath, extra: extraOf(error, document) }
}

/** A refused leaf is reported as one; its value tells which keywords it breaks. */
const spelledOut = (error: SchemaError, document: unknown): readonly SchemaError[] =>
  error.keyword === 'leaf'
    ? leafErrors(error.params.leaf as Leaf, valueAt(document, error.instancePath)).map((leaf) => ({
        ...error,
        ...leaf,
      }))
    : [error]

const pathsOf = (findings: readonly Finding[], codes: readonly string[]): ReadonlySet<string> =>
  new Set(findings.filter(({ code }) => codes.includes(code)).map(({ path }) => path))

/**
 * One problem is said once: a computed field is taken out before the schema looks at what is in it, and a required
 * text of blanks only is missing rather than too short.
 */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const guarded = pathsOf(findings, ['inferred_fields_not_allowed'])
  const missing = pathsOf(findings, ['schema.required', 'missing_required_field'])
  if (guarded.size === 0 && missing.size === 0) return findings
  return findings.filter(
    ({ code, path }) =>
      (code === 'inferred_fields_not_allowed' || !guarded.has(path)) &&
      !(code === 'schema.min_length' && missing.has(path)),
  )
}

/** Paths of the computed fields that a document carries; each part of the schema stops after `most` problems. */
export function inferredFields(document: unknown, operation: Operation, most: number): readonly string[] {
  const validator = VALIDATORS[operation]
  if (lookingFor(most, () => validator(document))) return []
  const paths = (validator.errors ?? [])
    .filter(isRefusedMember)
    .map(({ instancePath }) => instancePath)
    .filter((path) => !REFUSED[path])
  return [...new Set(paths)]
}

/**
 * Findings of the schema stage; empty when the document has the shape that the operation wants. Each part of the schema
 * stops after `most` problems, so that there are a few times as many at the most.
 */
export function checkSchema(
  document: unknown,
  operation: Operation,
  most: number = MAX_ITEMS,
): readonly Finding[] {
  const validator = VALIDATORS[operation]
  if (lookingFor(most, () => validator(document))) return []
  const findings: Finding[] = []
  const seen = new Set<string>()
  for (const error of (validator.errors ?? []).flatMap((reported) => spelledOut(reported, document))) {
    const finding = toFinding(error, document)
    // A variant and the base schema may both name one field: it is one problem.
    if (seen.has(`${finding.code} ${finding.path}`)) continue
    seen.add(`${finding.code} ${finding.path}`)
    findings.push(finding)
  }
  return withoutRepeats(findings)
}
