/**
 * Kysely over libsql: WAL, `synchronous=FULL`, several processes on one file. libsql answers synchronously; a file
 * that another process holds is waited for without blocking this one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import type Database from 'libsql'
import { BoundedCache } from './bounded-cache.ts'
import { embeddedDatabase } from './embedded.ts'
import { isBusy } from './faults.ts'

/** All parameters are handed over at once. */
type Statement = Database.Statement<[readonly unknown[]]>

interface Prepared {
  readonly statement: Statement
  /** Asked once: the library looks it up each time. */
  readonly reads: boolean
}

/** Statements that are kept prepared; an application has some hundred. */
const PREPARED = 500

/** Runs what may fail, and tells with its error which file it is about. */
function inFile<T>(path: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw Object.assign(Object(error), { path })
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: Database.Database
  readonly #prepared = new BoundedCache<Prepared>(PREPARED)

  constructor(database: Database.Database) {
    this.#database = database
  }

  #prepare(sql: string): Prepared {
    return this.#prepared.get(sql, () => {
      const statement = this.#database.prepare<[readonly unknown[]]>(sql)
      return { statement, reads: statement.reader }
    })
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return inFile(this.#database.name, () => {
      const { statement, reads } = this.#prepare(sql)
      if (reads) return { rows: statement.all(parameters) as R[] }
      const { changes } = statement.run(parameters)
      return { rows: [], numAffectedRows: BigInt(changes) }
    })
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for a generator, and nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('the embedded database does not stream')
  }
}

/** Milliseconds between two tries for a file that another process writes to, and how long to go on. */
const PAUSE = { least: 1, most: 12, patience: 15_000 }

/** Runs what needs the file to itself, waiting for its turn. */
async function whenFree<T>(run: () => T): Promise<T> {
  const until = Date.now() + PAUSE.patience
  for (let tries = 0; ; tries++) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || Date.now() > until) throw error
    }
    const most = Math.min(PAUSE.most, PAUSE.least * 2 ** Math.min(tries, 4))
    await sleep(PAUSE.least + Math.random() * most)
  }
}

class SqliteDriver implements Driver {
  readonly #database: Database.Database
  readonly #connection: SqliteConnection
  /** Whoever holds the only connection; the next one waits for this promise. */
  #turn: Promise<void> = Promise.resolve()
  readonly #release = new WeakMap<DatabaseConnection, () => void>()

  constructor(database: Database.Database) {
    this.#database = database
    this.#connection = new SqliteConnection(database)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#turn
    let free = () => {}
    this.#turn = new Promise((resolve) => {
      free = resolve
    })
    await before
    this.#release.set(this.#connection, free)
    return this.#connection
  }

  async beginTransaction(_: DatabaseConnection, { accessMode }: TransactionSettings): Promise<void> {
    await whenFree(() => this.#database.exec(accessMode === 'read only' ? 'BEGIN' : 'BEGIN IMMEDIATE'))
  }

  async commitTransaction(): Promise<void> {
    await whenFree(() => this.#database.exec('COMMIT'))
  }

  async rollbackTransaction(): Promise<void> {
    // A full disk has rolled back already.
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#release.get(connection)?.()
  }

  async destroy(): Promise<void> {
    this.#database.close()
  }
}

/** Opens the file; a new one is made unless `readonly`. */
export async function openSqlite(file: string, { readonly = false } = {}): Promise<Database.Database> {
  const Embedded = await embeddedDatabase()
  const database = inFile(file, () => new Embedded(file))
  // Waiting is ours: libsql would block the process.
  inFile(file, () => database.exec('PRAGMA busy_timeout = 0'))
  await whenFree(() => inFile(file, () => database.exec('PRAGMA journal_mode = WAL')))
  database.exec(
    'PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000',
  )
  if (readonly) database.exec('PRAGMA query_only = ON')
  return database
}

export const sqliteDialect = (database: Database.Database): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new SqliteDriver(database),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})
