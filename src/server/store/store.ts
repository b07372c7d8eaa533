/** The store: one interface over the embedded database and PostgreSQL. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Dialect, Kysely, PostgresDialect } from 'kysely'
import { closeToOthers, makePrivateFile, makePrivateFolder } from '../environment/private-files.ts'
import { type Place, runAlone, type Work } from './attempt.ts'
import { addUp, isTimeToAddUp } from './counts.ts'
import { isAway, isBusy, isConflict, isDuplicate } from './faults.ts'
import { Lane } from './group.ts'
import { forAllCompanies, guardedDialect } from './guard.ts'
import { migrate } from './migrate.ts'
import { OutcomeUnknown } from './outcome.ts'
import type { openPool } from './postgres.ts'
import { RaceError } from './race-error.ts'
import { type Own, Rows, type Select, type Shared, type Transaction, type Tx } from './rows.ts'
import { openSqlite, sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

export type { Own, Rows, Select, Shared, Transaction, Tx }
export { RaceError }

export interface TransactionOptions {
  /**
   * The server's own bookkeeping, which no client asked for: if it is lost, or done unnoticed, no request is affected.
   */
  readonly isOwn?: boolean
  /**
   * The company whose other work this may share a transaction with, where they wait at the same time. The embedded
   * database has one lane for all of them.
   */
  readonly together?: string
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** The rows of one company. */
  readonly of: (companyId: string) => CompanyStore
  /** The tables that every company sees alike. */
  readonly shared: Shared
  /** Every row there is, for the few statements that are not of one company, and say why. */
  readonly acrossCompanies: (why: string) => Kysely<Tables>
  /**
   * Runs `work` in one transaction that has been written to the disk when the promise resolves. Conflicts with others
   * are tried again, so `work` may run several times and must touch nothing but the store. Rejects with an
   * `OutcomeUnknown` where it may have been written; with anything else nothing was.
   */
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions) => Promise<T>
  /** Reads everything of a company as it is at one moment, however long that takes; others go on writing. */
  readonly snapshot: <T>(companyId: string, work: (rows: Rows) => Promise<T>) => Promise<T>
  /** The same of every row there is. Work that is long asks for it page by page. */
  readonly snapshotOfAll: <T>(why: string, work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>
  /**
   * A text that differs after any commit by any process, where asking for it costs less than a query; null where it
   * cannot be told. What was read under one text may be believed while it lasts.
   */
  readonly version: () => string | null
  /** How often transactions had to be run again since the start. */
  readonly retries: () => number
  readonly close: () => Promise<void>
}

/** The rows of one company, to read at any time, and to change in a transaction. */
export class CompanyStore extends Rows {
  readonly #store: Pick<Store, 'transaction'>

  constructor(db: Kysely<Tables>, companyId: string, store: Pick<Store, 'transaction'>) {
    super(db, companyId)
    this.#store = store
  }

  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#store.transaction((tx) => work(tx.of(this.companyId)), options)
  }

  /** The same, in one transaction with what else of the company waits for one. */
  together<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transaction(work, { together: this.companyId })
  }
}

const TRIES = 12
/** A key that is still taken at the last of these tries is not a race. */
const DUPLICATE_TRIES = 4

/** Runs a piece of work once, with that of others of the company where there is one to be together with. */
function attemptIn(place: Place): <T>(work: Work<T>, together?: string) => Promise<T> {
  if (!place.locks) {
    const lane = new Lane(place)
    return (work, together) => lane.run(work, together !== undefined)
  }
  const lanes = new Map<string, Lane>()
  return async (work, together) => {
    if (together === undefined) {
      const { piece, answer } = await runAlone(place, work)
      await piece.finish()
      return answer
    }
    const lane = lanes.get(together) ?? new Lane(place, () => lanes.delete(together))
    lanes.set(together, lane)
    return lane.run(work, true)
  }
}

