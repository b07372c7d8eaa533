/** Reads `company.json`: validates it, fills in defaults, and merges patches. */
import type { SchemaValidateFunction } from 'ajv'
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { subdivisionByPostCode, subdivisionOf } from '#core/catalogs/index.ts'
import { CuadraError } from '#core/errors/index.ts'
import { checkTaxId } from '#core/identifiers/index.ts'
import { isDate } from '#core/invoice/date.ts'
import { PATTERNS } from '../../shapes/builders.ts'
import { keywordAndValuesOf, pathOf, TRUSTED_SCHEMAS } from '../../shapes/check-shape.ts'
import { type Check, COMPANY_FILE, type CompanyData, type CompanyFile, isMembers } from './company-shape.ts'

/** Returns the error with the problems of a `company.json`, one line per member. */
const invalidFile = (problems: readonly string[]): CuadraError => new CuadraError(problems.join('\n'))

/** The schema keywords used here. */
interface Keywords {
  readonly properties?: Readonly<Record<string, Keywords>>
  readonly required?: readonly string[]
  readonly items?: Keywords
  readonly pattern?: string
  readonly default?: unknown
  readonly fix?: string
}

/** Returns a value with its members in schema order, defaults for omitted members, and trimmed one-line texts. */
function completed({ properties, items = {}, pattern }: Keywords, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => completed(items, one))
  if (pattern === PATTERNS.line && typeof value === 'string') return value.trim()
  if (!properties || !isMembers(value)) return value
  const stated = Object.entries(properties).flatMap(([member, shape]) => {
    const one = value[member] ?? shape.default
    return one === undefined ? [] : [[member, completed(shape, one)] as const]
  })
  const unknown = Object.entries(value).filter(([member]) => !Object.hasOwn(properties, member))
  return Object.fromEntries([...stated, ...unknown])
}

function messageFor(error: ErrorObject) {
  const { keyword, params, message = '', parentSchema: { properties = {}, fix } = {} } = error
  const { character, position } = keywordAndValuesOf(error).extra
  if (character !== undefined) return `contains the character ${character} at position ${position}: remove it`
  const messageText: Readonly<Record<string, string>> = {
    additionalProperties: `unknown field. Use one of: ${Object.keys(properties).join(', ')}`,
    required: `is missing: ${properties[params.missingProperty]?.fix}`,
    maxLength: `has more than ${params.limit} characters`,
    holds: message,
  }
  return messageText[keyword] ?? fix
}

/** Returns one line per member: the problem and the instruction. */
const problemsOf = (errors: readonly ErrorObject[]): readonly string[] => [
  ...new Set(errors.map((error) => `${pathOf(error).slice(1)}: ${messageFor(error)}.`)),
]

/** Runs the checks of a schema, unless the value is empty or has the wrong type. */
const holds: SchemaValidateFunction = (checks: readonly Check[], value: unknown, shape) => {
  const kind = Array.isArray(value) ? 'array' : typeof value
  const isOfKind = value !== null && String(value).trim() !== '' && [shape?.type].flat().includes(kind)
  const found = (isOfKind ? checks : [])
    .map((check) => check(value as never))
    .filter((one) => one !== undefined)
  holds.errors = found.map(([member, message]) => ({
    keyword: 'holds',
    message,
    params: { member: member || undefined },
  }))
  return found.length === 0
}

let validate: ValidateFunction<CompanyFile> | undefined

/** Throws one error that lists all problems of a file. */
function requireValid(data: unknown): asserts data is CompanyFile {
  validate ??= new Ajv({
    strict: false,
    allErrors: true,
    verbose: true,
    formats: { date: isDate },
    ...TRUSTED_SCHEMAS,
  })
    .addKeyword({ keyword: 'holds', errors: true, validate: holds })
    .compile<CompanyFile>(COMPANY_FILE)
  if (!validate(data)) throw invalidFile(problemsOf(validate.errors ?? []))
}

/**
 * Validates a `company.json` and fills in omitted members. Throws an error that lists all problems.
 *
 * For example, `{ address: { province_code: '28' } }` becomes `province_code: 'ES-M'` with `province_id: 28`.
 */
export function readCompany(file: unknown): CompanyData {
  if (!isMembers(file)) throw new CuadraError('The file is not a JSON object.')
  const data = completed(COMPANY_FILE, file)
  requireValid(data)
  const { address, sii } = data
  const { post_code, province_code } = address
  const province =
    province_code === null ? subdivisionByPostCode(post_code ?? '') : subdivisionOf(province_code)
  // Periods without an id are new and get the next one.
  let last = Math.max(0, ...sii.enrollment_periods.map(({ id = 0 }) => id))
  return {
    ...data,
    tax_id: checkTaxId(data.tax_id, 'ES').normalized,
    name: data.name ?? data.legal_name,
    address: { ...address, province_code: province?.code ?? null, province_id: province?.ine ?? null },
    features: [...new Set(data.features)],
    sii: {
      ...sii,
      enrollment_periods: sii.enrollment_periods.map(({ id, ...period }) => ({
        id: id ?? ++last,
        ...period,
      })),
    },
  }
}

/** Merges objects member by member and replaces all other values; `null` restores the default (RFC 7396). */
function merged(target: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch
  const result = new Map(isMembers(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch))
    if (value === null) result.delete(name)
    else result.set(name, merged(result.get(name), value))
  return Object.fromEntries(result)
}

/** Returns a `company.json` that results in this company when it is read. */
export function companyFileOf({
  address: { province_id: _, ...address },
  first_address: __,
  ...data
}: CompanyData) {
  return { ...data, address }
}

/** Merges a patch into a company and validates the result. Throws an error that lists all problems. */
export function patchCompany(data: CompanyData, patch: unknown): CompanyData {
  if (!isMembers(patch)) throw new CuadraError('The file is not a JSON object.')
  const { address, ...file } = companyFileOf(data)
  const { province_code, ...place } = address
  const sent = isMembers(patch.address) ? patch.address : {}
  // If only the post code changes, the province is derived from the new one.
  const moves = 'post_code' in sent && !('province_code' in sent)
  return readCompany(merged({ ...file, address: moves ? place : { ...place, province_code } }, patch))
}
