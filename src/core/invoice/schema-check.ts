/**
 * The schema stage: runs the compiled validator of the operation and converts its errors into findings.
 *
 * It covers three stages of the pipeline in one pass, because `draft.json`, `issue.json`, `import.json` and
 * `received.json` include the schemas of these stages. A computed field (`false` in `input.json`) becomes
 * `inferred_fields_not_allowed`. A missing field of the operation becomes `missing_required_field`. A number or date on
 * a draft becomes `invoice_number_not_allowed` or `issue_date_not_allowed`.
 */
import { isBlank } from './blank.ts'
import { invalidCharacterOf } from './characters.ts'
import type { CanonicalInvoice } from './generated/types.ts'
import { draftSchema, importSchema, issueSchema, receivedSchema } from './generated/validators.js'
import { type Extra, type Finding, MAX_ITEMS, type Operation } from './item.ts'
import { suggestedFields } from './near.ts'
import { escapeSegment, valueAt } from './pointer.ts'
import { withoutUndefined } from './present.ts'
import { oneLineMembers, runValidator, type SchemaError } from './shape.ts'
import { formatCodes } from './text-formats.ts'

const VALIDATORS = { draft: draftSchema, issue: issueSchema, import: importSchema, received: receivedSchema }

/** Paths of fields that only some operations require, and that are therefore optional in the base schema. */
const PER_OPERATION = new Set([
  '/meta/external_ref',
  '/invoice/header/invoice_series_code',
  '/invoice/header/invoice_number',
  '/invoice/issue_data/issue_date',
])

/** Codes for the fields that a draft must not have, and for the fields that only received invoices have. */
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

/** Returns a short form of a value for a message: a scalar, truncated if long, or the name of the type. */
export const shownValue = (value: unknown): unknown =>
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
      return { allowed: params.limit, received: shownValue(value) }
    case 'maxLength':
    case 'minLength':
    case 'minItems':
    case 'maxItems':
      return {
        [snakeCase(error.keyword)]: params.limit,
        received: (value as { readonly length: number }).length,
      }
    default:
      return { expected: params.limit, received: shownValue(value) }
  }
}

/** The fields named in the message of a `oneOf` or `anyOf` of `required` branches. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  one_of: ['unit_price_without_tax', 'unit_price_with_tax'],
  any_of: ['code', 'name'],
}

/** Whether the schema of the operation refuses the member regardless of its value. */
const isRefusedMember = ({ keyword }: SchemaError): boolean => keyword === 'false schema'

function toFinding(error: SchemaError, document: unknown): Finding {
  const { keyword, instancePath, params } = error
  switch (keyword) {
    case 'false schema': {
      const code = REFUSED[instancePath]
      return code
        ? { code, path: instancePath, extra: { received: shownValue(valueAt(document, instancePath)) } }
        : { code: 'inferred_fields_not_allowed', path: instancePath, extra: { fields: [instancePath] } }
    }
    case 'required': {
      const { missingProperty: missing, ...members } = params
      const path = `${instancePath}/${missing as string}`
      const code = PER_OPERATION.has(path) ? 'missing_required_field' : 'schema.required'
      return { code, path, extra: { missing, ...members } }
    }
    case 'additionalProperties': {
      const name = params.additionalProperty as string
      const similar = suggestedFields(name, params.known as readonly string[], instancePath)
      return {
        code: 'schema.additional_properties',
        path: `${instancePath}/${escapeSegment(name)}`,
        extra: { received: shownValue(name), ...(similar.length > 0 && { similar }) },
      }
    }
    case 'oneOf':
    case 'anyOf': {
      const code = snakeCase(keyword)
      return { code: `schema.${code}`, path: instancePath, extra: { choices: CHOICES[code] } }
    }
    case 'format': {
      const catalog = params.limit as string
      if (catalog === 'date') break
      const path = instancePath
      const value = valueAt(document, path) as string
      if (catalog === 'line' || catalog === 'text')
        return isBlank(value)
          ? { code: 'schema.min_length', path, extra: { min_length: 1, received: 0 } }
          : { code: 'schema.pattern', path, extra: invalidCharacterOf(value, catalog) }
      const allowed = formatCodes[catalog]?.()
      return {
        code: 'schema.enum',
        path,
        extra: { ...(allowed && { allowed }), catalog, received: shownValue(value) },
      }
    }
  }
  return { code: `schema.${snakeCase(keyword)}`, path: instancePath, extra: extraOf(error, document) }
}

