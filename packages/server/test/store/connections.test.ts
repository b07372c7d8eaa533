/**
 * PostgreSQL stops, crashes and ends connections while servers use it. No server ends, requests get 503 and
 * `Retry-After` meanwhile, and the same processes serve again afterwards.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { audit } from '#test/conformance/audit.ts'
import { type Answered, startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { hasPostgres, type OwnCluster, ownPostgres } from '#test/conformance/postgres.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { sized } from '#test/size.ts'
import { until } from '#test/until.ts'

const ROUNDS = sized(1, 2, 10)
const PROCESSES = 2
const CLIENTS = 8

type Way = 'immediate' | 'fast' | 'terminate'
const WAYS: readonly Way[] = ['immediate', 'fast', 'terminate']

function proof(): void {
  let cluster: OwnCluster
  let servers: TestServer[] = []
  let company: TestCompany
  const ended: string[] = []
  /** Number of responses by status and code. */
  const counts = new Map<string, number>()
  const wrong: string[] = []
  const numbers = new Map<string, string>()
  let running = true

  beforeAll(async () => {
    cluster = ownPostgres()
    const shared = { store: 'postgres', check: false, databaseUrl: cluster.url('postgres') } as const
    const first = await startServer(shared)
    servers = [first, await startServer({ ...shared, dataDir: first.dataDir })]
    for (const { process: child } of servers)
      child.once('exit', (code, signal) => ended.push(`${code ?? signal}`))
    company = await first.company()
    await activateVerifactu(first, company.id)
  })
  afterAll(async () => {
    running = false
    for (const one of servers.reverse()) await one.stop()
    await cluster?.stop('immediate')
  })

  const validate = ({ status, json, headers, text }: Answered): boolean => {
    const code = status < 400 ? 'done' : `${status} ${json?.detail?.code}`
    counts.set(code, (counts.get(code) ?? 0) + 1)
    if (status < 400) return true
    const isAway = /^503 (service_unavailable|outcome_unknown)$/.test(code) && headers.get('retry-after')
    if (!isAway && code !== '409 invoice_race_condition') wrong.push(text)
    return false
  }

  const client = async (worker: number): Promise<void> => {
    const { call } = required(servers[worker % PROCESSES])
    const { key } = company
    while (running) {
      const saved = await call('PUT', '/drafts', { key, body: draft({ series: `S${worker % 3}` }) })
      if (validate(saved)) {
        const { id } = saved.json
        const issued = await call('POST', `/issued-invoices/${id}/issue`, { key })
        if (validate(issued)) numbers.set(id, issued.json.number)
      } else await sleep(20)
    }
  }

  const upset = async (way: Way): Promise<void> => {
    if (way === 'terminate') {
      expect(await cluster.terminate()).toBeGreaterThan(0)
      return
    }
    const refused = () => counts.get('503 service_unavailable') ?? 0
    const before = refused()
    await cluster.stop(way)
    await until(() => refused() > before, 'a request is refused without the database')
    await cluster.start()
  }

  it(`${ROUNDS} times each of ${WAYS.join(', ')} under load: no process ends, and each serves again`, async () => {
    const load = Promise.all(Array.from({ length: CLIENTS }, (_, worker) => client(worker)))
    // An error of a client ends all of this.
    load.catch(() => undefined)
    for (let round = 0; round < ROUNDS; round++)
      for (const way of WAYS) {
        const before = numbers.size
        await until(() => numbers.size > before + CLIENTS, 'invoices are issued')
        await upset(way)
        for (const { call } of servers) {
          const save = () => call('PUT', '/drafts', { key: company.key, body: draft() })
          await until(async () => (await save()).status === 201, `${way}: the server saves drafts again`, {
            everyMs: 100,
          })
        }
      }
    running = false
    await load
    expect(ended).toEqual([])
    expect(wrong).toEqual([])
    // Some requests were running during the stops.
    expect(counts.get('503 service_unavailable')).toBeGreaterThan(0)
    const store = await required(servers[0]).store()
    const own = store.of(company.id)
    for (const [invoice_id, number] of numbers) {
      const row = own.find('invoices', { invoice_id }).select(['status', 'number'])
      expect(await row.executeTakeFirst()).toEqual({ status: 'issued', number })
    }
    expect(await audit(store.acrossCompanies('a test'), company.id)).toEqual([])
    if (process.env.CUADRA_FIGURES) process.stderr.write(`${JSON.stringify(Object.fromEntries(counts))}\n`)
  }, 300_000)
}

function slow(): void {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ store: 'postgres' })
  })

  it('the health check fails within its deadline under any number of requests, and recovers afterwards', async () => {
    const client = new pg.Client({ connectionString: server.databaseUrl })
    await client.connect()
    await client.query('begin; lock table schema_migrations in access exclusive mode')
    const asked = Array.from({ length: 20 }, () => server.call('GET', '/health'))
    for (const { status, json, headers } of await Promise.all(asked))
      expect([status, json.detail.code, headers.get('retry-after')]).toEqual([
        503,
        'service_unavailable',
        '5',
      ])
    const { rows } = await client.query(
      "select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
    expect(rows).toHaveLength(1)
    await client.query('rollback')
    await client.end()
    expect((await server.call('GET', '/health')).status).toBe(200)
  })

  it('a statement has a timeout', async () => {
    const read = (await server.store()).acrossCompanies('a test')
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(read)
    expect(rows).toEqual([{ statement_timeout: '1min' }])
  })
}

if (hasPostgres()) {
  describe('a database that does not respond', slow)
  describe('servers whose database goes away', proof)
} else it.skip('servers whose database goes away: PostgreSQL is not installed here', () => {})
