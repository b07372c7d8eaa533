/** Fixture: a backup of a company with all types of data, and changed copies of the backup. */
import { createHash, randomUUID } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { received } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'
import { PNG } from '#test/png.ts'
import type { Draft } from '#test/records/verifactu/records.ts'
import type { Manifest } from '../../../../admin/backup/manifest.ts'
import { Shop, type Target } from '../fixture.ts'

const STAMP = '2026-01-01T00:00:00.000000'

/** Adds a pending mail and a recognised file. */
async function addWaiting({ server, company }: Shop): Promise<void> {
  const [company_id, mail_id] = [company.id, randomUUID()]
  const mail = {
    ...{ company_id, mail_id, invoice_id: randomUUID(), message_id: 'm', key_id: 'k' },
    ...{ sender: 'a@b.example', recipients: '["c@d.example"]', subject: 's', files: '[]', size: 1 },
    ...{ sha256: 'x', attempts: 1, handed_over: 0, due_ms: 0, state: 'pending' as const },
    ...{ created_at: STAMP, updated_at: STAMP },
  }
  await server.past((db) => db.insertInto('mails').values(mail).execute())
  const content = { company_id, mail_id, content: 'To: c@d.example' }
  await server.past((db) => db.insertInto('mail_contents').values(content).execute())
  const job = {
    ...{ company_id, sha256: 'f'.repeat(64), job_id: randomUUID(), month: '2026-01' },
    ...{ lease_ms: 0, failures: 0, status: 'recognized_ready' as const, score: 0.85, created_at: STAMP },
  }
  await server.past((db) => db.insertInto('recognitions').values(job).execute())
}

export const manifestOf = (copy: string) => JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'))

/** A manifest that a test may damage. */
export type Changeable = Draft<Manifest>

/** Changes the manifest of a copy, and updates its hash. */
export function rewrite(copy: string, change: (manifest: Changeable) => void): void {
  const { sha256: _, ...manifest } = manifestOf(copy)
  change(manifest)
  const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
  writeFileSync(join(copy, 'manifest.json'), JSON.stringify({ ...manifest, sha256 }))
}

/** Changes the list of files of a copy, and its hash in the manifest. */
export function rewriteList(copy: string, change: (line: [string, number, string]) => void): void {
  const file = join(copy, 'files.ndjson.gz')
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  const [first = [], ...others] = lines.map((line) => JSON.parse(line))
  change(first)
  const bytes = gzipSync([first, ...others].map((line) => `${JSON.stringify(line)}\n`).join(''))
  writeFileSync(file, bytes)
  rewrite(copy, ({ files: { list } }) => {
    list.size = bytes.length
    list.sha256 = createHash('sha256').update(bytes).digest('hex')
  })
}

export const textOf = (of: string, table: string): string =>
  gunzipSync(readFileSync(join(of, `tables/${table}.ndjson.gz`))).toString()

export type WholeBackup = ReturnType<typeof wholeBackup>

/** Makes the backup `whole` of a server that keeps running. */
export function wholeBackup() {
  const folder = temporaryFolder()
  const whole = join(folder, 'whole')
  let shop: Shop
  let names = 0
  const newName = (): string => join(folder, `n${++names}`)
  beforeAll(async () => {
    shop = await Shop.open('sqlite', 'verifactu')
    const { server, company } = shop
    for (let n = 0; n < 3; n++) await shop.issue()
    await shop.issue('Z')
    const body = received({ taxId: company.data.tax_id, number: 'R-1' })
    expect((await server.call('PUT', '/received-invoices', { key: company.key, body })).status).toBe(201)
    writeFileSync(join(folder, 'logo.png'), PNG)
    const logo = ['company', 'logo', '--company', company.id, '--file', join(folder, 'logo.png')]
    expect(await administer(server, logo)).toMatchObject({ status: 0, stderr: '' })
    await addWaiting(shop)
    const made = await administer(server, ['backup', '--out', whole])
    expect([made.status, made.stderr]).toEqual([0, ''])
  }, 60_000)
  afterAll(async () => {
    await shop?.server.stop()
  })
  return {
    shop: () => shop,
    whole,
    newName,
    /** Returns a changed copy of the backup. */
    changed(change: (copy: string) => void): string {
      const copy = newName()
      cpSync(whole, copy, { recursive: true })
      change(copy)
      return copy
    },
  }
}

export const restore = (from: string, target: Target) =>
  administer(target, ['restore', '--from', from, '--json'])