const pathsOf = (findings: readonly Finding[], codes: readonly string[]): ReadonlySet<string> =>
  new Set(findings.filter(({ code }) => codes.includes(code)).map(({ path }) => path))

const MISSING = ['schema.required', 'missing_required_field']
const NOT_ALLOWED = ['inferred_fields_not_allowed', 'invoice_number_not_allowed', 'issue_date_not_allowed']

/**
 * Removes redundant findings: those about a field that the client must remove anyway, and those about a
 * required value that consists of blanks, which is already reported as missing.
 */
function withoutRepeats(findings: readonly Finding[]): readonly Finding[] {
  const guarded = pathsOf(findings, NOT_ALLOWED)
  const missing = pathsOf(findings, MISSING)
  if (guarded.size === 0 && missing.size === 0) return findings
  return findings.filter(
    ({ code, path }) =>
      (NOT_ALLOWED.includes(code) || !guarded.has(path)) && (MISSING.includes(code) || !missing.has(path)),
  )
}

/** Returns the paths of computed fields in a document. Each part of the schema stops after `maxProblems` problems. */
export function computedFieldsIn(
  document: unknown,
  operation: Operation,
  maxProblems: number,
): readonly string[] {
  const validator = VALIDATORS[operation]
  if (runValidator(validator, document, maxProblems).accepts) return []
  const paths = (validator.errors ?? [])
    .filter(isRefusedMember)
    .map(({ instancePath }) => instancePath)
    .filter((path) => !REFUSED[path])
  return [...new Set(paths)]
}

const trim = (line: string): string => line.trim()

/**
 * Returns a copy of a document without undefined members and with each text of one line changed by `change`. The block
 * `recognition` is kept unchanged, because it may have any depth.
 */
function withLines<D extends { readonly meta: object; readonly invoice: object }>(
  document: D,
  change: (line: string) => string,
): D {
  const copy = <T>(part: T, name = ''): T =>
    Array.isArray(part)
      ? (part.map((entry) => copy(entry)) as T)
      : part && typeof part === 'object'
        ? (withoutUndefined(part as object, copy) as T)
        : typeof part === 'string' && oneLineMembers.has(name)
          ? (change(part) as T)
          : part
  return { ...document, meta: copy(document.meta), invoice: copy(document.invoice) }
}

/** Returns a copy of a document with one blank in place of each run of white space in one-line texts. */
export const collapseLines = <D extends { readonly meta: object; readonly invoice: object }>(
  document: D,
): D => withLines(document, (line) => line.trim().replace(/\s+/g, ' '))

/** Returns a copy of a document with one blank in place of line breaks and tabs in one-line texts. */
export const removeLineBreaks = <D extends { readonly meta: object; readonly invoice: object }>(
  document: D,
): D =>
  withLines(document, (line) =>
    line
      .split(/[\t-\r\u2028\u2029]/)
      .map(trim)
      .filter((part) => part !== '')
      .join(' '),
  )

/**
 * The result of the schema stage. If there are no findings, `accepted` is the document without undefined members and
 * with its lines trimmed.
 */
export type SchemaResult =
  | { readonly accepted: CanonicalInvoice; readonly findings?: never }
  | { readonly accepted?: never; readonly findings: readonly Finding[] }

/**
 * Checks a document with the schema of the operation. A text of one line may have blanks around it. Each part of the
 * schema stops after `maxProblems` problems, so the total may be a small multiple of `maxProblems`.
 */
export function checkSchema(
  document: unknown,
  operation: Operation,
  maxProblems: number = MAX_ITEMS,
): SchemaResult {
  const validator = VALIDATORS[operation]
  const { accepts, needsCopy } = runValidator(validator, document, maxProblems)
  const accepted = document as CanonicalInvoice
  if (accepts) return { accepted: needsCopy ? withLines(accepted, trim) : accepted }
  const findings: Finding[] = []
  const seen = new Set<string>()
  for (const error of validator.errors ?? []) {
    const finding = toFinding(error, document)
    // The schema of the operation and the base schema may both report a field; it is listed once.
    if (seen.has(`${finding.code} ${finding.path}`)) continue
    seen.add(`${finding.code} ${finding.path}`)
    findings.push(finding)
  }
  return { findings: withoutRepeats(findings) }
}
