/** Connections to PostgreSQL with named statements. A lost connection ends a request, not the server. */
import pg from 'pg'
import { StatementPipeline } from './fast/statement-pipeline.ts'
import { CONNECTION_TIMEOUT_MS } from './shares.ts'

/** Counts and positions are within the range of a number. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** Names of statements by their text, the same in every connection, so that each connection plans a statement once. */
const names = new Map<string, string>()
/**
 * An application has about a hundred statements. Beyond this limit, such as a search for 500 numbers, they stay
 * unnamed.
 */
const MAX_NAMED = 500

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= MAX_NAMED) return known
  const name = `c${names.size + 1}`
  names.set(text, name)
  return name
}

class Connection extends pg.Client {
  readonly #ahead = new StatementPipeline()

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // The pool listens only to idle connections. An `error` between two statements of a connection in use would have no
    // listener, and would end the process. The next statement reports the error, so an empty listener is enough.
    this.on('error', () => {})
  }

  /** Kysely passes text and values. PostgreSQL keeps statements that have a name. */
  override query(...args: unknown[]): never {
    const send = super.query.bind(this) as (...handed: unknown[]) => Promise<unknown>
    const [text, values] = args
    if (typeof text !== 'string' || args.length > 2) return send(...args) as never
    const name = Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
    return this.#ahead.query(text, () =>
      name === undefined ? send(...args) : send({ name, text, values }),
    ) as never
  }
}

/** Milliseconds that a statement may take, lock waits included. The longest queue for one series stays far below. */
const STATEMENT_TIMEOUT_MS = 60_000

/**
 * On Citus, `set local` reaches the worker nodes only with this setting. Without it `lock_timeout` has no effect there,
 * and processes that issue for one company could deadlock. Other databases ignore it.
 */
const FOR_CITUS = `select set_config('citus.propagate_set_commands', 'local', false)
  from pg_extension where extname = 'citus'`

export interface Pool {
  readonly databaseUrl: string
  readonly size: number
  /** Receives the errors of idle connections. */
  readonly onError: (error: Error) => void
}

export function openPool({ databaseUrl, size, onError }: Pool): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    types,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // A machine that is gone sends nothing, so the system probes the connection.
    keepAlive: true,
    application_name: 'cuadra',
    // Sends a statement at once instead of waiting for the result of the one before.
    pipeline: true,
    Client: Connection,
    onConnect: async (client) => {
      await client.query(FOR_CITUS)
    },
  })
  pool.on('error', onError)
  return pool
}
