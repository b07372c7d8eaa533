/** Companies: the data of `company.json` with defaults, and the response of the API with them. */
import { randomUUID } from 'node:crypto'
import { CuadraError } from '#core/errors/index.ts'
import type { App } from '../../app/app.ts'
import type { Company as CompanyResponse } from '../../shapes/schemas.ts'
import type { CompanyStore, Rows, Shared, Transaction, Tx } from '../../store/store.ts'
import { fromJson, type Json, toJson } from '../../store/stored-json.ts'
import { invoiceAddress } from './company-address.ts'
import { patchCompany } from './company-files.ts'
import type { CompanyData } from './company-shape.ts'

export interface CompanyRecord {
  readonly id: string
  readonly data: CompanyData
}

/** Returns the response of `GET /company` (API specification, general rule 7). */
export function companyResponse({ id, data }: CompanyRecord): CompanyResponse {
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

/** Stores a new company. The caller must have checked that the tax id is free. */
export async function insertCompany(
  all: Transaction,
  data: CompanyData,
  stamp: string,
): Promise<CompanyRecord> {
  const id = randomUUID()
  const { tax_id } = data
  await all.shared.insertInto('taxpayers').values({ taxpayer_id: id, tax_id, created_at: stamp }).execute()
  await all.of(id).insert('companies', {
    tax_id,
    data: toJson(data),
    created_at: stamp,
    updated_at: stamp,
  })
  return { id, data }
}

/** Whether this installation has `least` companies or more. */
export const hasAtLeastCompanies = async (shared: Shared, least: number): Promise<boolean> =>
  (await shared.selectFrom('taxpayers').select('taxpayer_id').limit(least).execute()).length === least

/** Returns the ids of all companies with their tax ids, oldest first. */
export const allTaxpayers = (shared: Shared) =>
  shared.selectFrom('taxpayers').selectAll().orderBy('created_at').orderBy('taxpayer_id').execute()

/**
 * Collects results company by company. Used when a statement over all companies fails because a shard is unreachable. A
 * company that cannot be read is skipped and logged.
 */
export async function collectFromReachable<T>(
  { store, log }: Pick<App, 'store' | 'log'>,
  find: (own: CompanyStore) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = []
  for (const { taxpayer_id } of await allTaxpayers(store.shared))
    try {
      found.push(...(await find(store.of(taxpayer_id))))
    } catch (error) {
      log.warn({ err: error, company_id: taxpayer_id }, 'a company cannot be read')
    }
  return found
}

/** Parses the data of a company row, which were validated before they were stored. */
export const parseCompanyData = (text: Json<unknown>): CompanyData => fromJson(text) as CompanyData

/** Returns the company to which the rows belong. */
export async function companyOf(db: Rows): Promise<CompanyRecord | undefined> {
  const row = await db.select('companies').select('data').executeTakeFirst()
  return row && { id: db.companyId, data: parseCompanyData(row.data) }
}

/** Blocks other registrations of tax ids until the transaction ends, because no unique index covers several shards. */
export async function lockTaxIds({ locks, shared }: Tx | Transaction): Promise<void> {
  if (!locks) return
  await shared
    .selectNoFrom(({ fn, val }) =>
      fn('pg_advisory_xact_lock', [fn('hashtext', [val('cuadra.tax_ids')])]).as('lock'),
    )
    .execute()
}

async function requireFreeTaxId(tx: Tx | Transaction, taxId: string, except?: string): Promise<void> {
  await lockTaxIds(tx)
  const holder = await tx.shared
    .selectFrom('taxpayers')
    .select('taxpayer_id')
    .where('tax_id', '=', taxId)
    .executeTakeFirst()
  if (holder && holder.taxpayer_id !== except)
    throw new CuadraError(
      `tax_id: ${taxId} already belongs to company ${holder.taxpayer_id}. Update that company.`,
    )
}

/** Stores a new company. Throws if its tax id is taken, because a taxpayer has one chain of records. */
export async function createCompany(
  all: Transaction,
  data: CompanyData,
  stamp: string,
): Promise<CompanyRecord> {
  await requireFreeTaxId(all, data.tax_id)
  return insertCompany(all, data, stamp)
}

/**
 * Merges a patch into a company and validates the result. Returns undefined if the company does not exist. Throws a
 * `CuadraError` if the result is invalid, or if the tax id of a company with invoices changes: its numbers, records and
 * books belong to that taxpayer.
 */
export async function updateCompany(
  tx: Tx,
  patch: unknown,
  stamp: string,
): Promise<CompanyRecord | undefined> {
  const row = await tx.lock('companies').select('data').executeTakeFirst()
  if (!row) return undefined
  const id = tx.companyId
  const before = parseCompanyData(row.data)
  const first_address = before.first_address ?? invoiceAddress(before)
  const data = { ...patchCompany(before, patch), ...(first_address && { first_address }) }
  const { tax_id } = data
  if (tax_id !== before.tax_id) {
    const invoice = await tx.select('invoices').select('invoice_id').limit(1).executeTakeFirst()
    if (invoice)
      throw new CuadraError(
        `tax_id: the company has invoices as ${before.tax_id}. Create a new company for ${tax_id}.`,
      )
    await requireFreeTaxId(tx, tax_id, id)
    await tx.shared.updateTable('taxpayers').set({ tax_id }).where('taxpayer_id', '=', id).execute()
  }
  await tx.update('companies', { tax_id, data: toJson(data), updated_at: stamp }).execute()
  return { id, data }
}
