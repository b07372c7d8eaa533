/**
 * @slow
 *
 * Damages the pages of a database one by one, as a faulty disk does: overwritten, zeroed, and with flipped bits; and
 * flips a bit in the names of the members of stored JSON texts, which can still be parsed. No response is 500, no
 * number is given twice, and `doctor` or `verify` names the damage.
 */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileProblem } from 'cuadra-storage/storage-faults.ts'
import Database from 'libsql'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import { BASE_PATH, startServer, type TestCompany } from '#test/conformance/harness.ts'
import { draft, nextRef, received } from '#test/conformance/invoices.ts'
import { requestFor } from '#test/conformance/requests.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { temporaryFolder } from '#test/folders.ts'
import { portOf } from '#test/narrow.ts'
import { sized } from '#test/size.ts'
import { openApp } from '../../src/app/open.ts'
import { readConfig } from '../../src/environment/config.ts'
import { ROUTES } from '../../src/http/routes/index.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { DATABASE_FILE } from '../../src/store/store.ts'
import { COMPANY_TABLES, columnNamesOf } from '../../src/store/tables.ts'
import { createWork } from '../../src/work/work.ts'

const PAGE = 4096

const DAMAGES: Readonly<Record<string, (page: Buffer, seed: number) => unknown>> = {
  overwritten: (page) => page.fill(0x5a),
  zeroed: (page) => page.fill(0),
  'one bit flipped in each of 8 bytes': (page, seed) => {
    const places = createHash('sha512').update(String(seed)).digest()
    // A text that is no longer UTF-8 would end the process within the database library.
    const used = [...page.keys()].filter((at) => page[at] !== 0 && required(page[at]) < 0x80)
    if (used.length === 0) return
    for (let n = 0; n < 8; n++) {
      const at = required(used[places.readUInt16LE(2 * n) % used.length])
      page[at] = required(page[at]) ^ (1 << (n % 7))
    }
  },
}

const source = temporaryFolder()
const target = { dataDir: join(temporaryFolder(), 'data'), databaseUrl: undefined }
const file = join(target.dataDir, DATABASE_FILE)
let whole: Buffer
let company: TestCompany
let issued: string
let drafts: string[]
const numbers = new Set<string>()

beforeAll(async () => {
  const server = await startServer({ store: 'sqlite', dataDir: source })
  company = await server.company()
  await activateVerifactu(server, company.id)
  const send = async (method: string, path: string, body?: unknown) => {
    const { json } = await server.call(method, path, { key: company.key, body })
    return json
  }
  drafts = []
  for (let n = 0; n < 8; n++) drafts.push((await send('PUT', '/drafts', draft())).id)
  for (const id of drafts.splice(0, 5)) {
    numbers.add((await send('POST', `/issued-invoices/${id}/issue`, {})).number)
    issued = id
  }
  const form = new FormData()
  form.append('file', new Blob(['content']), 'file.bin')
  await send('POST', `/issued-invoices/${issued}/documents`, form)
  const body = received({ taxId: company.data.tax_id, number: nextRef('R') })
  await send('PUT', '/received-invoices', body)
  await server.stop()
  const database = new Database(join(source, DATABASE_FILE))
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  whole = readFileSync(join(source, DATABASE_FILE))
}, 60_000)

