/** The company of a key: `company.json` with its defaults, and what the specification answers of it. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Company } from '../../invoice/index.ts'
import type { Reader, Tx } from '../store/store.ts'
import { CompanyError, patchCompany } from './company-file.ts'

export { CompanyError, readCompany } from './company-file.ts'

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
    /** A number; a text in companies that were written by an earlier version. */
    readonly province_id: number | string | null
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
  readonly sii: {
    readonly enrollment_periods: readonly EnrollmentPeriod[]
    readonly tax_authority: 'aeat' | 'atc'
  }
  readonly pdf_template: string | null
}

export interface CompanyRecord {
  readonly id: string
  readonly data: CompanyData
}

/** `GET /company` (specification, general rule 7). */
export function companyAnswer({ id, data }: CompanyRecord) {
  const { province_id, ...address } = data.address
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
    address: { ...address, province_id: province_id === null ? null : Number(province_id) },
    is_active: data.is_active,
    person_type_code: data.person_type_code,
    default_tax_group: data.default_tax_group,
    plan: data.plan.name,
    features: data.features,
    fiscal_systems: { ticketbai_active, verifactu_in_plan, sii_in_plan },
  }
}

/** Stores a new company. The caller has looked whether the tax id is taken. */
export async function insertCompany(tx: Tx, data: CompanyData, stamp: string): Promise<CompanyRecord> {
  const id = randomUUID()
  await tx.db
    .insertInto('taxpayers')
    .values({ taxpayer_id: id, tax_id: data.tax_id, created_at: stamp })
    .execute()
  await tx.db
    .insertInto('companies')
    .values({
      company_id: id,
      tax_id: data.tax_id,
      data: JSON.stringify(data),
      created_at: stamp,
      updated_at: stamp,
    })
    .execute()
  return { id, data }
}

/** Whether this installation works for so many companies, or more. */
export const hasCompanies = async (db: Reader | Tx['db'], least: number): Promise<boolean> =>
  (await db.selectFrom('taxpayers').select('taxpayer_id').limit(least).execute()).length === least

/** Ids of all companies with their tax ids, oldest first. */
export const allTaxpayers = (db: Reader | Tx['db']) =>
  db.selectFrom('taxpayers').selectAll().orderBy('created_at').orderBy('taxpayer_id').execute()

export async function companyById(db: Reader | Tx['db'], id: string): Promise<CompanyRecord | undefined> {
  const row = await db.selectFrom('companies').select('data').where('company_id', '=', id).executeTakeFirst()
  return row && { id, data: JSON.parse(row.data) as CompanyData }
}

/** Until the end of the transaction nobody else registers a tax id: companies are in no shard that could know. */
export async function holdTaxIds({ db, locks }: Tx): Promise<void> {
  if (locks) await sql`select pg_advisory_xact_lock(hashtext('cuadra.tax_ids'))`.execute(db)
}

async function requireFreeTaxId(tx: Tx, taxId: string, except?: string): Promise<void> {
  await holdTaxIds(tx)
  const holder = await tx.db
    .selectFrom('taxpayers')
    .select('taxpayer_id')
    .where('tax_id', '=', taxId)
    .executeTakeFirst()
  if (holder && holder.taxpayer_id !== except)
    throw new CompanyError([`tax_id: ${taxId} is of company ${holder.taxpayer_id} already. Update that one.`])
}

/** Stores a new company. Throws a `CompanyError` where its tax id is taken: a company has one chain of records. */
export async function createCompany(tx: Tx, data: CompanyData, stamp: string): Promise<CompanyRecord> {
  await requireFreeTaxId(tx, data.tax_id)
  return insertCompany(tx, data, stamp)
}

/**
 * Merges a patch into a company and checks all of it again; undefined where there is no such company. Throws a
 * `CompanyError`. Whoever has invoices keeps its tax id: numbers, records and books are of that person.
 */
export async function updateCompany(
  tx: Tx,
  id: string,
  patch: unknown,
  stamp: string,
): Promise<CompanyRecord | undefined> {
  const { db, locks } = tx
  const query = db.selectFrom('companies').select('data').where('company_id', '=', id)
  const row = await (locks ? query.forUpdate() : query).executeTakeFirst()
  if (!row) return undefined
  const before = JSON.parse(row.data) as CompanyData
  const data = patchCompany(before, patch)
  if (data.tax_id !== before.tax_id) {
    const invoice = await db
      .selectFrom('invoices')
      .select('invoice_id')
      .where('company_id', '=', id)
      .limit(1)
      .executeTakeFirst()
    if (invoice)
      throw new CompanyError([
        `tax_id: the company has invoices as ${before.tax_id}. Create another company for ${data.tax_id}.`,
      ])
    await requireFreeTaxId(tx, data.tax_id, id)
    await db.updateTable('taxpayers').set({ tax_id: data.tax_id }).where('taxpayer_id', '=', id).execute()
  }
  await db
    .updateTable('companies')
    .set({ tax_id: data.tax_id, data: JSON.stringify(data), updated_at: stamp })
    .where('company_id', '=', id)
    .execute()
  return { id, data }
}
