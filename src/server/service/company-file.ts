/** `company.json`: what an administrator may write of a company, checked member by member, with its defaults. */
import { subdivisionByPostCode, subdivisionOf } from '../../catalogs/index.ts'
import { checkTaxId } from '../../identifiers/index.ts'
import { type Company, isDate } from '../../invoice/index.ts'
import type { CompanyData, EnrollmentPeriod } from './company.ts'

/** What is wrong with a `company.json`: one line per member. */
export class CompanyError extends Error {
  override readonly name = 'CompanyError'
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

export const FEATURES = [
  'api',
  'drafts',
  'issue',
  'import',
  'received',
  'attachments',
  'verifactu',
  'sii',
  'recognition',
  'email',
] as const

const MEMBERS = [
  'legal_name',
  'name',
  'tax_id',
  'person_type_code',
  'address',
  'country',
  'currency',
  'contact_name',
  'contact_email',
  'contact_phone',
  'is_active',
  'plan',
  'features',
  'verified',
  'default_tax_group',
  'cash_basis',
  'oss',
  'fiscal_systems',
  'sii',
  'pdf_template',
  'delegated_signature',
  'operated_by_partner',
]
const ADDRESS = ['line', 'post_code', 'town', 'province_code']
const PERIOD = ['start_date', 'end_date']
const ENROLLMENT = ['id', 'enrollment_status', 'environment', ...PERIOD, 'notes']
const ENROLLMENT_STATUSES = ['mandatory', 'voluntary_opted_in', 'ceased'] as const
const TAX_GROUPS = ['IVA', 'IGIC', 'IPSI']
/** As long as a party's name may be in an invoice. */
const LONGEST_NAME = 120

export type Members = Readonly<Record<string, unknown>>
export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

/** An object that is being read: each member is taken in the kind that it must have, and what is wrong is noted. */
class Reading {
  constructor(
    readonly problems: string[],
    readonly from: Members,
    private readonly path = '',
  ) {}

