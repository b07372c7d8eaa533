/** What commands work with: the database and configuration of the server, which may be running. */
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { ConditionError } from '../errors/conditions.ts'
import { CuadraError } from '../errors/index.ts'
import type { App } from '../server/app/app.ts'
import { type Config, readConfig } from '../server/environment/config.ts'
import { requireNoHalfRestore } from '../server/environment/restoring.ts'
import { allTaxpayers, type CompanyRecord, companyOf } from '../server/service/company/company.ts'
import type { Acting } from '../server/service/invoice/events.ts'
import type { CompanyStore, Rows, Transaction, Tx } from '../server/store/store.ts'
import { damagedDatabase, isDamaged } from '../storage/faults.ts'
import type { Io } from './io.ts'

/** Opens the store, works, and closes it whatever happens. */
export async function withOpenApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  // A command line that is wrong is answered before any of this is loaded.
  const { openApp } = await import('../server/app/open.ts')
  // What goes wrong is reported on stderr; the standard output belongs to the answer.
  const app = await openApp({ ...config, logLevel: 'silent' })
  try {
    return await work(app)
  } finally {
    await app.work.close()
    app.authority.close()
    await app.store.close()
  }
}

/** The same with the configuration of the environment. Throws a `ConfigError` for a wrong one. */
export async function withApp<T>(io: Io, work: (app: App) => Promise<T>): Promise<T> {
  const config = readConfig(io.env)
  requireNoHalfRestore(config)
  try {
    return await withOpenApp(config, work)
  } catch (error) {
    throw (await damaged(error, config)) ?? error
  }
}

export interface OfCompany {
  readonly app: App
  readonly store: CompanyStore
  readonly company: CompanyRecord
}

/** Works with one company; throws where it is not there. */
export const withCompany = <T>(io: Io, id: string, work: (own: OfCompany) => Promise<T>): Promise<T> =>
  withApp(io, async (app) => {
    const store = app.store.of(id)
    return work({ app, store, company: await requireCompany(app, store) })
  })

/** Changes something of one company, in one transaction. */
export const changeCompany = <T>(
  io: Io,
  id: string,
  change: (tx: Tx, own: Omit<OfCompany, 'store'>) => Promise<T>,
): Promise<T> =>
  withApp(io, (app) =>
    app.store.of(id).transaction(async (tx) => change(tx, { app, company: await requireCompany(app, tx) })),
  )

/** One company, or all. */
export async function companiesOf(app: App, id?: string): Promise<CompanyRecord[]> {
  const ids =
    id === undefined ? (await allTaxpayers(app.store.shared)).map(({ taxpayer_id }) => taxpayer_id) : [id]
  return Promise.all(ids.map((one) => requireCompany(app, app.store.of(one))))
}

/** A damaged database with its file, which the driver does not name; undefined for any other error. */
export async function damaged(
  error: unknown,
  { dataDir, databaseUrl }: Config,
): Promise<ConditionError | undefined> {
  if (databaseUrl || !isDamaged(error)) return undefined
  const { DATABASE_FILE } = await import('../server/store/store.ts')
  return damagedDatabase(join(dataDir, DATABASE_FILE), error)
}

/** Where the database is, for people who look at the wrong one. */
export const placeOf = ({ config }: App): string =>
  config.databaseUrl ? 'the database of CUADRA_DATABASE_URL' : `${config.dataDir} (CUADRA_DATA_DIR)`

export async function requireCompany(app: App, db: Rows): Promise<CompanyRecord> {
  const company = await companyOf(db)
  if (!company)
    throw new CuadraError(
      `There is no company ${db.companyId} in ${placeOf(app)}. See \`cuadra-admin company list\`.`,
    )
  return company
}

const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user that has no name.
    return 'unknown'
  }
}

/** Who acts in the history of an invoice: the person at the command line. */
export const actingAs = (app: App): Acting => ({
  actor: { userId: `cuadra-admin/${userName()}` },
  stamp: app.clock.stamp(),
})

/** The company of an invoice whose id alone is known: looked up company by company, each in its own shard. */
export async function companyOfInvoice(app: App, all: Transaction, invoiceId: string): Promise<string> {
  const row = await all
    .acrossCompanies('the administrator names an invoice by its id alone')
    .selectFrom('companies')
    .innerJoin('invoices', 'invoices.company_id', 'companies.company_id')
    .select('companies.company_id')
    .where('invoices.invoice_id', '=', invoiceId)
    .executeTakeFirst()
  if (!row) throw new CuadraError(`There is no invoice ${invoiceId} in ${placeOf(app)}.`)
  return row.company_id
}
