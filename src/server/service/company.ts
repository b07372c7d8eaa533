/** The company of a key: `company.json` with its defaults, and what the specification answers of it. */
import { randomUUID } from 'node:crypto'
import { catalog } from '../../catalogs/index.ts'
import { checkTaxId } from '../../identifiers/index.ts'
import type { Company } from '../../invoice/index.ts'
import type { Reader, Tx } from '../store/store.ts'

export interface EnrollmentPeriod {
  readonly id?: number
  readonly enrollment_status: 'mandatory' | 'voluntary_opted_in' | 'ceased'
  readonly environment?: string
  readonly start_date: string
  readonly end_date?: string | null
  readonly notes?: string | null
}

/** What `company.json` may say, with every default filled in. */
export interface CompanyData extends Company {
  readonly tax_id: string
  readonly legal_name: string
  readonly name: string
  readonly person_type_code: 'F' | 'J'
  readonly country: string
  readonly currency: string
  readonly contact_name: string | null
  readonly contact_email: string | null
  readonly contact_phone: string | null
  readonly address: {
    readonly line: string | null
    readonly post_code: string | null
    readonly town: string | null
    readonly province_code: string | null
    readonly province_id: string | null
  }
  readonly is_active: boolean
  readonly verified: boolean
  readonly default_tax_group: string
  readonly plan: { readonly name: string; readonly api: boolean; readonly recognition_quota: number }
  readonly features: readonly string[]
  readonly fiscal_systems: {
    readonly ticketbai_active: boolean
    readonly verifactu_in_plan: boolean
    readonly sii_in_plan: boolean
  }
  /** A signature delegated to whoever runs the service stands for a certificate until its last day. */
  readonly delegated_signature: { readonly valid_until: string } | null
  readonly operated_by_partner: boolean
  readonly sii: { readonly enrollment_periods: readonly EnrollmentPeriod[]; readonly tax_authority: 'aeat' | 'atc' }
  readonly pdf_template: string | null
}

export interface CompanyRecord {
  readonly id: string
  readonly data: CompanyData
}

/** `GET /company` (specification, general rule 7). */
export function companyAnswer({ id, data }: CompanyRecord) {
  const { ticketbai_active, verifactu_in_plan, sii_in_plan } = data.fiscal_systems
  return {
    id,
    name: data.name,
    legal_name: data.legal_name,
    tax_id: data.tax_id,
    country: data.country,
    currency: data.currency,
    contact_name: data.contact_name,
    contact_email: data.contact_email,
    contact_phone: data.contact_phone,
    address: data.address,
    is_active: data.is_active,
    person_type_code: data.person_type_code,
    default_tax_group: data.default_tax_group,
    plan: data.plan.name,
    features: data.features,
    fiscal_systems: { ticketbai_active, verifactu_in_plan, sii_in_plan },
  }
}

/** What is wrong with a `company.json`: one line per member. */
export class CompanyError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
  }
}

const FEATURES = ['api', 'drafts', 'issue', 'import', 'received', 'attachments', 'verifactu', 'sii', 'recognition', 'email']

type Members = Readonly<Record<string, unknown>>
const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Checks a `company.json` and fills in what it leaves out. Throws a `CompanyError` that lists all that is wrong.
 *
 * For example, `{ address: { province_code: '28' } }` becomes `province_code: 'ES-MD'` with `province_id: '28'`.
 */
