/**
 * A full disk under a running server: what does not fit is refused completely, what was acknowledged stays, reading
 * continues, and writing does too once there is space.
 */

import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import { audit } from '#test/conformance/audit.ts'
import {
  type Answered,
  BASE_PATH,
  startServer,
  type TestCompany,
  type TestServer,
} from '#test/conformance/harness.ts'
import { draft, imported, nextRef, received } from '#test/conformance/invoices.ts'
import { hasPostgres, type OwnCluster, ownPostgres } from '#test/conformance/postgres.ts'
import { requestFor } from '#test/conformance/requests.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { createLog } from '../../src/environment/log.ts'
import { ROUTES } from '../../src/http/routes/index.ts'
import { type SmallDisk, smallDisk } from './small-disk.ts'

const MEGABYTE = 1024 * 1024
const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** What was acknowledged, and the number of refusals. */
class Story {
  readonly numbers = new Map<string, string>()
  readonly drafts = new Set<string>()
  readonly received = new Set<string>()
  /** SHA-256 by the path of a download. */
  readonly files = new Map<string, string>()
  refused = 0

  constructor(
    readonly server: () => TestServer,
    readonly company: TestCompany,
  ) {}

  /** Returns whether it is done. Anything but the two refusals of a full disk throws. */
  #assess({ status, json, text }: Answered): boolean {
    if (status < 300) return true
    if (status !== 507 && status !== 503) throw new Error(`${status} ${text}`)
    const { batch_id, accepted, total, items, ...detail } = json.detail
    expect(detail).toEqual({
      code: status === 507 ? 'insufficient_storage' : 'service_unavailable',
      message: expect.any(String),
      request_id: expect.any(String),
      doc_url: expect.any(String),
    })
    this.refused++
    return false
  }

  async #send(method: string, path: string, body?: unknown, headers = {}): Promise<Answered['json']> {
    const answer = await this.server().call(method, path, { key: this.company.key, body, headers })
    return this.#assess(answer) ? (answer.json ?? {}) : undefined
  }

  async draft(): Promise<string | undefined> {
    const done = await this.#send('PUT', '/drafts', draft())
    if (done) this.drafts.add(done.id)
    return done?.id
  }

  /** A batch that is interrupted states what is stored. */
  async batch(): Promise<void> {
    const invoices = [draft(), draft(), draft()]
    const answer = await this.server().call('POST', '/drafts/batch', {
      key: this.company.key,
      body: { invoices },
    })
    this.#assess(answer)
    const { items = [] } = answer.status === 200 ? answer.json : answer.json.detail
    for (const { id } of items) this.drafts.add(id)
  }

  async issue(id: string): Promise<void> {
    const done = await this.#send(
      'POST',
      `/issued-invoices/${id}/issue`,
      {},
      { 'Idempotency-Key': nextRef() },
    )
    if (done) this.numbers.set(id, done.number)
    if (done) this.drafts.delete(id)
  }

  async import(): Promise<void> {
    const number = nextRef('OLD')
    const body = imported({ taxId: this.company.data.tax_id, number })
    const done = await this.#send('POST', '/issued-invoices/import', body)
    if (done) this.numbers.set(done.id, number)
  }

  async receive(): Promise<void> {
    const body = received({ taxId: this.company.data.tax_id, number: nextRef('R') })
    const done = await this.#send('PUT', '/received-invoices', body)
    if (done) this.received.add(done.id)
  }

  async upload(invoice: string, bytes: number): Promise<boolean> {
    const content = randomBytes(bytes)
    const form = new FormData()
    form.append('file', new Blob([content]), 'file.bin')
    const done = await this.#send('POST', `/drafts/${invoice}/documents`, form)
    if (done) this.files.set(`/issued-invoices/${invoice}/documents/${done.public_id}`, hashOf(content))
    return done !== undefined
  }

  /** Writes one of each kind, concurrently. */
  async everything(holder: string): Promise<void> {
    const [one = '', two = ''] = [...this.drafts].filter((id) => id !== holder)
    await Promise.all([
      this.draft(),
      this.issue(one),
      this.issue(two),
      this.upload(holder, 20_000),
      this.import(),
      this.receive(),
      this.batch(),
    ])
  }

  /** Requires that exactly what was acknowledged is there. */
  async requireHeld(): Promise<void> {
    const { company, server } = this
    const read = async (path: string) => {
      const { status, json } = await server().call('GET', path, { key: company.key })
      expect(`${path} ${status}`).toBe(`${path} 200`)
      return json
    }
    const hashAt = async (path: string) => {
      const headers = { 'X-API-Key': company.key }
      const response = await fetch(`${server().url}${BASE_PATH}${path}`, { headers })
      return hashOf(new Uint8Array(await response.arrayBuffer()))
    }
    await Promise.all([
      ...[...this.numbers].map(async ([id, number]) =>
        expect(await read(`/issued-invoices/${id}`)).toMatchObject({ status: 'issued', number }),
      ),
      ...[...this.drafts].map(async (id) =>
        expect(await read(`/drafts/${id}`)).toMatchObject({ status: 'draft', number: null }),
      ),
      ...[...this.received].map(async (id) =>
        expect(await read(`/received-invoices/${id}`)).toMatchObject({ id }),
      ),
      ...[...this.files].map(async ([path, hash]) =>
        expect(`${path} ${await hashAt(path)}`).toBe(`${path} ${hash}`),
      ),
    ])
    expect((await read('/issued-invoices')).total).toBe(this.numbers.size + this.drafts.size)
    expect((await read('/received-invoices')).total).toBe(this.received.size)
    const store = await server().store()
    expect(await audit(store.acrossCompanies('a test'), company.id, server().dataDir)).toEqual([])
    const rows = store.of(company.id).select('attachments').select('document_id')
    expect(await rows.execute()).toHaveLength(this.files.size)
  }
}

