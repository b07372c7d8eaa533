/** What a restore refuses, what it makes safe, and what it asks: nothing is made of a backup that is not whole. */
import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FiscalRecord, verifyChain } from '../../../src/verifactu/index.ts'
import { administer } from '../../conformance/administrator.ts'
import { startServer, type TestServer } from '../../conformance/harness.ts'
import { draft } from '../../conformance/invoices.ts'
import { hasPostgres } from '../../conformance/postgres.ts'
import { smallDisk } from '../small-disk.ts'
import { emptyPlace, type Place, restoreAndAccept, Shop, serve, temporary } from './rig.ts'

const folder = temporary()
const whole = folder.at('whole')
let shop: Shop
let names = 0
const newName = (): string => folder.at(`n${++names}`)

beforeAll(async () => {
  shop = await Shop.open('sqlite', 'verifactu')
  for (let n = 0; n < 3; n++) await shop.issue()
  await shop.issue('Z')
  await shop.server.past((db) =>
    db
      .insertInto('mails')
      .values({
        company_id: shop.company.id,
        mail_id: randomUUID(),
        invoice_id: randomUUID(),
        state: 'pending',
        message_id: 'm',
        sender: 'a@b.example',
        recipients: '["c@d.example"]',
        subject: 's',
        files: '[]',
        size: 1,
        sha256: 'x',
        attempts: 1,
        handed_over: 0,
        due_ms: 0,
        key_id: 'k',
        created_at: '2026-01-01T00:00:00.000000',
        updated_at: '2026-01-01T00:00:00.000000',
      })
      .execute(),
  )
  const made = await administer(shop.server, ['backup', '--out', whole])
  expect([made.status, made.stderr]).toEqual([0, ''])
}, 60_000)
afterAll(async () => {
  await shop?.server.stop()
  folder.remove()
})

const restore = (from: string, place: Place) => administer(place, ['restore', '--from', from, '--json'])

/** A copy of the backup with something changed. */
function changed(change: (copy: string) => void): string {
  const copy = newName()
  cpSync(whole, copy, { recursive: true })
  change(copy)
  return copy
}

const manifestOf = (copy: string) => JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'))

/** Changes the manifest as somebody who knows how it is made. */
function rewrite(copy: string, change: (manifest: any) => void): void {
  const { sha256: _, ...manifest } = manifestOf(copy)
  change(manifest)
  const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
  writeFileSync(join(copy, 'manifest.json'), JSON.stringify({ ...manifest, sha256 }))
}