export function readCompany(file: unknown): CompanyData {
  const problems: string[] = []
  const root: Members = isMembers(file) ? file : {}
  if (!isMembers(file)) problems.push('The file is no JSON object.')
  const known = new Set([
    'legal_name', 'name', 'tax_id', 'person_type_code', 'address', 'country', 'currency', 'contact_name', 'contact_email',
    'contact_phone', 'is_active', 'plan', 'features', 'verified', 'default_tax_group', 'cash_basis', 'oss',
    'fiscal_systems', 'sii', 'pdf_template', 'delegated_signature', 'operated_by_partner',
  ])
  for (const name of Object.keys(root)) if (!known.has(name)) problems.push(`${name}: there is no such field. There is: ${[...known].join(', ')}.`)
  const text = (from: Members, name: string, path: string, required = false): string | null => {
    const value = from[name]
    if (typeof value === 'string' && value.trim() !== '') return value
    if (value !== undefined && value !== null) problems.push(`${path}: send a text.`)
    else if (required) problems.push(`${path}: is missing.`)
    return null
  }
  const flag = (from: Members, name: string, path: string, otherwise: boolean): boolean => {
    const value = from[name]
    if (value === undefined || value === null) return otherwise
    if (typeof value !== 'boolean') problems.push(`${path}: send true or false.`)
    return value === true
  }
  const members = (name: string): Members => {
    const value = root[name]
    if (value === undefined || value === null) return {}
    if (!isMembers(value)) problems.push(`${name}: send an object.`)
    return isMembers(value) ? value : {}
  }
  const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value)
  const days = (entry: Members, path: string) => {
    if (!isDay(entry.start_date)) problems.push(`${path}/start_date: send YYYY-MM-DD.`)
    if (entry.end_date != null && !isDay(entry.end_date)) problems.push(`${path}/end_date: send YYYY-MM-DD or null.`)
  }
  const list = (from: Members, name: string, path: string): readonly Members[] => {
    const value = from[name] ?? []
    if (Array.isArray(value) && value.every(isMembers)) return value
    problems.push(`${path}: send a list of objects.`)
    return []
  }

  const legal_name = text(root, 'legal_name', 'legal_name', true) ?? ''
  const taxId = checkTaxId(text(root, 'tax_id', 'tax_id', true) ?? '', 'ES')
  if (root.tax_id !== undefined && !taxId.valid)
    problems.push(`tax_id: "${String(root.tax_id)}" is no Spanish tax id (${taxId.reason}).`)
  const person = root.person_type_code
  if (person !== 'F' && person !== 'J') problems.push('person_type_code: send F (natural person) or J (entity).')
  else if (taxId.valid && taxId.person_type_code && taxId.person_type_code !== person)
    problems.push(`person_type_code: is ${person}, but the tax id is of ${taxId.person_type_code}.`)

  if (!isMembers(root.address)) problems.push('address: is missing: { line, post_code, town, province_code }.')
  const place = members('address')
  const sent = text(place, 'province_code', 'address/province_code')
  const byPostCode = typeof place.post_code === 'string' ? place.post_code.slice(0, 2) : null
  const province = catalog('subdivisions').find(
    (row) => row.code === sent || row.ine === sent?.padStart(2, '0') || (!sent && row.ine === byPostCode),
  )
  if (sent && !province) problems.push(`address/province_code: there is no province ${sent}. Send ISO 3166-2 (ES-M) or INE (28).`)

  const group = text(root, 'default_tax_group', 'default_tax_group') ?? 'IVA'
  if (!['IVA', 'IGIC', 'IPSI'].includes(group)) problems.push('default_tax_group: send IVA, IGIC or IPSI.')
  const cash_basis = list(root, 'cash_basis', 'cash_basis')
  cash_basis.forEach((entry, index) => days(entry, `cash_basis/${index}`))
  const oss = root.oss == null ? null : members('oss')
  if (oss && !['registered', 'pending'].includes(String(oss.status))) problems.push('oss/status: send registered or pending.')
  if (oss?.effective_date != null && !isDay(oss.effective_date)) problems.push('oss/effective_date: send YYYY-MM-DD.')

  const plan = members('plan')
  const quota = plan.recognition_quota ?? 100
  if (!Number.isSafeInteger(quota) || (quota as number) < 0) problems.push('plan/recognition_quota: send a whole number.')
  const systems = members('fiscal_systems')
  const features = root.features ?? FEATURES
  if (!Array.isArray(features) || !features.every((one) => typeof one === 'string')) problems.push('features: send a list of texts.')
  const sii = members('sii')
  const authority = sii.tax_authority ?? 'aeat'
  if (authority !== 'aeat' && authority !== 'atc') problems.push('sii/tax_authority: send aeat or atc.')
  const enrollment = list(sii, 'enrollment_periods', 'sii/enrollment_periods')
  enrollment.forEach((entry, index) => {
    days(entry, `sii/enrollment_periods/${index}`)
    if (!['mandatory', 'voluntary_opted_in', 'ceased'].includes(String(entry.enrollment_status)))
      problems.push(`sii/enrollment_periods/${index}/enrollment_status: send mandatory, voluntary_opted_in or ceased.`)
  })
  const delegated = root.delegated_signature == null ? null : members('delegated_signature')
  if (delegated && !isDay(delegated.valid_until)) problems.push('delegated_signature/valid_until: send YYYY-MM-DD.')

  const data: CompanyData = {
    tax_id: taxId.normalized,
    legal_name,
    name: text(root, 'name', 'name') ?? legal_name,
    person_type_code: person as 'F' | 'J',
    country: text(root, 'country', 'country') ?? 'ES',
    currency: text(root, 'currency', 'currency') ?? 'EUR',
    contact_name: text(root, 'contact_name', 'contact_name'),
    contact_email: text(root, 'contact_email', 'contact_email'),
    contact_phone: text(root, 'contact_phone', 'contact_phone'),
    address: {
      line: text(place, 'line', 'address/line'),
      post_code: text(place, 'post_code', 'address/post_code'),
      town: text(place, 'town', 'address/town'),
      province_code: (province?.code as string | undefined) ?? null,
      province_id: (province?.ine as string | undefined) ?? null,
    },
    is_active: flag(root, 'is_active', 'is_active', true),
    verified: flag(root, 'verified', 'verified', false),
    default_tax_group: group,
    plan: {
      name: text(plan, 'name', 'plan/name') ?? 'complete',
      api: flag(plan, 'api', 'plan/api', true),
      recognition_quota: quota as number,
    },
    features: features as string[],
    fiscal_systems: {
      ticketbai_active: flag(systems, 'ticketbai_active', 'fiscal_systems/ticketbai_active', false),
      verifactu_in_plan: flag(systems, 'verifactu_in_plan', 'fiscal_systems/verifactu_in_plan', true),
      sii_in_plan: flag(systems, 'sii_in_plan', 'fiscal_systems/sii_in_plan', true),
    },
    cash_basis: cash_basis as unknown as NonNullable<Company['cash_basis']>,
    oss: oss as unknown as NonNullable<Company['oss']> | null,
    delegated_signature: delegated as { valid_until: string } | null,
    operated_by_partner: flag(root, 'operated_by_partner', 'operated_by_partner', false),
    sii: {
      enrollment_periods: enrollment.map((entry, index) => ({ ...entry, id: index + 1 })) as unknown as EnrollmentPeriod[],
      tax_authority: authority as 'aeat' | 'atc',
    },
    pdf_template: text(root, 'pdf_template', 'pdf_template'),
  }
  if (problems.length > 0) throw new CompanyError(problems)
  return data
}

/** Stores a new company. The caller has looked whether the tax id is taken. */
export async function insertCompany(tx: Tx, data: CompanyData, stamp: string): Promise<CompanyRecord> {
  const id = randomUUID()
  await tx.db
    .insertInto('companies')
    .values({ company_id: id, tax_id: data.tax_id, data: JSON.stringify(data), created_at: stamp, updated_at: stamp })
    .execute()
  return { id, data }
}

export async function companyById(db: Reader | Tx['db'], id: string): Promise<CompanyRecord | undefined> {
  const row = await db.selectFrom('companies').select('data').where('company_id', '=', id).executeTakeFirst()
  return row && { id, data: JSON.parse(row.data) as CompanyData }
}
