/**
 * @slowest
 *
 * A power failure under a server that issues, attaches files and is backed up: a disk loses everything that was not
 * flushed. What was acknowledged is there afterwards, and every backup with its final name is complete.
 */
import { createHash, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { audit } from '#test/conformance/audit.ts'
import { BASE_PATH, startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { activateVerifactu } from '#test/conformance/verifactu.ts'
import { sized } from '#test/size.ts'
import { until } from '#test/until.ts'
import { readManifest } from '../../admin/backup/manifest.ts'
import { requireIntact } from '../../admin/backup/restore.ts'
import { DATABASE_FILE } from '../../src/store/store.ts'
import { journaledDisk } from './small-disk.ts'

const disk = journaledDisk()
const folder = disk?.folder ?? ''
const dataDir = join(folder, 'data')
const backups = join(folder, 'backups')
let server: TestServer | undefined
afterAll(() => server?.kill())

const hashOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

/** Issues invoices with an attached file until a request fails. Adds what was acknowledged. */
async function issueAll(
  own: TestServer,
  { key }: TestCompany,
  numbers: Map<string, string>,
  files: Map<string, string>,
): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const { status, json } = await own.call(method, path, { key, body })
    if (status >= 300) throw new Error(String(status))
    return json
  }
  try {
    for (;;) {
      const { id } = await send('PUT', '/drafts', draft())
      const content = randomBytes(9000)
      const form = new FormData()
      form.append('file', new Blob([content]), 'file.bin')
      const { public_id } = await send('POST', `/drafts/${id}/documents`, form)
      files.set(`/issued-invoices/${id}/documents/${public_id}`, hashOf(content))
      numbers.set(id, (await send('POST', `/issued-invoices/${id}/issue`, {})).number)
    }
  } catch {
    // The power is off.
  }
}

it.skipIf(!disk)(
  'a power failure loses no acknowledged number, file or record, and no backup that has its name',
  async () => {
    const numbers = new Map<string, string>()
    const files = new Map<string, string>()
    const start = () => startServer({ store: 'sqlite', dataDir, check: false })
    let own = await start()
    server = own
    const company = await own.company()
    await activateVerifactu(own, company.id)
    let intact = 0
    for (let round = 0; round < sized(2, 6, 30); round++) {
      const goal = numbers.size + 4 + round * 3
      const clients = Array.from({ length: 4 }, () => issueAll(own, company, numbers, files))
      const unflushed = join(folder, `unflushed-${round}`)
      if (round % 2 === 0) expect((await administer(own, ['backup', '--into', backups])).status).toBe(0)
      const backup = administer(own, ['backup', '--into', backups])
      await until(() => numbers.size >= goal, 'enough invoices are issued', { seconds: 60 })
      writeFileSync(unflushed, 'lost')
      disk?.cutPower()
      await own.kill()
      await Promise.all([...clients, backup])
      disk?.mountAgain('rw')
      const content = existsSync(unflushed) ? readFileSync(unflushed, 'utf8') : ''
      expect(content, 'the power failure loses what was not flushed').toBe('')
      // A page that was being written is torn.
      appendFileSync(join(dataDir, `${DATABASE_FILE}-wal`), randomBytes(2500))
      own = await start()
      server = own
      for (const [id, number] of numbers) {
        const { json } = await own.call('GET', `/issued-invoices/${id}`, { key: company.key })
        expect(json).toMatchObject({ status: 'issued', number })
      }
      for (const [path, hash] of files) {
        const response = await fetch(`${own.url}${BASE_PATH}${path}`, {
          headers: { 'X-API-Key': company.key },
        })
        expect(hashOf(new Uint8Array(await response.arrayBuffer())), path).toBe(hash)
      }
      expect(await audit((await own.store()).acrossCompanies('a test'), company.id)).toEqual([])
      expect(await administer(own, ['verify'])).toMatchObject({ status: 0, stderr: '' })
      const complete = readdirSync(backups).filter((name) => !name.includes('.part-'))
      for (const name of complete)
        await requireIntact(join(backups, name), await readManifest(join(backups, name)))
      intact = complete.length
    }
    expect(intact).toBeGreaterThan(0)
  },
  300_000,
)