/** Sends a request of every kind to a server on the damaged file. Returns what is wrong. */
async function problemsOfServer(): Promise<string[]> {
  let app: Awaited<ReturnType<typeof openApp>>
  try {
    const config = readConfig({
      CUADRA_DATA_DIR: target.dataDir,
      CUADRA_LOG_LEVEL: 'silent',
    })
    app = await openApp(config, {
      work: createWork(new URL('file:///none'), { large: Number.POSITIVE_INFINITY }),
    })
  } catch (error) {
    // A flipped bit in the number of the version is another version.
    return fileProblem(error) || String(error).includes(`${file} has version `) ? [] : [`start: ${error}`]
  }
  const server = createHttpServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${portOf(server)}${BASE_PATH}`
  const problems: string[] = []
  const send = async (method: string, path: string, { body, headers = {} }: any): Promise<any> => {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData
    const response = await fetch(url + path, {
      method,
      headers: {
        'X-API-Key': company.key,
        ...(body && !(body instanceof FormData) ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body: body === undefined || isRaw ? body : JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status === 500) problems.push(`${method} ${path}: ${text}`)
    return response.status === 200 && text.startsWith('{') ? JSON.parse(text) : {}
  }
  const given = new Set<string>()
  for (const id of drafts) {
    const { number } = await send('POST', `/issued-invoices/${id}/issue`, { body: {} })
    if (number === undefined) continue
    if (numbers.has(number) || given.has(number)) problems.push(`${number} is given twice`)
    given.add(number)
  }
  for (const route of ROUTES) {
    // These need threads.
    if (/pdf|recognize|send/.test(route.path)) continue
    const params = { invoice_id: issued }
    const { method, path, ...request } = requestFor(route, { params, taxId: company.data.tax_id })
    await send(method, path, request)
  }
  server.close()
  server.closeAllConnections()
  app.authority.close()
  await app.store.close()
  return problems
}

const copyFile = (bytes: Buffer): void => {
  rmSync(target.dataDir, { recursive: true, force: true })
  cpSync(source, target.dataDir, { recursive: true })
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  writeFileSync(file, bytes)
}

/** Whether `doctor` or `verify` names the damaged file, or a failure. */
async function isNamed(): Promise<boolean> {
  const { json } = await administer(target, ['doctor', '--json'])
  const found = (json?.findings ?? []).some(
    ({ check, level }: Record<string, string>) => check === 'database' && level === 'error',
  )
  return found || ((await administer(target, ['verify'])).status ?? 0) > 0
}

describe('a database with a damaged page', () => {
  it.each(Object.keys(DAMAGES))(
    '%s: no response is 500, no number is given twice, and doctor or verify names it',
    async (name) => {
      const problems: string[] = []
      for (let page = 0; page < whole.length / PAGE; page += sized(80, 24, 1)) {
        const bytes = Buffer.from(whole)
        DAMAGES[name]?.(bytes.subarray(page * PAGE, (page + 1) * PAGE), page)
        if (bytes.equals(whole)) continue
        copyFile(bytes)
        // Flipped bits may be in unused space, or in columns without a digest.
        if (!(await isNamed()) && !name.includes('bit'))
          problems.push(`page ${page}: the damage is not named`)
        copyFile(bytes)
        for (const problem of await problemsOfServer()) problems.push(`page ${page}: ${problem}`)
      }
      expect(problems).toEqual([])
    },
    1_800_000,
  )
})

/** Starts a server on a database with one damaged table. */
async function startWithDamaged(table: string) {
  copyFile(whole)
  const database = new Database(file)
  const { rootpage }: any = database.prepare('select rootpage from sqlite_master where name = ?').get(table)
  database.close()
  const bytes = Buffer.from(whole)
  bytes.fill(0x5a, (rootpage - 1) * PAGE, rootpage * PAGE)
  copyFile(bytes)
  return startServer({ store: 'sqlite', dataDir: target.dataDir, check: false })
}

it('a server that meets a damaged page reports it by /health and the metrics until it is started again', async () => {
  const server = await startWithDamaged('invoice_documents')
  const health = async () => (await fetch(`${server.url}/health`)).status
  expect(await health()).toBe(200)
  const { key } = company
  const { status, headers, json } = await server.call('GET', `/issued-invoices/${issued}/canonical`, { key })
  expect([status, json.detail.code]).toEqual([503, 'service_unavailable'])
  expect(headers.get('retry-after')).toBe('5')
  await expect.poll(() => server.output()).toContain(`${file} is damaged`)
  expect((await server.call('GET', '/company', { key })).status).toBe(200)
  expect(await health()).toBe(503)
  expect(await (await fetch(`${server.url}/metrics`)).text()).toMatch(/^cuadra_database_damaged 1$/m)
  await server.kill()
})

it('a server that meets a damaged page writes nothing until it is started again, and reads what it can', async () => {
  // A table that issuing does not need.
  const server = await startWithDamaged('attachments')
  const { key } = company
  const limited = await server.key(company.id, { scopes: ['*'], rate: 60 })
  const readable = ROUTES.filter(({ method, path }) => method === 'get' && !/pdf|documents|health/.test(path))
  const read = async (own: string) => {
    const statuses: Record<string, number> = {}
    for (const route of readable) {
      const params = { invoice_id: issued }
      const { method, path, ...request } = requestFor(route, { params, taxId: company.data.tax_id })
      statuses[path] = (await server.call(method, path, { key: own, ...request })).status
    }
    return statuses
  }
  const before = await read(key)
  expect(Object.values(before).filter((status) => status === 200).length).toBeGreaterThan(10)
  const rows = async () => {
    const database = new Database(file, { readonly: true })
    const counted = ['invoices', 'numbers', 'events', 'idempotency_keys', 'verifactu_records'].map(
      (table) => (database.prepare(`select count(*) as n from ${table}`).get() as any).n,
    )
    database.close()
    return counted
  }
  const stored = await rows()
  expect((await server.call('GET', `/issued-invoices/${issued}/documents`, { key })).status).toBe(503)
  const form = new FormData()
  form.append('file', new Blob(['content']), 'file.bin')
  const writes: [string, string, unknown][] = [
    ['POST', `/issued-invoices/${drafts[0]}/issue`, {}],
    ['PUT', '/drafts', draft()],
    ['POST', '/drafts/batch', { invoices: [draft()] }],
    ['DELETE', `/drafts/${drafts[1]}`, undefined],
    ['POST', `/issued-invoices/${issued}/documents`, form],
    ['PUT', '/received-invoices', received({ taxId: company.data.tax_id, number: nextRef('R') })],
  ]
  for (const [method, path, body] of writes)
    for (const headers of [{}, { 'Idempotency-Key': nextRef('K') }]) {
      const answer = await server.call(method, path, { key, body, headers })
      expect([answer.status, answer.json?.detail?.code], path).toEqual([503, 'service_unavailable'])
      expect(answer.json.detail.message).toContain('data is damaged')
      expect(answer.headers.get('retry-after')).toBe('5')
    }
  for (const own of [key, limited]) expect(await read(own)).toEqual(before)
  expect(await rows()).toEqual(stored)
  await server.kill()
  expect(await rows()).toEqual(stored)
})

/** Every JSON text in a column, with the positions of its members' names. */
function* storedMembers(): Generator<{ table: string; column: string; text: string; at: number[] }> {
  copyFile(whole)
  const database = new Database(file)
  for (const table of COMPANY_TABLES)
    for (const column of columnNamesOf(table))
      for (const row of database.prepare(`select ${column} as text from ${table}`).all() as any[])
        if (/^[[{]/.test(row.text))
          yield {
            table,
            column,
            ...row,
            at: [...row.text.matchAll(/"(?=\w+":)/g)].map(({ index }) => index + 1),
          }
  database.close()
}

describe('a stored JSON text', () => {
  it('whose member has another name is 503, and the log and verify name its invoice and column', async () => {
    copyFile(whole)
    const database = new Database(file)
    // Only of one invoice: which of several the server reads first, for the request or by itself, is not determined.
    database
      .prepare(
        'update invoice_documents set canonical = replace(canonical, \'"supplier":\', \'"rupplier":\') where invoice_id = ?',
      )
      .run(issued)
    database.close()
    const server = await startServer({ store: 'sqlite', dataDir: target.dataDir, check: false })
    const path = `/issued-invoices/${issued}/export?format=ubl_2_1`
    const { status, json } = await server.call('GET', path, { key: company.key })
    expect([status, json.detail.code]).toEqual([503, 'service_unavailable'])
    await expect
      .poll(() => server.output())
      .toContain(`invoice_documents.canonical of invoice ${issued} changed`)
    await server.kill()
    const verified = await administer(target, ['verify'])
    expect(verified.status).toBe(1)
    expect(verified.stdout + verified.stderr).toMatch(
      /invoice_documents.*canonical|canonical.*invoice_documents/,
    )
  })

  it('whose member has another name: no response is 500, and doctor or verify names a changed document', async () => {
    const problems: string[] = []
    const members = [...storedMembers()].flatMap(({ at, ...one }) => at.map((place) => ({ ...one, place })))
    for (let n = 0; n < members.length; n += sized(873, 194, 1)) {
      const { table, column, text, place } = required(members[n])
      const damaged =
        text.slice(0, place) + String.fromCharCode(text.charCodeAt(place) ^ 1) + text.slice(place + 1)
      const write = () => {
        copyFile(whole)
        const database = new Database(file)
        database.prepare(`update ${table} set ${column} = ? where ${column} = ?`).run(damaged, text)
        database.close()
      }
      const where = `${table}.${column} ${text.slice(place, place + 30)}`
      write()
      if (!(await isNamed())) problems.push(`${where}: not named`)
      write()
      for (const problem of await problemsOfServer()) problems.push(`${where}: ${problem.slice(0, 160)}`)
    }
    expect(problems).toEqual([])
  }, 1_800_000)
})
