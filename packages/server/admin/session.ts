/** Opens the server's database for a command. The server may be running. */
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { damagedDatabase, isDamaged } from 'cuadra-storage/storage-faults.ts'
import { type ConditionError, CuadraError } from '#core/errors/index.ts'
import type { Locale } from '#core/invoice/index.ts'
import type { App } from '../src/app/app.ts'
import { type Config, readConfig } from '../src/environment/config.ts'
import { requireNoHalfRestore } from '../src/environment/restoring.ts'
import type { Call } from '../src/service/access/call.ts'
import { allTaxpayers, type CompanyRecord, companyOf } from '../src/service/company/company.ts'
import type { Action } from '../src/service/invoice/events.ts'
import type { CompanyStore, Rows, Transaction, Tx } from '../src/store/store.ts'
import type { Io } from './io.ts'

/** Opens the store, runs `work`, and closes the store even on failure. */
export async function withOpenApp<T>(config: Config, work: (app: App) => Promise<T>): Promise<T> {
  // The server is loaded only here, so that usage errors are reported without loading it.
  const { openApp } = await import('../src/app/open.ts')
  // Nothing is logged. Errors are printed to stderr; the standard output is for results.
  const app = await openApp({ ...config, logLevel: 'silent' })
  try {
    return await work(app)
  } finally {
    await app.work.close()
    app.authority.close()
    await app.store.close()
  }
}

/** Runs `work` with the configuration of the environment. Throws a `ConfigError` if it is invalid. */
export async function withApp<T>(io: Io, work: (app: App) => Promise<T>): Promise<T> {
  const config = readConfig(io.env)
  requireNoHalfRestore(config)
  try {
    return await withOpenApp(config, work)
  } catch (error) {
    throw (await damagedDatabaseError(error, config)) ?? error
  }
}

export interface OfCompany {
  readonly app: App
  readonly store: CompanyStore
  readonly company: CompanyRecord
}

/** Runs `work` on one company. Throws if it does not exist. */
export const withCompany = <T>(io: Io, id: string, work: (own: OfCompany) => Promise<T>): Promise<T> =>
  withApp(io, async (app) => {
    const store = app.store.of(id)
    return work({ app, store, company: await requireCompany(app, store) })
  })

/** Returns the context of a call that the administrator makes on behalf of the company. */
export const callOf = (own: OfCompany, locale: Locale = 'en'): Call => ({
  ...own,
  requestId: 'cuadra-admin',
  locale,
  keyId: '',
  size: 0,
  idempotencyKey: undefined,
})

/** Runs `work` in one transaction, with a call that the administrator makes on behalf of the company. */
export const inCompany = <T>(
  io: Io,
  id: string,
  work: (tx: Tx, call: Call) => Promise<T>,
  locale: Locale = 'en',
): Promise<T> => withCompany(io, id, (own) => own.store.transaction((tx) => work(tx, callOf(own, locale))))

/** Runs `change` on one company in one transaction. */
export const changeCompany = <T>(
  io: Io,
  id: string,
  change: (tx: Tx, own: Omit<OfCompany, 'store'>) => Promise<T>,
): Promise<T> =>
  withApp(io, (app) =>
    app.store.of(id).transaction(async (tx) => change(tx, { app, company: await requireCompany(app, tx) })),
  )

/** Returns the company with an id or, without an id, all companies. */
export async function companiesOf(app: App, id?: string): Promise<CompanyRecord[]> {
  const ids =
    id === undefined ? (await allTaxpayers(app.store.shared)).map(({ taxpayer_id }) => taxpayer_id) : [id]
  return Promise.all(ids.map((one) => requireCompany(app, app.store.of(one))))
}

/** Returns the error for a damaged database, including its file, which the driver omits; undefined for other errors. */
export async function damagedDatabaseError(
  error: unknown,
  { dataDir, databaseUrl }: Config,
): Promise<ConditionError | undefined> {
  if (!isDamaged(error)) return undefined
  if (databaseUrl) return damagedDatabase('The database of CUADRA_DATABASE_URL', error)
  const { DATABASE_FILE } = await import('../src/store/store.ts')
  return damagedDatabase(join(dataDir, DATABASE_FILE), error)
}

/** Returns a text that names the database, so that users notice a wrong one. */
export const databaseLocationOf = ({ config }: App): string =>
  config.databaseUrl ? 'the database of CUADRA_DATABASE_URL' : `${config.dataDir} (CUADRA_DATA_DIR)`

export async function requireCompany(app: App, db: Rows): Promise<CompanyRecord> {
  const company = await companyOf(db)
  if (!company)
    throw new CuadraError(
      `No company ${db.companyId} in ${databaseLocationOf(app)}. See \`cuadra-admin company list\`.`,
    )
  return company
}

const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    // A container may run as a user without a name.
    return 'unknown'
  }
}

/** Returns who acts and when, for the history of an invoice: the user of the command line, now. */
export const administratorAction = (app: App): Action => ({
  actor: { userId: `cuadra-admin/${userName()}` },
  stamp: app.clock.stamp(),
})

/** Returns the company of an invoice. Searches all companies, each in its shard. */
export async function companyOfInvoice(app: App, all: Transaction, invoiceId: string): Promise<string> {
  const row = await all
    .acrossCompanies('the administrator names an invoice by its id alone')
    .selectFrom('companies')
    .innerJoin('invoices', 'invoices.company_id', 'companies.company_id')
    .select('companies.company_id')
    .where('invoices.invoice_id', '=', invoiceId)
    .executeTakeFirst()
  if (!row) throw new CuadraError(`No invoice ${invoiceId} in ${databaseLocationOf(app)}.`)
  return row.company_id
}
