/**
 * A database that accepts no changes: a file system that is mounted read-only, one that becomes read-only after a disk
 * error, and PostgreSQL after a failover to a server that is read-only, or to a standby that is promoted later.
 */

import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import { audit } from '#test/conformance/audit.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { hasPostgres, type OwnCluster, ownPostgres, urlIn } from '#test/conformance/postgres.ts'
import { requestFor } from '#test/conformance/requests.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { temporaryFolder } from '#test/folders.ts'
import { until } from '#test/until.ts'
import { ROUTES } from '../../src/http/routes/index.ts'
import { journaledDisk } from './small-disk.ts'

/** A server with an issued invoice and two drafts. */
class Story {
  company!: TestCompany
  limited!: string
  issued!: string
  drafts: string[] = []

  constructor(public server: TestServer) {}

  async begin(): Promise<void> {
    this.company = await this.server.company()
    this.limited = await this.server.key(this.company.id, { scopes: ['*'], rate: 60 })
    await activateVerifactu(this.server, this.company.id)
    for (let n = 0; n < 3; n++) this.drafts.push((await this.#send('PUT', '/drafts', draft())).json.id)
    this.issued = required(this.drafts.pop())
    expect((await this.issue(this.issued)).status).toBe(200)
  }

  #send(method: string, path: string, body?: unknown, key = this.company.key) {
    return this.server.call(method, path, { key, body })
  }

  issue(id: string) {
    return this.#send('POST', `/issued-invoices/${id}/issue`, {})
  }

  async metric(name: string): Promise<string | undefined> {
    const text = await (await fetch(`${this.server.url}/metrics`)).text()
    return new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  }

  /** Requires that every route either works or responds with 503, that reading works, and that monitoring reports it. */
  async requireReadOnly(): Promise<void> {
    const { company, limited, issued, drafts } = this
    const wrong: string[] = []
    let refused = 0
    for (const route of ROUTES) {
      const params = { invoice_id: route.path.startsWith('/drafts') ? required(drafts[0]) : issued }
      const { method, path, ...request } = requestFor(route, { params, taxId: company.data.tax_id })
      const { status, text, headers, json } = await this.server.call(method, path, {
        key: company.key,
        ...request,
      })
      const isRefused = status === 503 && json.detail.code === 'service_unavailable'
      if (isRefused) refused++
      if (isRefused ? !headers.get('retry-after') : status >= 500) wrong.push(`${method} ${path}: ${text}`)
    }
    expect(wrong).toEqual([])
    expect(refused).toBeGreaterThan(5)
    for (const key of [company.key, limited])
      for (const path of ['/company', '/issued-invoices', `/issued-invoices/${issued}`, '/drafts'])
        expect((await this.#send('GET', path, undefined, key)).status, path).toBe(200)
    const { json } = await this.issue(required(drafts[0]))
    expect(json.detail.message).toContain('currently accepts no changes')
    const health = await fetch(`${this.server.url}/health`)
    expect([health.status, health.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await health.text()).toContain('currently accepts no changes')
    expect(await this.metric('cuadra_database_writable')).toBe('0')
    expect(await this.metric('cuadra_database_readable')).toBe('1')
    await expect
      .poll(() => this.server.output())
      .toMatch(/"msg":"[^"]*(accepts no changes|cannot be read and written)/)
    expect(this.server.process.exitCode).toBe(null)
  }

  /** Requires that everything works again, and that no number was skipped or given twice. */
  async requireWritable(): Promise<void> {
    await until(
      async () => (await fetch(`${this.server.url}/health`)).status === 200,
      'the server accepts changes again',
    )
    for (const id of this.drafts.splice(0)) expect((await this.issue(id)).status).toBe(200)
    expect(await audit((await this.server.store()).acrossCompanies('a test'), this.company.id)).toEqual([])
    expect(await administer(this.server, ['verify'])).toMatchObject({ status: 0, stderr: '' })
  }
}

const disk = journaledDisk()

describe.skipIf(!disk)('a disk that becomes read-only', () => {
  let story: Story
  const start = () => startServer({ store: 'sqlite', dataDir: required(disk?.folder) })
  beforeAll(async () => {
    story = new Story(await start())
    await story.begin()
  }, 60_000)
  afterAll(() => story?.server.kill())

  it('after an error: changes are refused with 503, reading continues, monitoring reports it', async () => {
    disk?.turnReadOnly()
    expect((await story.issue(required(story.drafts[0]))).status).toBe(503)
    await story.requireReadOnly()
  })

  it('at the start: the server does not start, and states the file; on a writable disk it continues', async () => {
    await story.server.kill()
    disk?.mountAgain('ro')
    await expect(start()).rejects.toThrow(
      /\ncuadra-server: \S+cuadra\.db cannot be read and written [^\n]+\n$/,
    )
    disk?.mountAgain('rw')
    story.server = await start()
    await story.requireWritable()
  })
})

async function execute(cluster: OwnCluster, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: cluster.url('postgres') })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

describe.skipIf(!hasPostgres())('a failover of PostgreSQL to a server that is read-only', () => {
  let cluster: OwnCluster
  let story: Story
  const failOver = async (value: 'on' | 'off') => {
    await execute(cluster, `alter system set default_transaction_read_only = ${value}`)
    await cluster.stop('immediate')
    await cluster.start()
  }
  beforeAll(async () => {
    cluster = ownPostgres()
    story = new Story(await startServer({ store: 'postgres', databaseUrl: cluster.url('postgres') }))
    await story.begin()
  }, 60_000)
  afterAll(async () => {
    await story?.server.kill()
    await cluster?.stop('immediate')
  })

  it('refuses changes with 503 and reads, reports it at the start too, and recovers by itself', async () => {
    await failOver('on')
    await until(async () => (await story.issue(required(story.drafts[0]))).status === 503, 'it is read-only')
    await story.requireReadOnly()
    expect((await administer(story.server, ['doctor', '--json'])).json.findings).toContainEqual(
      expect.objectContaining({
        check: 'database',
        level: 'error',
        what: expect.stringContaining('changes'),
      }),
    )
    const { databaseUrl, dataDir } = story.server
    await story.server.kill()
    story.server = await startServer({ store: 'postgres', databaseUrl: required(databaseUrl), dataDir })
    await story.requireReadOnly()
    await failOver('off')
    await story.requireWritable()
  }, 60_000)
})

describe.skipIf(!hasPostgres())('a failover of PostgreSQL to its synchronous standby', () => {
  const address = join(temporaryFolder(), 'address')
  let [primary, standby]: OwnCluster[] = []
  let story: Story
  const lead = (cluster: OwnCluster) => {
    rmSync(address, { force: true })
    symlinkSync(cluster.folder, address)
  }
  afterAll(async () => {
    await story?.server.kill()
    await standby?.stop('immediate')
  })

  it('loses nothing that was acknowledged, refuses changes with 503 until the promotion, and continues', async () => {
    primary = ownPostgres()
    standby = ownPostgres(primary)
    await execute(primary, "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()')
    lead(primary)
    story = new Story(await startServer({ store: 'postgres', databaseUrl: urlIn(address)('postgres') }))
    await story.begin()
    const numbers = new Map<string, string>()
    const wrong: string[] = []
    const { call } = story.server
    const { key } = story.company
    let isCut = false
    const client = async () => {
      while (!isCut) {
        const saved = await call('PUT', '/drafts', { key, body: draft() })
        const { id } = saved.json
        const issued = id ? await call('POST', `/issued-invoices/${id}/issue`, { key }) : saved
        if (issued.status === 200) numbers.set(id, issued.json.number)
        else if (issued.status !== 503 || !issued.headers.get('retry-after')) wrong.push(issued.text)
      }
    }
    const clients = Array.from({ length: 4 }, client)
    await until(() => numbers.size > 8, 'invoices are issued')
    await primary.stop('immediate')
    await until(async () => (await story.issue(required(story.drafts[0]))).status === 503, 'it is away')
    isCut = true
    await Promise.all(clients)
    lead(standby)
    await until(async () => (await call('GET', '/drafts', { key })).status === 200, 'the standby is read')
    await story.requireReadOnly()
    await standby.promote()
    await story.requireWritable()
    for (const [id, number] of numbers)
      expect((await call('GET', `/issued-invoices/${id}`, { key })).json).toMatchObject({
        status: 'issued',
        number,
      })
    expect(wrong).toEqual([])
  }, 120_000)
})