const flip = (file: string): void => {
  const bytes = readFileSync(file)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

const attachedIn = (copy: string): string => {
  const [company = ''] = readdirSync(join(copy, 'files'))
  return join('files', company, readdirSync(join(copy, 'files', company))[0] ?? '')
}

describe('a backup that is not whole is refused, and nothing is made of it', () => {
  const refused = async (copy: string, words: RegExp) => {
    const place = await emptyPlace('sqlite', newName())
    const { status, stdout, stderr } = await restore(copy, place)
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(words)
    expect(stderr).not.toMatch(/unexpected failure/)
    expect(existsSync(place.dataDir) ? readdirSync(place.dataDir) : []).toEqual([])
  }

  it('with a bit that is another, naming the part, whichever it is', async () => {
    for (const { file } of manifestOf(whole).tables.filter((_: unknown, at: number) => at % 9 === 0))
      await refused(
        changed((copy) => flip(join(copy, file))),
        new RegExp(`^cuadra-admin: ${file} of the backup is damaged`),
      )
    await refused(
      changed((copy) => flip(join(copy, 'files.ndjson.gz'))),
      /^cuadra-admin: files\.ndjson\.gz of/,
    )
    const file = attachedIn(whole)
    await refused(
      changed((copy) => flip(join(copy, file))),
      new RegExp(`^cuadra-admin: ${file} of the backup is`),
    )
    await refused(
      changed((copy) => flip(join(copy, 'manifest.json'))),
      /manifest\.json is damaged/,
    )
  })

  it('without a part, or without its manifest', async () => {
    const drop = (name: string) => changed((copy) => rmSync(join(copy, name)))
    await refused(drop('tables/invoices.ndjson.gz'), /tables\/invoices\.ndjson\.gz of the backup is missing/)
    await refused(drop(attachedIn(whole)), /files\/\S+ of the backup is missing/)
    await refused(drop('manifest.json'), /is no backup: it has no manifest\.json/)
    await refused(newName(), /is no backup/)
  })

  it('with a manifest that says something else than its parts', async () => {
    const other = (change: (manifest: any) => void) => changed((copy) => rewrite(copy, change))
    await refused(
      other(({ tables }) => tables.find((one: any) => one.table === 'invoices').rows++),
      /tables\/invoices\.ndjson\.gz of the backup has \d+ rows, and not/,
    )
    await refused(
      other(({ chains }) => chains[0].sequence--),
      /has other ends of chains than the manifest/,
    )
    await refused(
      other(({ tables }) => {
        tables[0].table = 'invoices"; drop table invoices; --'
      }),
      /of a table or column that its version has not/,
    )
    await refused(
      other(({ tables }) => {
        tables[0].columns[0] = 'x") values (1); --'
      }),
      /of a table or column that its version has not/,
    )
    await refused(
      other(({ tables }) => {
        tables[0].file = '../../../etc/passwd'
      }),
      /damaged, or was changed/,
    )
  })

  it('of a newer program', async () => {
    await refused(
      changed((copy) => rewrite(copy, (manifest) => (manifest.migration = 900))),
      /has version 900 of the tables \(cuadra 0\.1\.0\), this program knows \d+\. Restore it with the program/,
    )
    await refused(
      changed((copy) => rewrite(copy, (manifest) => (manifest.version = 2))),
      /was made by a newer program, in another form/,
    )
  })
})

describe('a place', () => {
  it('that is not empty is refused, and stays as it is', async () => {
    const dataDir = newName()
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'mine.txt'), 'mine')
    const { status, stderr } = await restore(whole, { dataDir, databaseUrl: undefined })
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining('is not empty. A backup is put back into an empty folder only'),
    ])
    expect(readdirSync(dataDir)).toEqual(['mine.txt'])
    const own = await restore(whole, shop.server)
    expect(own.stderr).toContain('is not empty')
  })

  it('with the key in it is taken, and the key stays', async () => {
    const dataDir = newName()
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'secret.key'), `${'ab'.repeat(32)}\n`)
    await restoreAndAccept(whole, { dataDir, databaseUrl: undefined })
    expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(`${'ab'.repeat(32)}\n`)
  })

  if (hasPostgres())
    it('that is another kind of database is taken; one with tables is not', async () => {
      const place = await emptyPlace('postgres', newName())
      expect((await restoreAndAccept(whole, place)).ok).toBe(true)
      const again = await restore(whole, { ...place, dataDir: newName() })
      expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('has tables')])
      expect(await administer(place, ['verify'])).toMatchObject({ status: 0, stderr: '' })
    })
  else it.skip('that is another kind of database: PostgreSQL is not installed here', () => {})

  it('without room for it is left empty, and a backup without room leaves nothing', async () => {
    const disk = smallDisk(2)
    if (!disk) return
    try {
      disk.fill()
      disk.free(120_000)
      const out = join(disk.folder, 'out')
      const made = await administer(shop.server, ['backup', '--out', out])
      expect([made.status, made.stdout]).toEqual([1, ''])
      expect(made.stderr).toMatch(/^cuadra-admin: The disk of \S+ is full\. Nothing is left of this backup/)
      expect(readdirSync(disk.folder)).toEqual(['filler'])
      const dataDir = join(disk.folder, 'data')
      const back = await restore(whole, { dataDir, databaseUrl: undefined })
      expect(back.status).toBe(1)
      expect(back.stderr).toMatch(
        /^cuadra-admin: The disk of \S+ is full, or that of the database\. Nothing was restored/,
      )
      expect(readdirSync(dataDir)).toEqual([])
      disk.free()
    } finally {
      disk.remove()
    }
  })
})

