/**
 * Kysely dialect for libsql, with WAL and `synchronous=FULL`. Several processes can use one file. Statements of libsql
 * block this process, but waiting for a file that another process has locked does not.
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
import { embeddedDatabase } from './embedded-database.ts'
import { isWriteLocked } from './storage-faults.ts'

/** A prepared statement. Its parameters are passed as one array. */
type Statement = Database.Statement<[readonly unknown[]]>

interface Prepared {
  readonly statement: Statement
  /** Whether the statement returns rows. Cached, because libsql computes it on each access. */
  readonly reads: boolean
}

/** Maximum number of prepared statements to keep. An application has about a hundred. */
const MAX_PREPARED = 500

/** A database file, and the function that receives the errors of its statements. */
interface OpenFile {
  readonly file: string
  readonly onError?: (error: unknown) => void
}

/** Calls `run`. Adds the path of the database file to its errors. */
function inFile<T>({ file, onError }: OpenFile, run: () => T): T {
  try {
    return run()
  } catch (error) {
    const named = Object.assign(Object(error), { path: file })
    onError?.(named)
    throw named
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #database: Database.Database
  readonly #prepared = new BoundedCache<Prepared>(MAX_PREPARED)

  constructor(
    database: Database.Database,
    readonly opened: OpenFile,
  ) {
    this.#database = database
  }

  #prepare(sql: string): Prepared {
    return this.#prepared.get(sql, () => {
      const statement = this.#database.prepare<[readonly unknown[]]>(sql)
      return { statement, reads: statement.reader }
    })
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return inFile(this.opened, () => {
      const { statement, reads } = this.#prepare(sql)
      if (reads) return { rows: statement.all(parameters) as R[] }
      const { changes } = statement.run(parameters)
      return { rows: [], numAffectedRows: BigInt(changes) }
    })
  }

  // biome-ignore lint/correctness/useYield: Kysely requires a generator, but nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('the embedded database does not stream')
  }
}

/** Milliseconds between two attempts while another process has locked the file (`least` to `most`), and in total. */
const RETRY_MS = { least: 1, most: 12, patience: 15_000 }

/** Runs an operation that needs the file exclusively, and retries while the file is locked. */
async function whenFree<T>(run: () => T): Promise<T> {
  const until = Date.now() + RETRY_MS.patience
  for (let tries = 0; ; tries++) {
    try {
      return run()
    } catch (error) {
      if (!isWriteLocked(error) || Date.now() > until) throw error
    }
    const most = Math.min(RETRY_MS.most, RETRY_MS.least * 2 ** Math.min(tries, 4))
    await sleep(RETRY_MS.least + Math.random() * most)
  }
}

class SqliteDriver implements Driver {
  readonly #database: Database.Database
  readonly #connection: SqliteConnection
  /** Resolves when the current holder releases the only connection. */
  #turn: Promise<void> = Promise.resolve()
  readonly #release = new WeakMap<DatabaseConnection, () => void>()

  constructor(
    database: Database.Database,
    readonly opened: OpenFile,
  ) {
    this.#database = database
    this.#connection = new SqliteConnection(database, opened)
  }

  #exec(sql: string): void {
    inFile(this.opened, () => this.#database.exec(sql))
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
    await whenFree(() => this.#exec(accessMode === 'read only' ? 'BEGIN' : 'BEGIN IMMEDIATE'))
  }

  async commitTransaction(): Promise<void> {
    await whenFree(() => this.#exec('COMMIT'))
  }

  async rollbackTransaction(): Promise<void> {
    // On a full disk, SQLite has already rolled the transaction back.
    if (this.#database.inTransaction) this.#exec('ROLLBACK')
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.#release.get(connection)?.()
  }

  async destroy(): Promise<void> {
    this.#database.close()
  }
}

/** Opens a database file, and creates it if it is missing. With `readonly`, statements that write fail. */
export async function openSqlite(file: string, { readonly = false } = {}): Promise<Database.Database> {
  const Embedded = await embeddedDatabase()
  const database = inFile({ file }, () => new Embedded(file))
  // Disables the timeout of libsql, which would block the process; `whenFree` waits instead.
  inFile({ file }, () => database.exec('PRAGMA busy_timeout = 0'))
  await whenFree(() => inFile({ file }, () => database.exec('PRAGMA journal_mode = WAL')))
  database.exec(
    'PRAGMA synchronous = FULL; PRAGMA foreign_keys = OFF; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000',
  )
  if (readonly) database.exec('PRAGMA query_only = ON')
  return database
}

export const sqliteDialect = (database: Database.Database, opened: OpenFile): Dialect => ({
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new SqliteDriver(database, opened),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  createQueryCompiler: () => new SqliteQueryCompiler(),
})