function createStore(
  kind: Store['kind'],
  write: Kysely<Tables>,
  read: Kysely<Tables>,
  version: Store['version'],
  aside: () => Promise<Kysely<Tables>> = async () => read,
): Store {
  let retries = 0
  /** What nobody waits for, but the end. */
  const underway = new Set<Promise<void>>()
  const addUpFor = (companyId: string): void => {
    const adding = store
      .transaction((tx) => addUp(tx.of(companyId)), { isOwn: true })
      // It is done again with the notes of others.
      .catch(() => undefined)
      .finally(() => underway.delete(adding))
    underway.add(adding)
  }
  const attempt = attemptIn({
    write,
    locks: kind === 'postgres',
    noted: (all) => {
      for (const [companyId, notes] of all) if (isTimeToAddUp(companyId, notes)) addUpFor(companyId)
    },
  })
  const asOfNow = async <T>(work: (tx: Kysely<Tables>) => Promise<T>): Promise<T> => {
    const db = await aside()
    const settings = db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read')
    try {
      return await settings.execute(work)
    } finally {
      if (db !== read) await db.destroy()
    }
  }
  const store: Store = {
    kind,
    of: (companyId) => new CompanyStore(read, companyId, store),
    shared: read as unknown as Shared,
    acrossCompanies: (_why) => read.withPlugin(forAllCompanies),
    version,
    snapshot: (companyId, work) => asOfNow((tx) => work(new Rows(tx, companyId))),
    snapshotOfAll: (_why, work) => asOfNow((tx) => work(tx.withPlugin(forAllCompanies))),
    retries: () => retries,
    async transaction(work, { isOwn = false, together } = {}) {
      for (let tries = 1; ; tries++) {
        try {
          // What got into somebody's way keeps nobody else waiting when it is tried again.
          return await attempt(work, tries === 1 ? together : undefined)
        } catch (error) {
          if (isOwn && error instanceof OutcomeUnknown) throw error.cause
          const raced = isConflict(error) || isBusy(error)
          const again = (raced && tries < TRIES) || (isDuplicate(error) && tries < DUPLICATE_TRIES)
          if (!again) throw raced || isDuplicate(error) ? new RaceError((error as Error).message) : error
          retries++
          await sleep(Math.random() * Math.min(100, 2 ** tries))
        }
      }
    },
    async close() {
      await Promise.all(underway)
      await write.destroy()
      if (read !== write) await read.destroy()
    },
  }
  return store
}

const open = (dialect: Dialect): Kysely<Tables> => new Kysely({ dialect: guardedDialect(dialect) })

/** Every commit of the embedded database appends to this file. */
function versionOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.mtimeNs}/${found.size}` : null
}

/** The embedded database in the data folder. */
export const DATABASE_FILE = 'cuadra.db'

export interface StoreOptions {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  readonly pool?: number
  /** Takes over what a connection says when nobody waits for it. */
  readonly onError?: (error: Error) => void
}

export async function openStore({
  dataDir,
  databaseUrl,
  pool = 10,
  onError = () => {},
}: StoreOptions): Promise<Store> {
  if (databaseUrl) {
    const connections = await poolFor({ databaseUrl, size: pool, onError })
    const db = open(new PostgresDialect({ pool: connections }))
    await startPatiently(() => migrate(db, true))
    return createStore('postgres', db, db, () => null)
  }
  makePrivateFolder(dataDir)
  const file = join(dataDir, DATABASE_FILE)
  for (const one of [file, `${file}-wal`, `${file}-shm`]) closeToOthers(one)
  makePrivateFile(file)
  const write = open(sqliteDialect(await openSqlite(file)))
  await migrate(write, false)
  const reader = async () => open(sqliteDialect(await openSqlite(file, { readonly: true })))
  // A snapshot has a connection of its own: the one for reading goes on with what others ask.
  return createStore('sqlite', write, await reader(), () => versionOf(`${file}-wal`), reader)
}

/**
 * The database as it is, without bringing it to the version of this program: for what has to look first, or to put back
 * a backup of an earlier version.
 */
export async function openBare({
  dataDir,
  databaseUrl,
  pool = 2,
  onError = () => {},
}: StoreOptions): Promise<Kysely<Tables>> {
  const dialect = databaseUrl
    ? new PostgresDialect({ pool: await poolFor({ databaseUrl, size: pool, onError }) })
    : sqliteDialect(await openSqlite(join(dataDir, DATABASE_FILE)))
  return open(dialect).withPlugin(forAllCompanies)
}

/** Opens a pool; the driver is loaded only where there is a PostgreSQL. */
const poolFor = async (options: Parameters<typeof openPool>[0]) =>
  (await import('./postgres.ts')).openPool(options)

/** A database that is still starting is waited for. */
async function startPatiently(start: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await start()
    } catch (error) {
      if (!isAway(error) || tries >= 10) throw error
      await sleep(200 * tries)
    }
  }
}