  private at(name: string): string {
    return this.path === '' ? name : `${this.path}/${name}`
  }
  wrong(name: string, what: string): void {
    this.problems.push(`${this.at(name)}: ${what}`)
  }
  only(names: readonly string[]): this {
    for (const name of Object.keys(this.from))
      if (!names.includes(name)) this.wrong(name, `there is no such field. There is: ${names.join(', ')}.`)
    return this
  }
  text(name: string, { required = false, longest = 500 } = {}): string | null {
    const value = this.from[name]
    if (isAbsent(value)) {
      if (required) this.wrong(name, 'is missing.')
      return null
    }
    if (typeof value !== 'string' || value.trim() === '') this.wrong(name, 'send a text that is not empty.')
    else if (value.length > longest) this.wrong(name, `has more than ${longest} characters.`)
    else return value
    return null
  }
  flag(name: string, otherwise: boolean): boolean {
    const value = this.from[name]
    if (isAbsent(value)) return otherwise
    if (typeof value !== 'boolean') this.wrong(name, 'send true or false.')
    return value === true
  }
  oneOf<T extends string>(name: string, allowed: readonly T[], otherwise: T): T {
    const value = this.from[name]
    if (isAbsent(value)) return otherwise
    if (allowed.includes(value as T)) return value as T
    this.wrong(name, `send ${allowed.join(' or ')}.`)
    return otherwise
  }
  whole(name: string, least: number, otherwise: number): number {
    const value = this.from[name]
    if (isAbsent(value)) return otherwise
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number
    this.wrong(name, `send a whole number from ${least} on.`)
    return otherwise
  }
  day(name: string, required = false): string | null {
    const value = this.from[name]
    if (isAbsent(value) && !required) return null
    if (typeof value === 'string' && isDate(value)) return value
    this.wrong(name, `send a day as YYYY-MM-DD${required ? '.' : ', or null.'}`)
    return null
  }
  /** A first day and, unless it is open, a last day that is not before it. */
  period(): { start_date: string; end_date: string | null } {
    const start_date = this.day('start_date', true) ?? ''
    const end_date = this.day('end_date')
    if (end_date !== null && end_date < start_date) this.wrong('end_date', 'is before start_date.')
    return { start_date, end_date }
  }
  object(name: string): Reading {
    const value = this.from[name]
    if (!isAbsent(value) && !isMembers(value)) this.wrong(name, 'send an object.')
    return new Reading(this.problems, isMembers(value) ? value : {}, this.at(name))
  }
  objects(name: string): readonly Reading[] {
    const value = this.from[name] ?? []
    if (Array.isArray(value) && value.every(isMembers))
      return value.map((entry, index) => new Reading(this.problems, entry, `${this.at(name)}/${index}`))
    this.wrong(name, 'send a list of objects.')
    return []
  }
  has(name: string): boolean {
    return !isAbsent(this.from[name])
  }
}

/** Two periods of a list that share a day, as their places; undefined where there are none. */
function overlap(
  periods: readonly { start_date: string; end_date?: string | null }[],
): readonly [number, number] | undefined {
  for (const [at, { start_date, end_date }] of periods.entries())
    for (const [other, next] of periods.slice(at + 1).entries())
      if (start_date <= (next.end_date ?? '9999') && next.start_date <= (end_date ?? '9999'))
        return [at, at + 1 + other]
  return undefined
}

function readParty(root: Reading) {
  const legal_name = root.text('legal_name', { required: true, longest: LONGEST_NAME }) ?? ''
  const sent = root.text('tax_id', { required: true })
  const taxId = checkTaxId(sent ?? '', 'ES')
  if (sent !== null && !taxId.valid)
    root.wrong('tax_id', `"${sent.slice(0, 40)}" is no Spanish tax id (${taxId.reason}).`)
  const person = root.from.person_type_code
  if (person !== 'F' && person !== 'J')
    root.wrong('person_type_code', 'send F (natural person) or J (entity).')
  else if (taxId.valid && taxId.person_type_code && taxId.person_type_code !== person)
    root.wrong('person_type_code', `is ${person}, but the tax id is of ${taxId.person_type_code}.`)
  return {
    tax_id: taxId.normalized,
    legal_name,
    name: root.text('name', { longest: LONGEST_NAME }) ?? legal_name,
    person_type_code: person as 'F' | 'J',
    country: root.oneOf('country', ['ES'], 'ES'),
    currency: root.oneOf('currency', ['EUR'], 'EUR'),
    contact_name: root.text('contact_name'),
    contact_email: root.text('contact_email'),
    contact_phone: root.text('contact_phone'),
  }
}

function readAddress(root: Reading) {
  if (!root.has('address')) root.wrong('address', `is missing: { ${ADDRESS.join(', ')} }.`)
  const place = root.object('address').only(ADDRESS)
  const post_code = place.text('post_code')
  if (post_code !== null && !/^\d{5}$/.test(post_code)) place.wrong('post_code', 'send five digits.')
  const sent = place.text('province_code')
  const province = sent === null ? subdivisionByPostCode(post_code ?? '') : subdivisionOf(sent)
  if (sent !== null && !province)
    place.wrong(
      'province_code',
      `there is no province ${sent.slice(0, 40)}. Send ISO 3166-2 (ES-M) or INE (28).`,
    )
  return {
    line: place.text('line'),
    post_code,
    town: place.text('town'),
    province_code: province?.code ?? null,
    province_id: province?.ine ?? null,
  }
}

function readOss(root: Reading): Company['oss'] {
  if (!root.has('oss')) return null
  const oss = root.object('oss').only(['status', 'effective_date'])
  const status = oss.oneOf('status', ['registered', 'pending'], 'registered')
  if (!oss.has('status')) oss.wrong('status', 'is missing: registered or pending.')
  return { status, effective_date: oss.day('effective_date') }
}

/** Periods keep the number they have; a new one gets the next. */
function readEnrollment(sii: Reading): readonly EnrollmentPeriod[] {
  const entries = sii.objects('enrollment_periods')
  const given = entries.map(({ from }) => Number(from.id) || 0)
  let next = Math.max(0, ...given)
  const periods = entries.map((entry) => {
    entry.only(ENROLLMENT)
    if (!entry.has('enrollment_status'))
      entry.wrong('enrollment_status', `is missing: ${ENROLLMENT_STATUSES.join(', ')}.`)
    const id = entry.has('id') ? entry.whole('id', 1, 1) : ++next
    return {
      id,
      enrollment_status: entry.oneOf('enrollment_status', ENROLLMENT_STATUSES, 'mandatory'),
      ...(entry.has('environment')
        ? { environment: entry.oneOf('environment', ['production', 'test'], 'production') }
        : {}),
      ...entry.period(),
      notes: entry.text('notes'),
    }
  })
  if (new Set(periods.map(({ id }) => id)).size < periods.length)
    sii.wrong('enrollment_periods', 'two have the same id. Leave id out of new ones.')
  const shared = overlap(periods)
  if (shared)
    sii.wrong('enrollment_periods', `${shared.join(' and ')} overlap. Give the earlier an end_date.`)
  return periods
}

function readCashBasis(root: Reading) {
  const periods = root.objects('cash_basis').map((entry) => entry.only(PERIOD).period())
  const shared = overlap(periods)
  if (shared) root.wrong('cash_basis', `${shared.join(' and ')} overlap. Give the earlier an end_date.`)
  return periods
}

function readFeatures(root: Reading): readonly string[] {
  const value = root.from.features
  if (isAbsent(value)) return FEATURES
  const known: readonly unknown[] = FEATURES
  if (Array.isArray(value) && value.every((one) => known.includes(one)))
    return [...new Set(value)] as string[]
  root.wrong('features', `send a list of ${FEATURES.join(', ')}.`)
  return FEATURES
}

/**
 * Checks a `company.json` and fills in what it leaves out. Throws a `CompanyError` that lists all that is wrong.
 *
 * For example, `{ address: { province_code: '28' } }` becomes `province_code: 'ES-M'` with `province_id: 28`.
 */
export function readCompany(file: unknown): CompanyData {
  if (!isMembers(file)) throw new CompanyError(['The file is no JSON object.'])
  const problems: string[] = []
  const root = new Reading(problems, file).only(MEMBERS)
  const plan = root.object('plan').only(['name', 'api', 'recognition_quota'])
  const systems = root.object('fiscal_systems').only(['ticketbai_active', 'verifactu_in_plan', 'sii_in_plan'])
  const sii = root.object('sii').only(['enrollment_periods', 'tax_authority'])
  const delegated = root.object('delegated_signature').only(['valid_until'])
  const data: CompanyData = {
    ...readParty(root),
    address: readAddress(root),
    is_active: root.flag('is_active', true),
    verified: root.flag('verified', false),
    default_tax_group: root.oneOf('default_tax_group', TAX_GROUPS, 'IVA'),
    plan: {
      name: plan.text('name') ?? 'complete',
      api: plan.flag('api', true),
      recognition_quota: plan.whole('recognition_quota', 0, 100),
    },
    features: readFeatures(root),
    fiscal_systems: {
      ticketbai_active: systems.flag('ticketbai_active', false),
      verifactu_in_plan: systems.flag('verifactu_in_plan', true),
      sii_in_plan: systems.flag('sii_in_plan', true),
    },
    cash_basis: readCashBasis(root),
    oss: readOss(root) ?? null,
    delegated_signature: root.has('delegated_signature')
      ? { valid_until: delegated.day('valid_until', true) ?? '' }
      : null,
    operated_by_partner: root.flag('operated_by_partner', false),
    sii: {
      enrollment_periods: readEnrollment(sii),
      tax_authority: sii.oneOf('tax_authority', ['aeat', 'atc'], 'aeat'),
    },
    pdf_template: root.text('pdf_template'),
  }
  if (problems.length > 0) throw new CompanyError(problems)
  return data
}

/** Objects are merged member by member, lists and texts replaced, `null` goes back to the default (RFC 7396). */
function merged(target: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch
  const result: Record<string, unknown> = isMembers(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else
      Object.defineProperty(result, name, {
        value: merged(result[name], value),
        enumerable: true,
        configurable: true,
        writable: true,
      })
  }
  return result
}

/** The `company.json` that gives this company again. */
export function fileOf({ address: { province_id: _, ...address }, ...data }: CompanyData): Members {
  return { ...data, address }
}

/** The company with the members of a patch merged in and all of it checked again. Throws a `CompanyError`. */
export function patchCompany(data: CompanyData, patch: unknown): CompanyData {
  if (!isMembers(patch)) throw new CompanyError(['The file is no JSON object.'])
  const { address, ...file } = fileOf(data)
  const { province_code, ...place } = address as Members
  const sent = isMembers(patch.address) ? patch.address : {}
  // Who moves says where to: the province of the old post code does not stay.
  const moves = 'post_code' in sent && !('province_code' in sent)
  return readCompany(merged({ ...file, address: moves ? place : { ...place, province_code } }, patch))
}
