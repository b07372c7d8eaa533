/** `company.json`, read: held against its shape, with its defaults; merged with a patch. */
import type { SchemaValidateFunction } from 'ajv'
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { subdivisionByPostCode, subdivisionOf } from '../../../catalogs/index.ts'
import { CuadraError } from '../../../errors/index.ts'
import { checkTaxId } from '../../../identifiers/index.ts'
import { isDate } from '../../../invoice/index.ts'
import { pathOf } from '../../shapes/shape.ts'
import { type Check, COMPANY_FILE, type CompanyData, type CompanyFile, isMembers } from './company-shape.ts'

/** What is wrong with a `company.json`: one line per member. */
const wrong = (problems: readonly string[]): CuadraError => new CuadraError(problems.join('\n'))

/** The keywords that are looked at here. */
interface Keywords {
  readonly properties?: Readonly<Record<string, Keywords>>
  readonly required?: readonly string[]
  readonly items?: Keywords
  readonly default?: unknown
  readonly fix?: string
}

/** A value with the members of its shape in their order, and their defaults where it does not state them. */
function completed({ properties, items = {} }: Keywords, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => completed(items, one))
  if (!properties || !isMembers(value)) return value
  const stated = Object.entries(properties).flatMap(([member, shape]) => {
    const one = value[member] ?? shape.default
    return one === undefined ? [] : [[member, completed(shape, one)] as const]
  })
  const unknown = Object.entries(value).filter(([member]) => !Object.hasOwn(properties, member))
  return Object.fromEntries([...stated, ...unknown])
}

function wordsFor({
  keyword,
  params,
  message = '',
  parentSchema: { properties = {}, fix } = {},
}: ErrorObject) {
  const messageText: Readonly<Record<string, string>> = {
    additionalProperties: `there is no such field. There is: ${Object.keys(properties).join(', ')}`,
    required: `is missing: ${properties[params.missingProperty]?.fix}`,
    maxLength: `has more than ${params.limit} characters`,
    holds: message,
  }
  return messageText[keyword] ?? fix
}

/** A line for each member: what is wrong with it, and how to mend it. */
const problemsOf = (errors: readonly ErrorObject[]): readonly string[] => [
  ...new Set(errors.map((error) => `${pathOf(error).slice(1)}: ${wordsFor(error)}.`)),
]

/** Runs the checks of a shape on a value that has its kind, unless nothing stands in it. */
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

/** Throws with all that is wrong. */
function requireSound(data: unknown): asserts data is CompanyFile {
  validate ??= new Ajv({ strict: false, allErrors: true, verbose: true, formats: { date: isDate } })
    .addKeyword({ keyword: 'holds', errors: true, validate: holds })
    .compile<CompanyFile>(COMPANY_FILE)
  if (!validate(data)) throw wrong(problemsOf(validate.errors ?? []))
}

/**
 * Checks a `company.json` and fills in what it leaves out. Throws with all that is wrong.
 *
 * For example, `{ address: { province_code: '28' } }` becomes `province_code: 'ES-M'` with `province_id: 28`.
 */
export function readCompany(file: unknown): CompanyData {
  if (!isMembers(file)) throw new CuadraError('The file is no JSON object.')
  const data = completed(COMPANY_FILE, file)
  requireSound(data)
  const { address, sii } = data
  const { post_code, province_code } = address
  const province =
    province_code === null ? subdivisionByPostCode(post_code ?? '') : subdivisionOf(province_code)
  // Periods keep the number they have; a new one gets the next.
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

/** Objects are merged member by member, lists and texts replaced, `null` goes back to the default (RFC 7396). */
function merged(target: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch
  const result = new Map(isMembers(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch))
    if (value === null) result.delete(name)
    else result.set(name, merged(result.get(name), value))
  return Object.fromEntries(result)
}

/** The `company.json` that gives this company again. */
export function fileOf({ address: { province_id: _, ...address }, ...data }: CompanyData) {
  return { ...data, address }
}

/** The company with the members of a patch merged in and all of it checked again. Throws with all that is wrong. */
export function patchCompany(data: CompanyData, patch: unknown): CompanyData {
  if (!isMembers(patch)) throw new CuadraError('The file is no JSON object.')
  const { address, ...file } = fileOf(data)
  const { province_code, ...place } = address
  const sent = isMembers(patch.address) ? patch.address : {}
  // Who moves says where to: the province of the old post code does not stay.
  const moves = 'post_code' in sent && !('province_code' in sent)
  return readCompany(merged({ ...file, address: moves ? place : { ...place, province_code } }, patch))
}
