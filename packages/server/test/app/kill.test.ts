/**
 * `kill -9` at a random time during concurrent issues, imports and uploads. After each restart every response still
 * holds, `cuadra-admin verify` finds no problem, no number is lost or used twice, no file is an orphan, and a repeated
 * request with its Idempotency-Key is done exactly once. One cycle in `npm test`, 5 in `npm run test:all`, 50 in
 * `npm run test:long`.
 *
 * @slowest
 */

import { execFile } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { audit } from '#test/conformance/audit.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft, imported, nextRef } from '#test/conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { figure } from '#test/figures.ts'
import { pathAndFolder, temporaryFolder } from '#test/folders.ts'
import { itInAll, sized } from '#test/size.ts'
import { until } from '#test/until.ts'

const CYCLES = { sqlite: sized(1, 5, 50), postgres: sized(1, 2, 15) }
const SERIES = ['K', 'L', 'M']
const BATCH = 40

const SERVER =
  process.env.CUADRA_SERVER_PROGRAM ??
  fileURLToPath(new URL('../../../../dist/server/main.js', import.meta.url))
const ADMIN = join(dirname(SERVER), 'admin.js')

/** Everything that was acknowledged, which must hold from then on. */
interface Promised {
  readonly number: Map<string, string>
  readonly drafts: Set<string>
  readonly imports: Map<string, string>
  /** SHA-256 by the path of a download. */
  readonly files: Map<string, string>
  /** Sent, with an unknown outcome. */
  readonly uncertain: Sent[]
}

interface Sent {
  readonly path: string
  readonly body: unknown
  readonly idempotencyKey: string
  /** Records the response. */
  readonly keep: (json: Record<'id' | 'number' | 'public_id', string>) => void
}

const hashOf = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex')

