/**
 * Servers keep the PDFs of issued invoices in their data folder. A test replaces the kept files by others, so that it
 * recognises a PDF that was not rendered.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { hasPostgres } from '#test/conformance/postgres.ts'
import { stepsOf } from '#test/conformance/steps.ts'
import { temporaryFolder } from '#test/folders.ts'
import { PNG } from '#test/png.ts'
import { setLogo } from '../src/service/company/company-logo.ts'
import type { Tx } from '../src/store/store.ts'

/** SQLite, and PostgreSQL if it is installed. */
const STORES = hasPostgres() ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)
describe.each(STORES)('the PDFs that a server keeps (%s)', (kind) => {
  let server: TestServer
  let company: TestCompany
  let id: string
  beforeAll(async () => {
    server = await startServer({ store: kind })
    company = await server.company()
    id = (await stepsOf(() => server).issued(company.key)).id
  }, 60_000)

  const filesIn = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  const kept = () => filesIn(join(server.dataDir, 'rendered'))
  const replaceKept = () => {
    for (const file of kept()) {
      const content = 'es\nKEPT'
      const digest = createHash('sha256').update(basename(file)).update(content).digest()
      writeFileSync(file, Buffer.concat([digest, Buffer.from(content)]))
    }
  }
  /** Returns how a request for the PDF is answered. */
  const outcome = async (query = '', from = server): Promise<string> => {
    const { status, text } = await from.call('GET', `/issued-invoices/${id}/pdf${query}`, {
      key: company.key,
    })
    expect(status, text).toBe(200)
    return text === 'KEPT' ? 'kept' : text.startsWith('%PDF-') ? 'rendered' : text
  }
  const update = async (change: object) => {
    const run = await administer(server, ['company', 'update', company.id, '--file', '-'], {
      input: JSON.stringify(change),
    })
    expect(run.status, run.stderr).toBe(0)
  }

  it('are returned until anything changes that is printed', async () => {
    const inRows = <T>(work: (tx: Tx) => Promise<T>) => server.transaction((all) => work(all.of(company.id)))
    const changes: readonly (readonly [string, () => unknown])[] = [
      ['', () => {}],
      ['?language=en', () => {}],
      ['?template=modern-green', () => {}],
      ['?facturx=true', () => {}],
      ['', () => update({ pdf_foot: 'Inscrita en el Registro Mercantil' })],
      ['', () => update({ payment_link: 'https://pay.example/{number}' })],
      ['', () => update({ pdf_template: 'compact-blue' })],
      ['', () => inRows((tx) => tx.update('series', { pdf_template: 'modern-green' }).execute())],
      ['', () => inRows((tx) => setLogo(tx, PNG, '2026-01-01T00:00:00.000000'))],
      ['', () => stepsOf(() => server).cancel(company.key, id)],
    ]
    for (const [index, [query, change]] of changes.entries()) {
      await change()
      expect([index, await outcome(query)]).toEqual([index, 'rendered'])
      replaceKept()
      expect([index, await outcome(query)]).toEqual([index, 'kept'])
    }
    await update({ pdf_foot: null })
    expect(await outcome()).toBe('rendered')
    await update({ pdf_foot: 'Inscrita en el Registro Mercantil' })
    expect(await outcome()).toBe('kept')
  })

  it('are returned by another process, and by later ones', async () => {
    await outcome('?language=es-en')
    replaceKept()
    const other = await startServer({
      store: kind,
      dataDir: server.dataDir,
      databaseUrl: server.databaseUrl ?? '',
    })
    try {
      expect(await outcome('?language=es-en', other)).toBe('kept')
    } finally {
      await other.stop()
    }
  })

  it('are those of invoices, not of drafts, and are not in backups', async () => {
    const { length } = kept()
    const draft = await stepsOf(() => server).saved(company.key)
    const { status } = await server.call('GET', `/issued-invoices/${draft}/pdf`, { key: company.key })
    expect([status, kept().length]).toEqual([200, length])
    const out = join(temporaryFolder(), 'backup')
    expect(await administer(server, ['backup', '--out', out])).toMatchObject({ status: 0 })
    const names = new Set(kept().map((file) => basename(file)))
    expect(filesIn(out).filter((file) => names.has(basename(file)))).toEqual([])
    expect(readFileSync(join(out, 'manifest.json'), 'utf8')).not.toContain('rendered')
  })

  it('are rendered again when their folder is removed, and returned when the data folder is', async () => {
    rmSync(join(server.dataDir, 'rendered'), { recursive: true })
    expect([await outcome(), kept().length]).toEqual(['rendered', 1])
    if (kind === 'sqlite') return
    rmSync(server.dataDir, { recursive: true })
    expect([await outcome(), existsSync(server.dataDir)]).toEqual(['rendered', false])
  })
})
