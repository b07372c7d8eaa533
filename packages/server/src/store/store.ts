/** The store: one interface over the embedded database and PostgreSQL. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { closeToOthers, makePrivateFile, makePrivateFolder } from 'cuadra-storage/private-files.ts'
import { openSqlite, sqliteDialect } from 'cuadra-storage/sqlite.ts'
import {
  isConflict,
  isDatabaseUnreachable,
  isDuplicate,
  isWriteLocked,
  messageOf,
} from 'cuadra-storage/storage-faults.ts'
import {
  type ConnectionProvider,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  Kysely,
  PostgresDialect,
} from 'kysely'
import { ConditionError, isCondition } from '#core/errors/index.ts'
import { runInOwnTransaction, type TransactionTarget, type Work } from './attempt.ts'
import { ConnectionShares } from './connection-shares.ts'
import { addNotesToCounts, addPendingNotes } from './counts.ts'
import { CommitQueue } from './group.ts'
import { forAllCompanies, guardedDialect } from './guard.ts'
import { migrate } from './migrate.ts'
import type { openPool } from './postgres.ts'
import {
  type CompanyRow,
  Rows,
  type Select,
  type Shared,
  sharedIn,
  type Transaction,
  type Tx,
} from './rows.ts'
import { DatabaseFaults } from './store-faults.ts'
import type { Tables } from './tables.ts'

export type { CompanyRow, Rows, Select, Shared, Transaction, Tx }

export interface TransactionOptions {
  /**
   * Whether the work is the server's own, such as a heartbeat. If it is lost, or if the database does not confirm it,
   * no request is affected.
   */
  readonly isOwn?: boolean
  /** The company for which the work is done. The work uses a connection from that company's share of the pool. */
  readonly companyId?: string
  /**
   * Whether the work may share a transaction with other waiting work of the company. In the embedded database, the work
   * of all companies may share one.
   */
  readonly canShare?: boolean
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** The rows of one company. */
  readonly of: (companyId: string) => CompanyStore
  /** The tables that all companies share. */
  readonly shared: Shared
  /**
   * Gives access to the rows of all companies, for the few statements that concern more than one company. `why` states
   * the reason.
   */
  readonly acrossCompanies: (why: string) => Kysely<Tables>
  /**
   * Runs `work` in one transaction. When the promise resolves, the transaction is durable. After a conflict, `work` is
   * repeated, so it must change nothing outside the store. Rejects with `outcome_unknown` if it is unknown whether the
   * transaction was committed. After any other error, nothing was written.
   */
  readonly transaction: <T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions) => Promise<T>
  /** Reads a consistent snapshot of a company, even if this takes long. Other requests can write in the meantime. */
  readonly snapshot: <T>(companyId: string, work: (rows: Rows) => Promise<T>) => Promise<T>
  /** Reads a consistent snapshot of the rows of all companies. Read large tables page by page. */
  readonly snapshotOfAll: <T>(why: string, work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>
  /**
   * Returns a text that changes with every commit of any process; null if determining it would take as long as a query.
   * Values that were read are valid until the text changes.
   */
  readonly version: () => string | null
  /** Returns how many transactions were repeated after a conflict since the start. */
  readonly retries: () => number
  /** The faults of the database since the start. */
  readonly faults: DatabaseFaults
  readonly close: () => Promise<void>
}

/** The rows of one company. They are read directly, and changed in a transaction. */
export class CompanyStore extends Rows {
  readonly #store: Pick<Store, 'transaction'>

  constructor(db: Kysely<Tables>, companyId: string, store: Pick<Store, 'transaction'>) {
    super(db, companyId)
    this.#store = store
  }

  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#store.transaction((tx) => work(tx.of(this.companyId)), {
      ...options,
      companyId: this.companyId,
    })
  }

  /** Runs work in one transaction with other waiting work of the company. */
  sharedTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.transaction(work, { canShare: true })
  }
}

const TRIES = 12
/** Maximum number of attempts after a duplicate key. If they all fail, no concurrent transaction is the cause. */
const DUPLICATE_TRIES = 4

