/** Connections to PostgreSQL: statements with names, and a lost connection that ends a request and not the server. */
import pg from 'pg'
import { Ahead } from './fast/ahead.ts'
import { CONNECTION_TIMEOUT } from './shares.ts'

/** Counts and places are numbers: none is beyond what a number holds. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, Number)

/** Names of statements by their text: the same in every connection, so each is parsed and planned once there. */
const names = new Map<string, string>()
/** An application has some hundred; what varies with its parameters, a search in 500 numbers say, goes without. */
const NAMED = 500

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= NAMED) return known
  const name = `c${names.size + 1}`
  names.set(text, name)
  return name
}

class Connection extends pg.Client {
  readonly #ahead = new Ahead()

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // The pool listens to idle connections only. One in use is mostly between two statements, when nobody waits for its
    // end, and an `error` without a listener ends the process. Whoever has it learns of it from the next statement, so
    // it is enough to listen.
    this.on('error', () => {})
  }

  /** Kysely hands over texts and values; PostgreSQL keeps statements that have a name. */
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

/** Milliseconds that a statement may take, waiting for locks included: the longest queue for one series is far below. */
const STATEMENT_TIMEOUT = 60_000

/**
 * On Citus `set local` reaches the machines of the shards only with this: without it no `lock_timeout` holds there, and
 * processes that issue for one company wait for each other in circles. Elsewhere it sets nothing.
 */
const FOR_CITUS = `select set_config('citus.propagate_set_commands', 'local', false)
  from pg_extension where extname = 'citus'`

export interface Pool {
  readonly databaseUrl: string
  readonly size: number
  /** Takes over what an idle connection says. */
  readonly onError: (error: Error) => void
}

export function openPool({ databaseUrl, size, onError }: Pool): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: size,
    types,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    // A machine that is gone says nothing: the system asks.
    keepAlive: true,
    application_name: 'cuadra',
    // A statement is sent at once, and not when the one before it has answered.
    pipeline: true,
    Client: Connection,
    onConnect: async (client) => {
      await client.query(FOR_CITUS)
    },
  })
  pool.on('error', onError)
  return pool
}
