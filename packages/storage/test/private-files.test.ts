/**
 * In a folder that others can read, such as one from a service manager or a volume, every file that the server writes
 * is for its user only, whatever the `umask`.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { temporaryFolder } from '#test/folders.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** Lists everything below a folder with its mode. */
const modesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => `${name} ${modeOf(join(folder, name))}`)

const isOpen = (line: string): boolean => !/ [67]00$/.test(line)

describe('a data folder that others may read', () => {
  const folder = temporaryFolder()
  const dataDir = join(folder, 'data')
  let server: TestServer
  let company: TestCompany
  let umask = 0

  const start = async () => {
    server = await startServer({ store: 'sqlite', dataDir })
  }
  const upload = async () => {
    const { json } = await server.call('PUT', '/drafts', { key: company.key, body: draft() })
    const form = new FormData()
    form.append('file', new Blob(['private']), 'private.txt')
    const path = `/drafts/${json.id}/documents`
    expect((await server.call('POST', path, { key: company.key, body: form })).status).toBe(201)
    const issued = `/issued-invoices/${json.id}`
    expect((await server.call('POST', `${issued}/issue`, { key: company.key })).status).toBe(200)
    expect((await server.call('GET', `${issued}/pdf`, { key: company.key })).status).toBe(200)
  }

  beforeAll(async () => {
    // A child process inherits the umask. A test thread can read it but not set it.
    umask = process.umask()
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o755)
    await start()
    company = await server.company()
    await upload()
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
  })

  it('keeps its own mode', () => {
    expect(umask & 0o077).not.toBe(0o077)
    expect(modeOf(dataDir)).toBe('755')
  })

  it('has private database, log, index, attachments and rendered PDFs', () => {
    const modes = modesIn(dataDir)
    expect(modes.filter(isOpen)).toEqual([])
    for (const name of ['cuadra.db', 'cuadra.db-wal', 'cuadra.db-shm', 'secret.key'])
      expect(modes).toContain(`${name} 600`)
    for (const name of ['files', 'rendered']) expect(modes).toContain(`${name} 700`)
    expect(modes).toContain(`files/${company.id} 700`)
  })

  it('has private exports', async () => {
    const out = join(folder, 'export')
    mkdirSync(out)
    chmodSync(out, 0o755)
    const { status, stderr } = await administer(server, ['export', '--company', company.id, '--out', out])
    expect([status, stderr]).toEqual([0, ''])
    expect(modesIn(out).filter(isOpen)).toEqual([])
    expect(existsSync(join(out, 'index.json'))).toBe(true)
  })

  it('closes at the start what an earlier version has left open', async () => {
    // Killed, so that the log of the database stays.
    await server.kill()
    for (const line of modesIn(dataDir)) {
      const path = join(dataDir, line.replace(/ \d+$/, ''))
      chmodSync(path, statSync(path).isDirectory() ? 0o755 : 0o644)
    }
    writeFileSync(join(dataDir, 'of-another-program.txt'), '', { mode: 0o644 })
    await start()
    await upload()
    const open = modesIn(dataDir).filter(isOpen)
    // The closed folders protect what is in them.
    expect(open.filter((line) => !/^(files|rendered)\//.test(line))).toEqual(['of-another-program.txt 644'])
    for (const name of ['files', 'rendered']) expect(modesIn(dataDir)).toContain(`${name} 700`)
  })
})