function embedded(): void {
  let disk: SmallDisk
  let server: TestServer
  let story: Story
  /** The draft to attach files to. */
  let holder: string
  let limited: string
  const start = () => startServer({ store: 'sqlite', dataDir: disk.folder })

  beforeAll(async () => {
    disk = required(smallDisk(14))
    server = await start()
    const company = await server.company()
    await activateVerifactu(server, company.id)
    limited = await server.key(company.id, { scopes: ['*'], rate: 60 })
    story = new Story(() => server, company)
    holder = required(await story.draft())
    for (let n = 0; n < 12; n++) await story.draft()
    await story.everything(holder)
    // To be freed later.
    disk.fill()
    disk.free(9 * MEGABYTE)
  }, 60_000)
  afterAll(async () => {
    await server?.kill()
    disk?.remove()
  })

  it('refuses uploads that do not fit, and leaves no part of them', async () => {
    while (await story.upload(holder, 3 * MEGABYTE));
    await story.requireHeld()
  })

  it('refuses every kind of write with 507, at any stage', async () => {
    // The write-ahead log is copied to the database after about 4 MB, which does not fit with the smallest of these.
    for (const space of [0, 20_000, 100_000, 400_000, 1_800_000]) {
      disk.fill()
      disk.free(space)
      const before = story.refused
      for (let round = 0; round < 40 && story.refused < before + 7; round++) await story.everything(holder)
      expect(story.refused, `with ${space} bytes`).toBeGreaterThan(before)
    }
    disk.fill()
    await story.requireHeld()
    for (const route of ROUTES.filter(({ method }) => method !== 'get')) {
      const { method, path, ...request } = requestFor(route, {
        params: { invoice_id: holder },
        taxId: story.company.data.tax_id,
      })
      const answer = await server.call(method, path, { key: story.company.key, ...request })
      expect([200, 403, 404, 405, 409, 422, 507], `${method} ${path} ${answer.text}`).toContain(answer.status)
    }
    await story.requireHeld()
    expect(server.process.exitCode).toBe(null)
  })

  it('continues to answer reads, also for keys with a rate limit', async () => {
    const read = (path: string, key = story.company.key) => server.call('GET', path, { key })
    const paths = ['/company', '/issued-invoices', `/drafts/${holder}`, '/received-invoices', '/health']
    for (const path of paths) expect((await read(path)).status, path).toBe(200)
    const answers = []
    for (let n = 0; n < 61; n++) answers.push((await read('/company', limited)).status)
    expect(answers).toEqual([...Array(60).fill(200), 429])
  })

  it('lets the administrator read and verify, and states in one line why nothing can be changed', async () => {
    const { id } = story.company
    const run = (...args: string[]) => administer(server, args)
    expect((await run('company', 'list')).status).toBe(0)
    expect(await run('verify')).toMatchObject({ status: 0, stderr: '' })
    const full = 'cuadra-admin: The disk is full. Nothing was changed. Free space and try again.\n'
    for (const args of [
      ['key', 'create', '--company', id, '--scopes', '*'],
      ['series', 'configure', '--company', id, '--code', 'F', '--next', '900'],
      ['certificate', 'add', '--company', id, '--demo'],
      ['return', 'file', '--company', id, '--period', '2026-Q1'],
      ['invoice', 'queue', holder],
    ])
      expect(await run(...args)).toMatchObject({ status: 1, stdout: '', stderr: full })
    disk.free(200_000)
    const out = join(disk.folder, 'out')
    expect(await run('export', '--company', id, '--out', out)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `cuadra-admin: The disk is full: ${out} is incomplete (no index.json). Remove it, free space and try again.\n`,
    })
    rmSync(out, { recursive: true })
  })

  it('writes again as soon as there is space, without a restart', async () => {
    disk.free()
    const { refused } = story
    await story.everything(holder)
    expect(story.refused).toBe(refused)
    await story.requireHeld()
    expect(await administer(server, ['verify'])).toMatchObject({ status: 0, stderr: '' })
  })

  it('starts on a full disk after a crash, and reads', async () => {
    disk.fill()
    await server.kill()
    server = await start()
    await story.requireHeld()
    expect(await story.upload(holder, 1)).toBe(false)
  })

  it('states in one line that a new database does not fit', async () => {
    disk.free()
    await server.stop()
    for (const name of readdirSync(disk.folder).filter((one) => one.startsWith('cuadra.db')))
      rmSync(join(disk.folder, name))
    disk.fill()
    const started = start().then(
      async (other) => {
        await other.kill()
        return 'it started'
      },
      ({ message }: Error) => message,
    )
    expect(await started).toMatch(
      /^the server ended with 1: cuadra-server: The disk of the database is full, so it cannot be opened[^\n]*\n$/,
    )
    const { status, stderr } = await administer(server, ['company', 'list'])
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'cuadra-admin: The disk is full. Nothing was changed. Free space and try again.\n',
    })
  })
}

