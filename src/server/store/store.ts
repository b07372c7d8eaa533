/** The store: one interface over the embedded database and PostgreSQL. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import { closeToOthers, makePrivateFile, makePrivateFolder } from '../private-files.ts'
import { isAway, isBusy, isConflict, isDuplicate, isWithoutTable } from './faults.ts'
import { MIGRATIONS } from './migrations.ts'
import { OutcomeUnknown, type Trace, wasWritten } from './outcome.ts'
import { openPool } from './postgres.ts'
import { RaceError } from './race-error.ts'
import { openSqlite, sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

export { RaceError }

export type Reader = Kysely<Tables>

/** A transaction, and what is done once it has been committed. */
export interface Tx {
  readonly db: Transaction<Tables>
  /** `for update` where rows can be locked; the embedded database locks the file. */
  readonly locks: boolean
  /** Runs after the commit; what it does must be repeatable by a sweeper, since a crash may come before. */
  readonly afterCommit: (work: () => Promise<void>) => void
  /** Says of a row that is written here and nowhere else how to find it, should the answer to COMMIT get lost. */
  readonly leaves: (trace: Trace) => void
}

export interface TransactionOptions {
  /**
   * The server's own bookkeeping: whoever waits for it has asked for something else, and where it is lost, or done
   * without anybody knowing, nothing of that is touched.
   */
  readonly isOwn?: boolean
}

export interface Store {
  readonly kind: 'sqlite' | 'postgres'
  /** For reading outside of a transaction. */
  readonly read: Reader
  /**
   * Runs `work` in one transaction that has been written to the disk when the promise resolves. Conflicts with others
   * are tried again, so `work` may run several times and must touch nothing but the store. Rejects with an
   * `OutcomeUnknown` where it may have been written; with anything else nothing was.
   */
  readonly transaction: <T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>
  /** Reads everything as it is at one moment, however long that takes; others go on writing. */
  readonly snapshot: <T>(work: (db: Tx['db']) => Promise<T>) => Promise<T>
  /**
   * A text that differs after any commit by any process, where asking for it costs less than a query; null where it
   * cannot be told. What was read under one text may be believed while it lasts.
   */
  readonly version: () => string | null
  /** How often transactions had to be run again since the start. */
  readonly retries: () => number
  readonly close: () => Promise<void>
}

const TRIES = 12
/** A key that is still taken at the last of these tries is not a race. */
const DUPLICATE_TRIES = 4

/** How many of the migrations the database has had; 0 where it is new. Throws for one that is ahead of this program. */
async function versionIn(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('schema_migrations')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst()
  const done = Number(row?.version ?? 0)
  if (done > MIGRATIONS.length)
    throw new Error(
      `The database has version ${done}, this program knows ${MIGRATIONS.length}. Start the newer program.`,
    )
  return done
}

async function migrate(db: Kysely<Tables>, isPostgres: boolean): Promise<void> {
  const before = await versionIn(db).catch((error) => {
    if (isWithoutTable(error)) return 0
    throw error
  })
  // Nothing is written where nothing is to be done: a replica that can only be read serves the administrator too.
  if (before === MIGRATIONS.length) return
  const inDialect = (statement: string) =>
    statement
      .replaceAll('{text}', isPostgres ? 'text collate "C"' : 'text')
      .replaceAll('{keyed}', isPostgres ? '' : 'without rowid')
  await db.transaction().execute(async (tx) => {
    // Processes that start together queue here; the embedded database is locked by the transaction itself.
    if (isPostgres) {
      // An index over a large table takes its time.
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`select pg_advisory_xact_lock(hashtext('cuadra.migrations'))`.execute(tx)
    }
    await sql`create table if not exists schema_migrations (version integer not null primary key, applied_at text not null)`.execute(
      tx,
    )
    const done = await versionIn(tx)
    for (const [index, statements] of MIGRATIONS.entries()) {
      if (index < done) continue
      for (const statement of statements) await sql.raw(inDialect(statement)).execute(tx)
      await tx
        .insertInto('schema_migrations')
        .values({ version: index + 1, applied_at: new Date().toISOString() })
        .execute()
    }
  })
}

function createStore(
  kind: Store['kind'],
  write: Kysely<Tables>,
  read: Kysely<Tables>,
  version: Store['version'],
  aside: () => Promise<Kysely<Tables>> = async () => read,
): Store {
  let retries = 0
  const attempt = async <T>(work: (tx: Tx) => Promise<T>): Promise<T> => {
    const after: (() => Promise<void>)[] = []
    let trace: Trace | undefined
    let done: { readonly answer: T } | undefined
    const tx = {
      locks: kind === 'postgres',
      afterCommit: (one: () => Promise<void>) => void after.push(one),
      leaves: (one: Trace) => {
        trace = one
      },
    }
    try {
      await write.transaction().execute(async (db) => {
        done = { answer: await work({ db, ...tx }) }
      })
    } catch (error) {
      // Until COMMIT is sent nothing is written, and a database that answers it with an error has written nothing.
      if (!done || !isAway(error) || !(await wasWritten(write, trace, error))) throw error
    }
    for (const one of after) await one().catch(() => undefined)
    return (done as { readonly answer: T }).answer
  }
  return {
    kind,
    read,
    version,
    async snapshot(work) {
      const db = await aside()
      const settings = db.transaction().setAccessMode('read only').setIsolationLevel('repeatable read')
      try {
        return await settings.execute(work)
      } finally {
        if (db !== read) await db.destroy()
      }
    },
    retries: () => retries,
    async transaction(work, { isOwn = false } = {}) {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work)
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
      await write.destroy()
      if (read !== write) await read.destroy()
    },
  }
}

/** Every commit of the embedded database appends to this file. */
function versionOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found ? `${found.mtimeNs}/${found.size}` : null
}

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
    const connections = openPool({ databaseUrl, size: pool, onError })
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections }) })
    await startPatiently(() => migrate(db, true))
    return createStore('postgres', db, db, () => null)
  }
  makePrivateFolder(dataDir)
  const file = join(dataDir, 'cuadra.db')
  for (const one of [file, `${file}-wal`, `${file}-shm`]) closeToOthers(one)
  makePrivateFile(file)
  const write = new Kysely<Tables>({ dialect: sqliteDialect(await openSqlite(file)) })
  await migrate(write, false)
  const reader = async () =>
    new Kysely<Tables>({ dialect: sqliteDialect(await openSqlite(file, { readonly: true })) })
  // A snapshot has a connection of its own: the one for reading goes on with what others ask.
  return createStore('sqlite', write, await reader(), () => versionOf(`${file}-wal`), reader)
}

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
