/** A server as its users know it: a process that is used over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createClock } from 'cuadra-server/environment/clock.ts'
import { createKey, type KeyOptions } from 'cuadra-server/service/access/api-keys.ts'
import { insertCompany } from 'cuadra-server/service/company/company.ts'
import type { CompanyData } from 'cuadra-server/service/company/company-shape.ts'
import { openStore, type Store, type Transaction } from 'cuadra-server/store/store.ts'
import type { Tables } from 'cuadra-server/store/tables.ts'
import type { Kysely } from 'kysely'
import { companyData } from '../../packages/server/test/company-data.ts'
import { atEnd, pathAndFolder, temporaryFolder } from '../folders.ts'
import { checkAnswer } from './answers.ts'
import { postgresDatabase } from './postgres.ts'

const PROGRAM =
  process.env.CUADRA_SERVER_PROGRAM ?? fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))
export const BASE_PATH = '/api/v1.1'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: any
}

export interface Request {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the response becomes an example of the OpenAPI document. */
  readonly worked?: boolean
}

export interface TestCompany {
  readonly id: string
  readonly data: CompanyData
  /** A key with full access. */
  readonly key: string
}

export interface TestServer {
  readonly url: string
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly process: ChildProcess
  /** Company and key that the first start printed; undefined at later starts. */
  readonly demo: { readonly companyId: string; readonly key: string } | undefined
  /**
   * Sends a request and validates its response against the OpenAPI document. A body that is not a text or bytes is sent
   * as JSON. `path` is relative to the base path.
   */
  readonly call: (method: string, path: string, request?: Request) => Promise<Answered>
  /** Creates a company with a key of full access; members of `company.json` may be given. */
  readonly company: (file?: Readonly<Record<string, unknown>>) => Promise<TestCompany>
  readonly key: (companyId: string, options: KeyOptions) => Promise<string>
  /** The store of the server, opened a second time, for what only an administrator does. */
  readonly store: () => Promise<Store>
  readonly transaction: Store['transaction']
  /** Runs a transaction on any rows, bypassing the server. */
  readonly past: <T>(work: (db: Kysely<Tables>) => Promise<T>) => Promise<T>
  /** The output of the process so far. */
  readonly output: () => string
  readonly stop: () => Promise<void>
  readonly kill: () => Promise<void>
}

export interface ServerOptions {
  readonly store: 'sqlite' | 'postgres'
  /** The folder of an earlier server. By default a new one is created, and removed afterwards. */
  readonly dataDir?: string
  readonly databaseUrl?: string
  readonly env?: Readonly<Record<string, string>>
  /** False: responses are not validated against the OpenAPI document (load tests). */
  readonly check?: boolean
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve()
    else child.once('exit', () => resolve())
  })

/** The tax id of an entity with its check digit. */
export function taxIdOf(number: number): string {
  const body = String(1_000_000 + number)
    .padStart(7, '0')
    .slice(-7)
  let sum = 0
  for (const [index, digit] of [...body].entries()) {
    const doubled = index % 2 === 0 ? Number(digit) * 2 : Number(digit)
    sum += Math.floor(doubled / 10) + (doubled % 10)
  }
  return `B${body}${(10 - (sum % 10)) % 10}`
}

/** Tax ids of entities, different in each process. */
let taxIds = 0
export const nextTaxId = (): string => taxIdOf(++taxIds + (process.pid % 7000) * 1000)

/** Starts a server, which is stopped at the end of the test file at the latest. */
export async function startServer(options: ServerOptions): Promise<TestServer> {
  const dataDir = options.dataDir ?? temporaryFolder()
  const databaseUrl =
    options.store === 'postgres' ? (options.databaseUrl ?? (await postgresDatabase())) : undefined
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      ...pathAndFolder(),
      PORT: '0',
      CUADRA_LOG_LEVEL: 'warn',
      CUADRA_DATA_DIR: dataDir,
      // Without sending, what is pending stays as it is. Tests of sending have a simulator.
      CUADRA_AEAT_SIMULATOR: 'off',
      ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout?.on('data', (chunk) => {
    output += chunk
  })
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /cuadra serves (http:\S+)\/api/.exec(output)?.[1]
      // The demonstration company is printed after the address, and before the first response.
      if (found) fetch(`${found}/health`).then(() => resolve(found), reject)
    }
    child.stdout?.on('data', look)
    child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${output}`)))
  })
  const demoKey = /key\s+(cuadra_\S+)/.exec(output)?.[1]
  const demoCompany = /, ([0-9a-f-]{36})\n/.exec(output)?.[1]
  let opened: Promise<Store> | undefined
  const store = () => {
    opened ??= openStore({ dataDir, databaseUrl, pool: 2 })
    return opened
  }
  const clock = createClock()
  const transaction = async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> =>
    (await store()).transaction(work)
  const close = async () => {
    if (opened) await (await opened).close()
    opened = undefined
  }
  const stop = async () => {
    child.kill('SIGTERM')
    await ended(child)
    await close()
  }
  atEnd(stop)
  return {
    url,
    dataDir,
    databaseUrl,
    process: child,
    demo: demoKey && demoCompany ? { companyId: demoCompany, key: demoKey } : undefined,
    async call(method, path, { key, body, headers = {}, worked = false } = {}) {
      const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData
      const sent = body === undefined ? null : isRaw ? (body as BodyInit) : JSON.stringify(body)
      const response = await fetch(`${url}${BASE_PATH}${path}`, {
        method,
        headers: {
          ...(key === undefined ? {} : { 'X-API-Key': key }),
          ...(body !== undefined && !(body instanceof FormData)
            ? { 'Content-Type': 'application/json' }
            : {}),
          ...headers,
        },
        body: sent,
      })
      const text = await response.text()
      let json: unknown
      try {
        json = JSON.parse(text)
      } catch {
        json = undefined
      }
      const answered = { status: response.status, headers: response.headers, text, json }
      if (options.check !== false) {
        if (response.status === 500)
          throw new Error(`${method} ${path}: ${text}\nThe server's log ends with:\n${output.slice(-2000)}`)
        checkAnswer(method, path, answered, { body, worked })
      }
      return answered
    },
    async company(file = {}) {
      const data = companyData({ tax_id: nextTaxId(), ...file })
      return transaction(async (tx) => {
        const { id } = await insertCompany(tx, data, clock.stamp())
        return { id, data, key: (await createKey(tx.of(id), { scopes: ['*'] }, clock.stamp())).key }
      })
    },
    key: (companyId, keyOptions) =>
      transaction(async (tx) => (await createKey(tx.of(companyId), keyOptions, clock.stamp())).key),
    store,
    transaction,
    past: (work) => transaction((tx) => work(tx.acrossCompanies('a test'))),
    output: () => output,
    stop,
    async kill() {
      child.kill('SIGKILL')
      await ended(child)
      await close()
    },
  }
}