/** Rows and files on one full disk: the tables of the database are on it, its log is not. */
function postgres(): void {
  let disk: SmallDisk
  let server: TestServer
  let cluster: OwnCluster | undefined

  beforeAll(async () => {
    disk = required(smallDisk(40))
    const tables = join(disk.folder, 'tables')
    mkdirSync(tables)
    if (spawnSync('chown', ['postgres', tables]).status !== 0) chmodSync(tables, 0o700)
    // Its own cluster, so that other tests do not meet a full disk.
    cluster = ownPostgres()
    const address = cluster.url('small')
    const run = async (...statements: string[]) => {
      const client = new pg.Client({ connectionString: cluster?.url('postgres') })
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    }
    await run(`create tablespace small location '${tables}'`, 'create database small tablespace small')
    server = await startServer({ store: 'postgres', dataDir: disk.folder, databaseUrl: address })
  }, 60_000)
  afterAll(async () => {
    await server?.kill()
    await cluster?.stop('immediate')
    disk?.remove()
  })

  it('refuses files and rows with 507, completely, and continues once there is space', async () => {
    const story = new Story(() => server, await server.company())
    await activateVerifactu(server, story.company.id)
    const holder = required(await story.draft())
    for (let n = 0; n < 12; n++) await story.draft()
    disk.fill()
    expect(await story.upload(holder, 10)).toBe(false)
    for (let round = 0; round < 40 && story.refused < 20; round++) await story.everything(holder)
    // Rows as well: a file that does not fit would be the only refusal of a round.
    expect(story.refused).toBeGreaterThan(19)
    await story.requireHeld()
    disk.free()
    const { refused } = story
    await story.everything(holder)
    expect(story.refused).toBe(refused)
    await story.requireHeld()
    expect(await administer(server, ['verify'])).toMatchObject({ status: 0, stderr: '' })
  })
}

function log(): void {
  it('ends nothing, and buffered lines are written with the next one that succeeds', () => {
    const disk = required(smallDisk(1))
    const file = join(disk.folder, 'log')
    const descriptor = openSync(file, 'a')
    try {
      const lines = createLog('info', descriptor)
      lines.info('before')
      disk.fill()
      for (let n = 0; n < 100; n++) lines.info(`${n} ${'.'.repeat(100)}`)
      expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(100)
      disk.free()
      lines.info('after')
      const written = readFileSync(file, 'utf8').trimEnd().split('\n')
      expect(written.map((line) => JSON.parse(line).msg.split(' ')[0])).toEqual([
        'before',
        ...Array.from({ length: 100 }, (_, n) => String(n)),
        'after',
      ])
    } finally {
      closeSync(descriptor)
      disk.remove()
    }
  })
}

const hasDisk = (() => {
  const disk = smallDisk(1)
  disk?.remove()
  return disk !== undefined
})()

if (hasDisk) {
  describe('a full disk under the embedded database', embedded)
  if (hasPostgres()) describe('a full disk under PostgreSQL', postgres)
  else it.skip('a full disk under PostgreSQL: it is not installed here', () => {})
  describe('a full disk under the log', log)
} else it.skip('a full disk: no file system can be mounted here', () => {})