describe('what was restored', () => {
  it('of an earlier version is brought to this one', async () => {
    const earlier = changed((copy) =>
      rewrite(copy, (manifest) => {
        manifest.migration = 8
        manifest.tables = manifest.tables.filter(({ table }: { table: string }) => table !== 'restores')
      }),
    )
    const place = await emptyPlace('sqlite', newName())
    await restoreAndAccept(earlier, place)
    expect(await administer(place, ['verify'])).toMatchObject({ status: 0, stderr: '' })
  })

  it('sends no mail again that waited, and knows no process that works on it', async () => {
    const place = await emptyPlace('sqlite', newName())
    await restoreAndAccept(whole, place)
    const server = await serve(place)
    const store = (await server.store()).of(shop.company.id)
    const mails = await store.select('mails').select(['state', 'failure']).execute()
    expect(mails).toEqual([{ state: 'failed', failure: expect.stringContaining('"uncertain":true') }])
    await server.stop()
  })

  it('has every row of the backup, letter by letter, once it is backed up again', async () => {
    const place = await emptyPlace('sqlite', newName())
    await restore(whole, place)
    const again = newName()
    await administer(place, ['backup', '--out', again])
    const textOf = (of: string, table: string) =>
      gunzipSync(readFileSync(join(of, `tables/${table}.ndjson.gz`))).toString()
    for (const table of [
      'invoices',
      'invoice_documents',
      'events',
      'numbers',
      'series',
      'verifactu_records',
      'api_keys',
      'attachments',
    ])
      expect(textOf(again, table), table).toBe(textOf(whole, table))
  })
})

describe('without VERI*FACTU', () => {
  it('the restore is event 07 before anything else; without the key it waits for it', async () => {
    const other = await Shop.open('sqlite')
    const { server, company } = other
    await administer(server, ['certificate', 'add', '--company', company.id, '--demo'])
    await administer(server, [
      'verifactu',
      'period',
      'open',
      '--company',
      company.id,
      '--mode',
      'no_verifactu',
    ])
    await other.issue()
    const out = newName()
    const made = await administer(server, ['backup', '--out', out])
    expect(made.stdout).toContain('Keep their key')
    const place = await emptyPlace('sqlite', newName())
    const done = await restore(out, place)
    expect(done.json).toMatchObject({ key_fits: false })
    const early = await administer(place, ['restore', '--accept'])
    expect([early.status, early.stderr]).toEqual([
      1,
      expect.stringContaining('event 07 (restore) could not be recorded'),
    ])
    cpSync(join(server.dataDir, 'secret.key'), join(place.dataDir, 'secret.key'))
    const accepted = await administer(place, ['restore', '--accept'])
    expect([accepted.status, accepted.stderr]).toEqual([0, ''])
    await server.stop()
    const restored = await serve(place)
    const rows = await (await restored.store())
      .of(company.id)
      .select('verifactu_events')
      .select(['tipo_evento', 'record'])
      .orderBy('sequence')
      .execute()
    const types = rows.map(({ tipo_evento }) => tipo_evento)
    expect(types).toContain('07')
    expect(types.slice(types.indexOf('07') + 1)).toContain('01')
    expect(verifyChain(rows.map(({ record }) => JSON.parse(record) as FiscalRecord)).items).toEqual([])
    expect(await administer(restored, ['verify'])).toMatchObject({ status: 0, stderr: '' })
    await restored.stop()
  }, 60_000)
})