function proof(store: 'sqlite' | 'postgres'): void {
  const dataDir = temporaryFolder()
  let databaseUrl: string | undefined
  let server: TestServer | undefined
  let company: TestCompany
  const promised: Promised = {
    number: new Map(),
    drafts: new Set(),
    imports: new Map(),
    files: new Map(),
    uncertain: [],
  }
  /** Sent before the kill, and still without a response. */
  let running = false

  const start = async (): Promise<TestServer> => {
    databaseUrl ??= store === 'postgres' ? await postgresDatabase() : undefined
    return startServer({ store, dataDir, check: false, ...(databaseUrl ? { databaseUrl } : {}) })
  }

  /** Sends a request with its own key. Without a response its outcome is uncertain. */
  const send = async (to: TestServer, sent: Sent): Promise<void> => {
    const { path, body, idempotencyKey, keep } = sent
    let answer: Awaited<ReturnType<TestServer['call']>>
    try {
      answer = await to.call('POST', path, {
        key: company.key,
        body,
        headers: { 'Idempotency-Key': idempotencyKey },
      })
    } catch {
      promised.uncertain.push(sent)
      return
    }
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    keep(answer.json)
  }

  const issue = (to: TestServer, invoice: string): Promise<void> =>
    send(to, {
      path: `/issued-invoices/${invoice}/issue`,
      body: {},
      idempotencyKey: randomUUID(),
      keep: ({ number }) => {
        promised.drafts.delete(invoice)
        promised.number.set(invoice, number)
      },
    })

  const importOne = (to: TestServer): Promise<void> => {
    const number = nextRef('OLD')
    return send(to, {
      path: '/issued-invoices/import',
      body: imported({ taxId: company.data.tax_id, number }),
      idempotencyKey: randomUUID(),
      keep: ({ id }) => promised.imports.set(id, number),
    })
  }

  const upload = (to: TestServer, invoice: string): Promise<void> => {
    const content = randomBytes(1 + Math.floor(Math.random() * 600_000))
    const form = new FormData()
    form.append('file', new Blob([content], { type: 'application/octet-stream' }), `${nextRef('file')}.bin`)
    return send(to, {
      path: `/drafts/${invoice}/documents`,
      body: form,
      idempotencyKey: randomUUID(),
      keep: ({ public_id }) =>
        promised.files.set(`/issued-invoices/${invoice}/documents/${public_id}`, hashOf(content)),
    })
  }

  /** Runs as much as possible before the kill. `attached` are drafts that stay drafts. */
  const load = async (to: TestServer, waiting: string[], attached: readonly string[]): Promise<void> => {
    const worker = async (work: () => Promise<void> | undefined) => {
      while (running) {
        const done = work()
        if (!done) return
        await done
      }
    }
    const issuers = Array.from({ length: 8 }, () =>
      worker(() => {
        const invoice = waiting.pop()
        return invoice === undefined ? undefined : issue(to, invoice)
      }),
    )
    const importers = Array.from({ length: 2 }, () => worker(() => importOne(to)))
    const uploaders = attached.map((invoice) => worker(() => upload(to, invoice)))
    await Promise.all([...issuers, ...importers, ...uploaders])
  }

  const newDrafts = async (to: TestServer, count: number): Promise<string[]> => {
    const invoices = Array.from({ length: count }, (_, n) =>
      draft({ series: required(SERIES[n % SERIES.length]) }),
    )
    const { status, json, text } = await to.call('POST', '/drafts/batch', {
      key: company.key,
      body: { invoices },
    })
    if (status !== 200 || json.accepted !== count) throw new Error(text)
    const ids: string[] = json.items.map(({ id }: { id: string }) => id)
    for (const id of ids) promised.drafts.add(id)
    return ids
  }

  /** Reads back everything that was acknowledged. */
  const requireHeld = async (from: TestServer): Promise<void> => {
    const { key } = company
    const read = async (path: string) => {
      const answer = await from.call('GET', path, { key })
      expect(`${path} ${answer.status}`).toBe(`${path} 200`)
      return answer.json
    }
    for (const [id, number] of promised.number)
      expect(await read(`/issued-invoices/${id}`)).toMatchObject({ status: 'issued', number })
    for (const [id, number] of promised.imports)
      expect(await read(`/issued-invoices/${id}`)).toMatchObject({ status: 'issued', number })
    for (const id of promised.drafts)
      expect(await read(`/drafts/${id}`)).toMatchObject({ status: 'draft', number: null })
    for (const [path, hash] of promised.files) {
      const response = await fetch(`${from.url}/api/v1.1${path}`, { headers: { 'X-API-Key': key } })
      expect(`${path} ${response.status}`).toBe(`${path} 200`)
      expect(`${path} ${hashOf(new Uint8Array(await response.arrayBuffer()))}`).toBe(`${path} ${hash}`)
    }
  }

  const requireClean = async (from: TestServer): Promise<void> => {
    const store = await from.store()
    expect(await audit(store.acrossCompanies('a test'), company.id, dataDir)).toEqual([])
    const own = store.of(company.id)
    expect(await own.select('attachments').select('invoice_id').execute()).toHaveLength(promised.files.size)
    expect(await own.select('pending_files').select('file_key').execute()).toEqual([])
    const env = {
      ...pathAndFolder(),
      CUADRA_DATA_DIR: dataDir,
      CUADRA_LOG_LEVEL: 'silent',
      ...(databaseUrl ? { CUADRA_DATABASE_URL: databaseUrl } : {}),
    }
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [ADMIN, 'verify', '--company', company.id],
      { env },
    )
    // A problem would be exit code 1, which has thrown.
    expect(stdout).toContain('files in the store')
  }

  itInAll(
    `${CYCLES[store]} times killed and started again`,
    async () => {
      server = await start()
      company = await server.company()
      await activateVerifactu(server, company.id)
      let uncertain = 0
      for (let cycle = 0; cycle < CYCLES[store]; cycle++) {
        const attached = await newDrafts(server, 3)
        const waiting = await newDrafts(server, BATCH)
        running = true
        const loading = load(server, waiting, attached)
        const before = promised.number.size
        await until(() => promised.number.size > before, 'an invoice is issued')
        await sleep(Math.random() * 500)
        running = false
        await server.kill()
        await loading

        server = await start()
        const again = promised.uncertain.splice(0)
        uncertain += again.length
        // Twice concurrently: whether it was done before the kill or now, it is done once.
        await Promise.all(
          again.flatMap((sent) => [send(required(server), sent), send(required(server), sent)]),
        )
        expect(promised.uncertain).toEqual([])
        await requireHeld(server)
        await requireClean(server)
      }
      expect(promised.number.size).toBeGreaterThan(CYCLES[store])
      expect(promised.imports.size).toBeGreaterThan(CYCLES[store])
      expect(promised.files.size).toBeGreaterThan(CYCLES[store])
      // Some requests were running during the kills.
      expect(uncertain).toBeGreaterThan(CYCLES[store])
      figure(
        `${store}: killed ${CYCLES[store]} times; ${promised.number.size} issued, ${promised.imports.size} imported and ${promised.files.size} files confirmed, none lost; ${uncertain} requests without a response`,
      )
    },
    600_000,
  )
}

describe('kill -9 of a server on the embedded database', () => proof('sqlite'))
if (hasPostgres()) describe('kill -9 of a server on PostgreSQL', () => proof('postgres'))
else it.skip('kill -9 of a server on PostgreSQL: it is not installed here', () => {})