/** Returns the error to report, or undefined if another attempt may succeed. */
function lastFailure(error: unknown, tries: number): unknown {
  const raced = isConflict(error) || isWriteLocked(error)
  if (!raced && !isDuplicate(error)) return error
  return tries < (raced ? TRIES : DUPLICATE_TRIES) ? undefined : new ConditionError('race', messageOf(error))
}

type Attempt = <T>(work: Work<T>, companyId: string | undefined, canShare: boolean) => Promise<T>

/** Returns the function that runs work once. If allowed, work shares a transaction with waiting work of the company. */
function attemptIn(target: TransactionTarget, dbOf: (companyId: string) => Kysely<Tables>): Attempt {
  if (!target.locks) {
    const queue = new CommitQueue(target)
    return (work, companyId, canShare) => queue.run(work, canShare, companyId)
  }
  const targetOf = (companyId: string | undefined): TransactionTarget =>
    companyId === undefined ? target : { ...target, write: dbOf(companyId) }
  const queues = new Map<string, CommitQueue>()
  return async (work, companyId, canShare) => {
    if (companyId === undefined || !canShare) {
      const { unit, result } = await runInOwnTransaction(targetOf(companyId), work)
      await unit.finish()
      return result
    }
    const queue =
      queues.get(companyId) ?? new CommitQueue(targetOf(companyId), () => queues.delete(companyId))
    queues.set(companyId, queue)
    return queue.run(work, true)
  }
}

interface Connections {
  /** Opens a connection for long reads. */
  readonly openForSnapshot?: () => Promise<Kysely<Tables>>
  /** The database for the statements of one company. */
  readonly dbOf?: (companyId: string) => Kysely<Tables>
}

