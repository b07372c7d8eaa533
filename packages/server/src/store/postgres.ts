/** Opens connections to PostgreSQL with named statements. If a connection is lost, only one request fails. */
import pg from 'pg'
import { CONNECTION_TIMEOUT_MS } from './connection-shares.ts'
import { StatementPipeline } from './fast/statement-pipeline.ts'

/** Parses `bigint` as a JavaScript number, because counts and positions are small enough. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/**
 * Names of statements by their SQL text. The names are the same in every connection, and each connection plans a
 * statement once.
 */
const names = new Map<string, string>()
/**
 * Maximum number of named statements. An application has about a hundred; others, such as searches for 500 numbers,
 * stay unnamed.
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
  /** Receives the errors of all statements. */
  onFailure: (error: unknown) => void = () => {}
  readonly #ahead = new StatementPipeline((error) => this.onFailure(error))

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // The pool listens only to idle connections. Without a listener, an `error` between two statements of a connection
    // in use would end the process. The listener can be empty, because the next statement reports the error.
    this.on('error', () => {})
  }

  /**
   * Adds a name to statements that Kysely passes as text and values, because PostgreSQL keeps the plan of a named
   * statement.
   */
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

/**
 * Maximum duration of a statement in milliseconds, including lock waits. Even the longest wait for one series is far
 * shorter.
 */
const STATEMENT_TIMEOUT_MS = 60_000

/**
 * On Citus, `set local` reaches the worker nodes only with this setting. Without it, `lock_timeout` has no effect
 * there, and processes that issue for the same company could deadlock. Other databases ignore it.
 */
const FOR_CITUS = `select set_config('citus.propagate_set_commands', 'local', false)
  from pg_extension where extname = 'citus'`

export interface PoolOptions {
  readonly databaseUrl: string
  readonly size: number
  /** Receives the errors of idle connections. */
  readonly onError: (error: Error) => void
  /** Receives the errors of all statements. */
  readonly onFailure?: (error: unknown) => void
}

export function openPool({ databaseUrl, size, onError, onFailure }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    types,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // If the other machine has failed, it sends nothing, so the operating system must probe the connection.
    keepAlive: true,
    application_name: 'cuadra',
    // Sends a statement at once, without waiting for the result of the previous one.
    pipeline: true,
    Client: Connection,
    onConnect: async (client) => {
      if (onFailure) (client as Connection).onFailure = onFailure
      await client.query(FOR_CITUS)
    },
  })
  pool.on('error', onError)
  return pool
}