describe('what was issued after the backup', () => {
  let server: TestServer
  afterAll(() => server?.stop())

  it('is found at the tax authority: no number is given again', async () => {
    server = await startServer({
      store: 'sqlite',
      check: false,
      env: { CUADRA_AEAT_SIMULATOR: 'on', CUADRA_AEAT_SIMULATOR_WAIT: '0' },
    })
    const { key = '', companyId: id = '' } = server.demo ?? {}
    await server.call('PUT', '/verifactu/config', { key, body: { mode: 'verifactu' } })
    const issue = async (): Promise<string> => {
      const { json } = await server.call('PUT', '/drafts', { key, body: draft({ series: 'S' }) })
      return (await server.call('POST', `/issued-invoices/${json.id}/issue`, { key })).json.number
    }
    const settled = async () => {
      for (;;) {
        const rows = await (await server.store())
          .of(id)
          .select('verifactu_records')
          .select('estado')
          .execute()
        if (rows.every(({ estado }) => estado === 'accepted')) return
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    await issue()
    const out = newName()
    await administer(server, ['backup', '--out', out])
    expect([await issue(), await issue()]).toEqual(['S000002', 'S000003'])
    await settled()
    const address = JSON.parse(readFileSync(join(server.dataDir, 'simulator', 'address.json'), 'utf8'))
    const place = await emptyPlace('sqlite', newName())
    mkdirSync(place.dataDir)
    cpSync(join(server.dataDir, 'secret.key'), join(place.dataDir, 'secret.key'))
    const env = { CUADRA_AEAT_VERIFACTU_URL: address.url, CUADRA_AEAT_CA_FILE: address.ca_file }
    const run = (...args: string[]) => administer(place, args, { env })
    const told = await run('restore', '--from', out)
    expect([told.status, told.stderr]).toEqual([0, ''])
    expect(told.stdout).toContain('LOST: the tax authority has 2 invoices that are not here: S000002')
    const command = `cuadra-admin series configure --company ${id} --code 'S' --next 4`
    expect(told.stdout).toContain(command)
    const early = await run('restore', '--accept')
    expect([early.status, early.stderr]).toEqual([1, expect.stringContaining(command)])
    expect((await run('verifactu', 'compare', '--company', id)).status).toBe(1)
    await run('series', 'configure', '--company', id, '--code', 'S', '--next', '4')
    expect(await run('restore', '--accept')).toMatchObject({ status: 0, stderr: '' })
    const restored = await startServer({ store: 'sqlite', dataDir: place.dataDir, check: false, env })
    const { json } = await restored.call('PUT', '/drafts', { key, body: draft({ series: 'S' }) })
    const { json: issued } = await restored.call('POST', `/issued-invoices/${json.id}/issue`, { key })
    expect(issued.number).toBe('S000004')
    await restored.stop()
  }, 90_000)
})

describe('backups of a folder', () => {
  it('are named by their moment, and only the newest are kept', async () => {
    const into = newName()
    mkdirSync(into)
    for (const day of ['01', '02', '03'])
      cpSync(whole, join(into, `cuadra-202601${day}T030000Z`), { recursive: true })
    mkdirSync(join(into, 'of-somebody-else'))
    const { status, json } = await administer(shop.server, [
      'backup',
      '--into',
      into,
      '--keep',
      '2',
      '--json',
    ])
    expect([status, json.removed]).toEqual([0, ['cuadra-20260101T030000Z', 'cuadra-20260102T030000Z']])
    expect(readdirSync(into)).toHaveLength(3)
    expect(json.out).toMatch(/cuadra-\d{8}T\d{6}Z$/)
  })

  it('say what is wrong with the command line', async () => {
    for (const args of [
      ['backup'],
      ['backup', '--out', 'a', '--into', 'b'],
      ['backup', '--out', 'a', '--keep', '2'],
      ['restore'],
      ['restore', '--from', 'a', '--accept'],
      ['backup', '--into', 'a', '--keep', '0'],
    ])
      expect((await administer(shop.server, args)).status, args.join(' ')).toBe(2)
    expect(await administer(shop.server, ['restore', '--accept'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('Nothing waits to be accepted'),
    })
  })
})
