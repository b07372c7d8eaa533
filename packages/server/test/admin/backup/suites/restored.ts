/** Tests the data after a restore, and the conditions for starting a server on it. */

import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type FiscalRecord, verifyChain } from '#records/verifactu/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { itInAll } from '#test/size.ts'
import { tokens } from '#test/tokens.ts'
import { until } from '#test/until.ts'
import { removeOld } from '../../../../admin/backup/backup-folder.ts'
import { countersToAdvance } from '../../../../admin/backup/since.ts'
import { emptyTarget, Shop, serve } from '../fixture.ts'
import { manifestOf, restore, textOf, type WholeBackup } from './whole.ts'

export function restoreSuite({ shop, whole, newName }: WholeBackup): void {
  describe('the restored data', () => {
    it('equals the backup, except that a pending mail is marked as failed', async () => {
      const target = await emptyTarget('sqlite', newName())
      await restore(whole, target)
      const again = newName()
      await administer(target, ['backup', '--out', again])
      // Tables that a restore changes for safety, and tables that change while a server runs.
      const changing = ['mails', 'mail_contents', 'processes', 'rate_buckets', 'restores', 'verifactu_queues']
      const [mail, failure] = [JSON.parse(textOf(again, 'mails')), '"uncertain":true']
      expect(mail).toContain('failed')
      expect(mail).toContainEqual(expect.stringContaining(failure))
      expect(textOf(again, 'mail_contents'), 'a pending mail is not sent again').toBe('')
      const tables: string[] = manifestOf(whole).tables.map(({ table }: { table: string }) => table)
      for (const table of tables.filter((name) => !changing.includes(name)))
        expect(textOf(again, table), table).toBe(textOf(whole, table))
      for (const table of ['invoices', 'attachments', 'company_logos', 'recognitions', 'verifactu_records'])
        expect(textOf(whole, table), table).not.toBe('')
      expect(manifestOf(again).files).toMatchObject({ count: 4, bytes: manifestOf(whole).files.bytes })
    })
  })
  describe('without VERI*FACTU', () => {
    itInAll(
      'the restore is recorded first as event 07, once the right key is present',
      async () => {
        const other = await Shop.open('sqlite')
        const { server, company } = other
        await administer(server, ['certificate', 'add', '--company', company.id, '--demo'])
        await administer(server, tokens`verifactu period open --company ${company.id} --mode no_verifactu`)
        await other.issue()
        const out = newName()
        const made = await administer(server, ['backup', '--out', out])
        expect(made.stdout).toContain('Keep their key')
        const target = await emptyTarget('sqlite', newName())
        mkdirSync(target.dataDir)
        writeFileSync(join(target.dataDir, 'secret.key'), `${'ab'.repeat(32)}\n`)
        const done = await restore(out, target)
        expect(done.json).toMatchObject({ key_fits: false })
        const early = await administer(target, ['restore', '--accept'])
        const reason = expect.stringContaining('event 07 (restore) could not be recorded')
        expect([early.status, early.stderr]).toEqual([1, reason])
        cpSync(join(server.dataDir, 'secret.key'), join(target.dataDir, 'secret.key'))
        const accepted = await administer(target, ['restore', '--accept', '--numbers-checked'])
        expect([accepted.status, accepted.stderr]).toEqual([0, ''])
        await server.stop()
        const restored = await serve(target)
        const rows = await (await restored.store())
          .of(company.id)
          .select('verifactu_events')
          .select(['tipo_evento', 'record'])
          .orderBy('sequence')
          .execute()
        const types = rows.map(({ tipo_evento }) => tipo_evento)
        expect(types).toContain('07')
        expect(types.slice(types.indexOf('07') + 1)).toContain('01')
        expect(verifyChain(rows.map(({ record }): FiscalRecord => JSON.parse(record))).items).toEqual([])
        expect(await administer(restored, ['verify'])).toMatchObject({ status: 0, stderr: '' })
        await restored.stop()
      },
      60_000,
    )
  })

  describe('invoices issued after the backup', () => {
    let server: TestServer
    afterAll(() => server?.stop())

    it('give the counters of their series, even of one begun since, or are named if they fit no series', async () => {
      const { server, company } = shop()
      const numbered = (num_serie: string) => ({
        num_serie,
        fecha_expedicion: '01-03-2026',
        importe_total: 121,
        huella: null,
        estado: 'Correcto',
      })
      const missing = ['F900001', 'F900002', 'NEW000007', '2026/14'].map(numbered)
      expect(await countersToAdvance((await server.store()).of(company.id), missing)).toEqual({
        counters_to_advance: [
          { series_code: 'F', next: 900_003 },
          { series_code: 'NEW', next: 8 },
        ],
        unmatched: [numbered('2026/14')],
      })
    })

    itInAll(
      'are found at the tax authority, so that no number is repeated',
      async () => {
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
        const isSettled = async () => {
          const records = (await server.store()).of(id).select('verifactu_records').select('estado')
          return (await records.execute()).every(({ estado }) => estado === 'accepted')
        }
        await issue()
        const out = newName()
        await administer(server, ['backup', '--out', out])
        expect([await issue(), await issue()]).toEqual(['S000002', 'S000003'])
        await until(isSettled, 'every record is accepted')
        const address = JSON.parse(readFileSync(join(server.dataDir, 'simulator', 'address.json'), 'utf8'))
        const target = await emptyTarget('sqlite', newName())
        mkdirSync(target.dataDir)
        cpSync(join(server.dataDir, 'secret.key'), join(target.dataDir, 'secret.key'))
        const env = { CUADRA_AEAT_VERIFACTU_URL: address.url, CUADRA_AEAT_CA_FILE: address.ca_file }
        const run = (...args: string[]) => administer(target, args, { env })
        const report = await run('restore', '--from', out)
        expect([report.status, report.stderr]).toEqual([0, ''])
        expect(report.stdout).toContain('LOST: the tax authority has 2 invoices that are not here: S000002')
        const command = `cuadra-admin series configure --company ${id} --code 'S' --next 4`
        expect(report.stdout).toContain(command)
        const early = await run('restore', '--accept')
        expect([early.status, early.stderr]).toEqual([1, expect.stringContaining(command)])
        expect((await run('verifactu', 'compare', '--company', id)).status).toBe(1)
        await run('series', 'configure', '--company', id, '--code', 'S', '--next', '4')
        // The authority cannot know invoices that were not sent to it.
        expect(report.stdout).toContain('not sent to it')
        const unsent = await run('restore', '--accept')
        expect([unsent.status, unsent.stderr]).toEqual([1, expect.stringContaining('--skip-numbers N')])
        expect(await run('restore', '--accept', '--numbers-checked')).toMatchObject({ status: 0, stderr: '' })
        const restored = await startServer({ store: 'sqlite', dataDir: target.dataDir, check: false, env })
        const { json } = await restored.call('PUT', '/drafts', { key, body: draft({ series: 'S' }) })
        const { json: issued } = await restored.call('POST', `/issued-invoices/${json.id}/issue`, { key })
        expect(issued.number).toBe('S000004')
        await restored.stop()
      },
      90_000,
    )
  })

  it('a restore is accepted with skipped numbers in each series, or after checking the numbers', async () => {
    const other = await Shop.open('sqlite')
    for (const series of ['F', 'F', 'G']) await other.issue(series)
    const out = newName()
    await administer(other.server, ['backup', '--out', out])
    expect(await other.issue('F')).toBe('F000003')
    await other.server.stop()
    const target = await emptyTarget('sqlite', newName())
    const report = await restore(out, target)
    const nextIn = (json: typeof report.json) =>
      json.companies.find(({ company_id }: { company_id: string }) => company_id === other.company.id).next
    expect(nextIn(report.json)).toMatchObject([
      { series_code: 'F', last: 'F000002', number: 'F000003' },
      { series_code: 'G', last: 'G000001', number: 'G000002' },
    ])
    const refused = await administer(target, ['restore', '--accept'])
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('--numbers-checked')])
    const accept = tokens`restore --accept --skip-numbers 50 --json`
    const { status, stderr, json } = await administer(target, accept)
    expect([status, stderr, json?.skipped]).toEqual([0, '', 50])
    expect(nextIn(json).map(({ number }: { number: string }) => number)).toEqual(['F000053', 'G000052'])
  }, 60_000)

  it('a series begun after the backup assigns none of its lost numbers again if numbers are skipped', async () => {
    const other = await Shop.open('sqlite')
    const out = newName()
    await administer(other.server, ['backup', '--out', out])
    expect([await other.issue('NEW'), await other.issue('NEW')]).toEqual(['NEW000001', 'NEW000002'])
    await other.server.stop()
    const target = await emptyTarget('sqlite', newName())
    await restore(out, target)
    const accept = ['restore', '--accept', '--skip-numbers', '20']
    expect(await administer(target, accept)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('a new series begins at 21'),
    })
    const { key } = other.company
    const restored = await startServer({ store: 'sqlite', dataDir: target.dataDir, check: false })
    const { json } = await restored.call('PUT', '/drafts', { key, body: draft({ series: 'NEW' }) })
    const { json: issued } = await restored.call('POST', `/issued-invoices/${json.id}/issue`, { key })
    expect(issued.number).toBe('NEW000021')
    await restored.stop()
  }, 60_000)

  describe('backups of a folder', () => {
    it('are named by their timestamp, and only the newest ones are kept', async () => {
      const into = newName()
      mkdirSync(into)
      for (const day of ['01', '02', '03'])
        cpSync(whole, join(into, `cuadra-202601${day}T030000Z`), { recursive: true })
      mkdirSync(join(into, 'of-another-program'))
      const { status, json } = await administer(shop().server, tokens`backup --into ${into} --keep 2 --json`)
      expect([status, json.removed]).toEqual([0, ['cuadra-20260101T030000Z', 'cuadra-20260102T030000Z']])
      expect(readdirSync(into)).toHaveLength(3)
      expect(json.out).toMatch(/cuadra-\d{8}T\d{6}Z$/)
    })

    it('that were left unfinished are removed after a day', async () => {
      const into = newName()
      const [old, recent] = ['1', '2'].map((day) => `cuadra-2026010${day}T030000Z.part-0123abc${day}`)
      for (const name of [old, recent]) mkdirSync(join(into, required(name)), { recursive: true })
      const yesterday = Date.now() / 1000 - 86_500
      utimesSync(join(into, required(old)), yesterday, yesterday)
      const { json } = await administer(shop().server, ['backup', '--into', into, '--json'])
      expect(json.removed).toEqual([old])
      expect(readdirSync(into)).toContain(recent)
    })

    it('without an attached file that is missing have everything else, name the file, and give exit code 1', async () => {
      const out = newName()
      const { server } = shop()
      const { files } = manifestOf(whole)
      const [company = ''] = readdirSync(join(whole, 'files'))
      const key = join(company, required(readdirSync(join(whole, 'files', company))[0]))
      const file = join(server.dataDir, 'files', key)
      renameSync(file, `${file}-moved`)
      try {
        const { status, json } = await administer(server, ['backup', '--out', out, '--json'])
        expect([status, json.problems]).toEqual([1, [`${key} is missing`]])
        expect(manifestOf(out).problems).toEqual(json.problems)
        expect(json.files).toBeGreaterThanOrEqual(files.count - 1)
      } finally {
        renameSync(`${file}-moved`, file)
      }
    })

    it('may be made concurrently, have different names, and are complete', async () => {
      const into = newName()
      const one = newName()
      const made = await Promise.all([
        ...[1, 2].map(() => administer(shop().server, ['backup', '--into', into, '--json'])),
        ...[1, 2].map(() => administer(shop().server, ['backup', '--out', one, '--json'])),
      ])
      for (const { status, stderr } of made)
        if (status !== 0)
          expect(stderr).toMatch(/^cuadra-admin: \S+ is not empty\. Name a new or empty folder/)
      expect(made.slice(2).map(({ status }) => status)).toContain(0)
      expect(readdirSync(into)).toHaveLength(made.slice(0, 2).filter(({ status }) => status === 0).length)
      for (const folder of [one, ...readdirSync(into).map((name) => join(into, name))])
        expect(manifestOf(folder).problems).toEqual([])
      const full = await administer(shop().server, ['backup', '--out', one])
      expect([full.status, full.stderr]).toEqual([1, expect.stringContaining(`${one} is not empty`)])
    })

    it('are removed once if several backups remove the old ones of a folder concurrently', async () => {
      const into = newName()
      const names = ['01', '02', '03'].map((day) => `cuadra-202601${day}T030000Z`)
      for (const name of names) cpSync(whole, join(into, name), { recursive: true })
      const unfinished = `${names[0]}.part-0123abcd`
      mkdirSync(join(into, unfinished))
      const removed = await Promise.all([1, 2, 3].map(() => removeOld(into, 1, Date.now() + 2 * 86_400_000)))
      expect([...new Set(removed.flat())].sort()).toEqual([...names.slice(0, 2), unfinished].sort())
      expect(readdirSync(into)).toEqual(names.slice(2))
    })

    it('are neither made nor removed if there is no data to back up', async () => {
      const target = await emptyTarget('sqlite', newName())
      const into = newName()
      for (const day of ['01', '02'])
        cpSync(whole, join(into, `cuadra-202601${day}T030000Z`), { recursive: true })
      const { status, stderr } = await administer(target, ['backup', '--into', into, '--keep', '1'])
      const reason = expect.stringContaining(`Nothing to back up in ${target.dataDir}`)
      expect([status, stderr]).toEqual([1, reason])
      expect([existsSync(target.dataDir), readdirSync(into).length]).toEqual([false, 2])
    })

    it('reject invalid combinations of options', async () => {
      for (const args of [
        ['backup'],
        ['backup', '--out', 'a', '--into', 'b'],
        ['backup', '--out', 'a', '--keep', '2'],
        ['restore'],
        ['restore', '--from', 'a', '--accept'],
        ['restore', '--from', 'a', '--skip-numbers', '5'],
        ['restore', '--accept', '--skip-numbers', '0'],
        ['backup', '--into', 'a', '--keep', '0'],
      ])
        expect((await administer(shop().server, args)).status, args.join(' ')).toBe(2)
      expect(await administer(shop().server, ['restore', '--accept'])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('No restore to accept'),
      })
    })
  })
}
