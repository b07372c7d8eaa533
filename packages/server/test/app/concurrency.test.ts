/**
 * 64 issuers on 4 processes over one store, with VeriFactu, imports and drafts: no gap, no duplicate, no fork. `npm
 * test` issues 400 invoices, `npm run test:long` 2,000.
 */

import { Agent, request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { audit } from '#test/conformance/audit.ts'
import { BASE_PATH, startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft, imported } from '#test/conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { figure } from '#test/figures.ts'
import { temporaryFolder } from '#test/folders.ts'
import { sized } from '#test/size.ts'
import { until } from '#test/until.ts'

const INVOICES = sized(100, 400, 2000)
const ISSUERS = 64
const PROCESSES = 4
const SERIES = ['A', 'B', 'C']

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

async function together(workers: number, work: (worker: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))
}

/** Sends a draft whose end is held until `work` is done, on a keep-alive connection. Resolves to the status. */
const slowly = (url: string, key: string, work: () => Promise<void>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const body = Buffer.from(JSON.stringify(draft()))
    const headers = {
      'X-API-Key': key,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
      Expect: '100-continue',
    }
    const agent = new Agent({ keepAlive: true })
    const outgoing = request(
      `${url}${BASE_PATH}/drafts`,
      { method: 'PUT', headers, agent },
      ({ statusCode }) => resolve(statusCode),
    )
    outgoing.on('error', reject)
    // The server has received the headers.
    outgoing.once('continue', () => {
      outgoing.write(body.subarray(0, 20))
      work().then(() => outgoing.end(body.subarray(20)), reject)
    })
    outgoing.flushHeaders()
  })

function proof(store: 'sqlite' | 'postgres'): void {
  const dataDir = temporaryFolder()
  const servers: TestServer[] = []
  let company: TestCompany

  beforeAll(async () => {
    const databaseUrl = store === 'postgres' ? await postgresDatabase() : undefined
    const shared = { store, check: false, dataDir, ...(databaseUrl ? { databaseUrl } : {}) }
    // Starts all at once on an empty store.
    servers.push(...(await Promise.all(Array.from({ length: PROCESSES }, () => startServer(shared)))))
    const first = required(servers[0])
    company = await first.company()
    await activateVerifactu(first, company.id)
  }, 60_000)

  it('of processes that start at once on an empty store, one creates the demonstration company', async () => {
    expect(servers.filter(({ demo }) => demo !== undefined)).toHaveLength(1)
    const read = (await required(servers[0]).store()).acrossCompanies('a test')
    const made = await read
      .selectFrom('companies')
      .select('tax_id')
      .where('tax_id', '=', 'B77777779')
      .execute()
    expect(made).toHaveLength(1)
  })

  it(`${INVOICES} invoices in ${SERIES.length} series by ${ISSUERS} issuers on ${PROCESSES} processes`, async () => {
    const { key, data, id } = company
    const at = (worker: number) => required(servers[worker % PROCESSES])
    const waiting: string[] = []
    let next = 0
    await together(PROCESSES, async (worker) => {
      for (let index = next++; index < INVOICES / 100; index = next++) {
        const invoices = Array.from({ length: 100 }, (_, n) => draft({ series: required(SERIES[n % 3]) }))
        const { status, json, text } = await at(worker).call('POST', '/drafts/batch', {
          key,
          body: { invoices },
        })
        expect(status, text).toBe(200)
        expect(json.accepted).toBe(100)
        waiting.push(...json.items.map((item: { id: string }) => item.id))
      }
    })
    expect(waiting).toHaveLength(INVOICES)

    const numbers = new Map<string, string>()
    const refused: string[] = []
    const took: number[] = []
    const tookBy = Array.from({ length: PROCESSES }, (): number[] => [])
    let running = true
    const meanwhile = together(PROCESSES, async (worker) => {
      for (let n = 0; running; n++) {
        const { status, text } = await at(worker).call('POST', '/issued-invoices/import', {
          key,
          body: imported({ taxId: data.tax_id, number: `OLD-${worker}-${n}` }),
        })
        if (status !== 201) refused.push(text)
        const saved = await at(worker).call('PUT', '/drafts', { key, body: draft({ series: 'A' }) })
        if (saved.status !== 201) refused.push(saved.text)
      }
    })
    const started = performance.now()
    await together(ISSUERS, async (worker) => {
      for (let invoice = waiting.pop(); invoice; invoice = waiting.pop()) {
        const asked = performance.now()
        const { status, json, text } = await at(worker).call('POST', `/issued-invoices/${invoice}/issue`, {
          key,
        })
        const ms = performance.now() - asked
        took.push(ms)
        tookBy[worker % PROCESSES]?.push(ms)
        if (status !== 200) refused.push(text)
        else numbers.set(invoice, json.number)
      }
    })
    const seconds = (performance.now() - started) / 1000
    running = false
    await meanwhile
    took.sort((a, b) => a - b)
    const figures = {
      store,
      invoices: INVOICES,
      seconds: +seconds.toFixed(2),
      perSecond: Math.round(INVOICES / seconds),
      p50: Math.round(quantile(took, 0.5)),
      p99: Math.round(quantile(took, 0.99)),
      slowest: Math.round(quantile(took, 1)),
      byProcess: tookBy.map((one) => one.length),
    }
    figure(JSON.stringify(figures))
    expect(refused).toEqual([])

    // Responses match the store, and the numbers of each series are 1 to its count.
    const read = (await required(servers[0]).store()).acrossCompanies('a test')
    const rows = await read
      .selectFrom('invoices')
      .select(['invoice_id', 'number', 'series'])
      .where('company_id', '=', id)
      .where('status', '=', 'issued')
      .where('imported', '=', 0)
      .execute()
    expect(rows).toHaveLength(INVOICES)
    for (const { invoice_id, number } of rows) expect(number).toBe(numbers.get(invoice_id))
    for (const series of SERIES) {
      const own = rows
        .filter((row) => row.series === series)
        .map(({ number }) => number)
        .sort()
      expect(own).toEqual(own.map((_, index) => `${series}${String(index + 1).padStart(6, '0')}`))
    }
    const records = await read
      .selectFrom('verifactu_records')
      .select('invoice_id')
      .where('company_id', '=', id)
      .execute()
    expect(new Set(records.map(({ invoice_id }) => invoice_id))).toEqual(new Set(numbers.keys()))
    expect(await audit(read, id)).toEqual([])
  }, 240_000)

  it('a process that is stopped finishes its request, and then ends', async () => {
    const { url, process: child } = required(servers.at(-1))
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const started = performance.now()
    const status = await slowly(url, company.key, async () => {
      child.kill('SIGTERM')
      const isRefused = () =>
        fetch(`${url}/health`).then(
          () => false,
          () => true,
        )
      await until(isRefused, 'the process accepts no more connections')
    })
    expect([status, await exit]).toEqual([201, 0])
    // Well before the time that a stop allows, which a keep-alive connection must not use up.
    expect(performance.now() - started).toBeLessThan(9000)
  })
}

describe('concurrent issue on the embedded database', () => proof('sqlite'))
if (hasPostgres()) describe('concurrent issue on PostgreSQL', () => proof('postgres'))
else it.skip('concurrent issue on PostgreSQL: it is not installed here', () => {})
