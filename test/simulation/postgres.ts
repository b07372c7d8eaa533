/**
 * PostgreSQL as the database of a simulation. It runs in real time, before virtual time passes: one statement after
 * another, unless one waits for the lock of another transaction.
 */
import pg from 'pg'
import { postgresUrl } from '../conformance/postgres.ts'
import { count, type Operating, operatingNow, type RawDatabase, WRITES } from './faults.ts'
import { time } from './virtual.ts'

/** Milliseconds after which a statement that waits for a lock lets others run. */
const LOCKED_MS = 40

const CODES = {
  full: ['53100', 'could not extend file: No space left on device'],
  broken: ['58030', 'could not write to file: Input/output error'],
  'read-only': ['25006', 'cannot execute INSERT in a read-only transaction'],
  damaged: ['XX001', 'invalid page in block 0 of relation base/5/16384'],
  locked: ['40001', 'could not serialize access due to concurrent update'],
} as const

type Callback = (error: unknown, result?: unknown) => void

/** Throws the fault of the database that is due. */
function failDatabase(process: Operating, sql: string): void {
  const fault = process.database
  if (!fault || !WRITES.test(sql)) return
  if (fault.from > 0) {
    fault.from--
    return
  }
  // The server rolls back: that works.
  if (fault.left <= 0 || /^commit/i.test(sql)) return
  fault.left--
  count(`database ${fault.kind}`)
  const [code, message] = CODES[fault.kind]
  throw Object.assign(new Error(message), { code })
}

/** Makes every statement an operation of the process that runs it. */
export function installPostgresFaults(): void {
  const { prototype }: any = pg.Client
  const { query, connect } = prototype
  let last: Promise<unknown> = Promise.resolve()
  const inOrder = (run: () => Promise<unknown>): Promise<unknown> => {
    const turn = Promise.race([last, time.real(LOCKED_MS)])
    const done = turn.then(run)
    last = done.catch(() => undefined)
    return time.busy(done)
  }
  const runIn = async (process: Operating | undefined, sql: string, run: () => Promise<unknown>) => {
    if (!process) return inOrder(run)
    process.step('database', sql)
    failDatabase(process, sql)
    const result = await inOrder(run)
    process.step('database', sql)
    return result
  }
  const answered = (done: Promise<unknown>, callback: unknown): Promise<unknown> | undefined => {
    if (typeof callback !== 'function') return done
    done.then(
      (result) => callback(null, result),
      (error) => callback(error),
    )
    return undefined
  }
  prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const callback = typeof args.at(-1) === 'function' ? args.pop() : undefined
    const [first] = args
    const sql = typeof first === 'string' ? first : String((first as { readonly text?: string }).text)
    const process = operatingNow()
    return answered(
      runIn(process, sql, () => query.apply(this, args)),
      callback,
    )
  }
  prototype.connect = function (this: any, callback?: Callback) {
    const raw: RawDatabase = {
      inTransaction: false,
      exec: () => undefined,
      close: () => undefined,
      cut: () => this.connection.stream.destroy(),
    }
    operatingNow()?.open.add(raw)
    return answered(time.busy(connect.call(this)), callback)
  }
}

let databases = 0

/** Runs statements with a connection of the simulation itself. */
async function asOwner<T>(work: (client: pg.Client) => Promise<T>, database = 'postgres'): Promise<T> {
  const client = new pg.Client({ connectionString: await postgresUrl(database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await time.busy(client.end())
  }
}

/** Creates a database, as a copy of another if one is given. Returns its name. */
export async function createDatabase(template?: string): Promise<string> {
  const name = `simulated_${process.pid}_${++databases}`
  await asOwner((client) =>
    client.query(`create database ${name}${template === undefined ? '' : ` template ${template}`}`),
  )
  return name
}

export const dropDatabase = (name: string): Promise<unknown> =>
  asOwner((client) => client.query(`drop database if exists ${name} with (force)`))

/** Reads rows by a statement with `?` for its values. */
export async function readRows(name: string, sql: string, values: readonly unknown[]): Promise<unknown[]> {
  let at = 0
  const text = sql.replace(/\?/g, () => `$${++at}`)
  return (await asOwner((client) => client.query(text, [...values]), name)).rows
}

/** Counts and sequences are numbers, as in the embedded database. */
export function readNumbers(): void {
  pg.types.setTypeParser(pg.types.builtins.INT8, Number)
  pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)
}