function createStore(
  kind: Store['kind'],
  write: Kysely<Tables>,
  read: Kysely<Tables>,
  version: Store['version'],
  faults: DatabaseFaults,
  { openForSnapshot = async () => read, dbOf = () => read }: Connections = {},
): Store {
  let retries = 0
  /** Background work. Only `close` waits for it. */
  const underway = new Set<Promise<void>>()
  const addUpFor = (companyId: string): void => {
    const adding = store
      .of(companyId)
      .transaction((tx) => addNotesToCounts(tx), { isOwn: true })
      // If this fails, the next count changes of the company trigger it again.
      .catch(() => undefined)
      .finally(() => underway.delete(adding))
    underway.add(adding)
  }
  const onCommitted: TransactionTarget['onCommitted'] = (all) => {
    for (const [companyId, notes] of all) if (addPendingNotes(companyId, notes)) addUpFor(companyId)
  }
  const attempt = attemptIn(
    { write, locks: kind === 'postgres', refuseDamaged: faults.refuseDamaged, onCommitted },
    dbOf,
  )
  const inSnapshot = async <T>(work: (tx: Kysely<Tables>) => Promise<T>, companyId?: string): Promise<T> => {
    const separate = await openForSnapshot()
    const db = separate === read && companyId !== undefined ? dbOf(companyId) : separate
    const settings = db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read')
    try {
      return await settings.execute(work)
    } finally {
      if (separate !== read) await separate.destroy()
    }
  }
  const store: Store = {
    kind,
    of: (companyId) => new CompanyStore(dbOf(companyId), companyId, store),
    shared: sharedIn(read),
    acrossCompanies: (_why) => read.withPlugin(forAllCompanies),
    version,
    snapshot: (companyId, work) => inSnapshot((tx) => work(new Rows(tx, companyId)), companyId),
    snapshotOfAll: (_why, work) => inSnapshot((tx) => work(tx.withPlugin(forAllCompanies))),
    retries: () => retries,
    faults,
    async transaction(work, { isOwn = false, companyId, canShare = false } = {}) {
      for (let tries = 1; ; tries++) {
        try {
          // Work that conflicted runs in its own transaction from now on, so that it does not delay other work.
          return await attempt(work, companyId, canShare && tries === 1)
        } catch (error) {
          if (isOwn && isCondition(error, 'outcome_unknown')) throw error.cause
          const failure = lastFailure(error, tries)
          if (failure !== undefined) throw failure
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

/** Returns the size and modification time of the file to which the embedded database appends every commit. */
function versionOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.mtimeNs}/${found.size}` : null
}

/** File name of the embedded database in the data folder. */
export const DATABASE_FILE = 'cuadra.db'

/** Runs `start`. If it fails, closes the database, so that no temporary files stay in the folder. */
async function closedOnFailure(db: Kysely<Tables>, start: () => Promise<void>): Promise<void> {
  try {
    await start()
  } catch (error) {
    await db.destroy()
    throw error
  }
}

export interface StoreOptions {
  readonly dataDir: string
  readonly databaseUrl?: string | undefined
  readonly pool?: number
  /** Receives errors of idle connections. */
  readonly onError?: (error: Error) => void
  /** Receives the first error of each fault of the database. */
  readonly onFault?: (error: unknown) => void
}

export async function openStore({
  dataDir,
  databaseUrl,
  pool = 10,
  onError = () => {},
  onFault,
}: StoreOptions): Promise<Store> {
  const faults = new DatabaseFaults(onFault)
  if (databaseUrl) {
    const connections = await poolFor({ databaseUrl, size: pool, onError, onFailure: faults.note })
    const dialect = guardedDialect(new PostgresDialect({ pool: connections }))
    const driver = dialect.createDriver()
    await driver.init()
    const [compiler, adapter] = [dialect.createQueryCompiler(), dialect.createAdapter()]
    const over = (provider: ConnectionProvider): Kysely<Tables> => {
      const executor = new DefaultQueryExecutor(compiler, adapter, provider)
      return new Kysely({ config: { dialect }, dialect, driver, executor })
    }
    const provider = new DefaultConnectionProvider(driver)
    const db = over(provider)
    const target = { isPostgres: true, location: 'The database of CUADRA_DATABASE_URL' }
    await closedOnFailure(db, () => startPatiently(() => migrate(db, target)))
    const shares = new ConnectionShares(pool)
    return createStore('postgres', db, db, () => null, faults, {
      dbOf: (companyId) => over(shares.of(companyId, provider)),
    })
  }
  makePrivateFolder(dataDir)
  const file = join(dataDir, DATABASE_FILE)
  for (const one of [file, `${file}-wal`, `${file}-shm`]) closeToOthers(one)
  makePrivateFile(file)
  const openFile = async (options = {}) =>
    open(sqliteDialect(await openSqlite(file, options), { file, onError: faults.note }))
  const write = await openFile()
  await closedOnFailure(write, () => migrate(write, { isPostgres: false, location: file }))
  const reader = () => openFile({ readonly: true })
  // A snapshot uses its own connection, so that the connection for reading stays available.
  return createStore('sqlite', write, await reader(), () => versionOf(`${file}-wal`), faults, {
    openForSnapshot: reader,
  })
}

/** Opens the database without creating or migrating its tables, to inspect it first, or to restore a backup. */
export async function openUnmigrated({
  dataDir,
  databaseUrl,
  pool = 2,
  onError = () => {},
}: StoreOptions): Promise<Kysely<Tables>> {
  const file = join(dataDir, DATABASE_FILE)
  const dialect = databaseUrl
    ? new PostgresDialect({ pool: await poolFor({ databaseUrl, size: pool, onError }) })
    : sqliteDialect(await openSqlite(file), { file })
  return open(dialect).withPlugin(forAllCompanies)
}

/** Opens a pool. Loads the PostgreSQL driver only if it is needed. */
const poolFor = async (options: Parameters<typeof openPool>[0]) =>
  (await import('./postgres.ts')).openPool(options)

/** Retries while the database is still starting. */
async function startPatiently(start: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await start()
    } catch (error) {
      if (!isDatabaseUnreachable(error) || tries >= 10) throw error
      await sleep(200 * tries)
    }
  }
}
