/** Tests of rejected restores: incomplete or damaged backups, and targets that contain data. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { administer } from '#test/conformance/administrator.ts'
import { hasPostgres } from '#test/conformance/postgres.ts'
import { smallDisk } from '../../../app/small-disk.ts'
import { emptyTarget, restoreAndAccept } from '../fixture.ts'
import { type Changeable, manifestOf, restore, rewrite, rewriteList, type WholeBackup } from './whole.ts'

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

export function rejectionSuite({ shop, whole, newName, changed }: WholeBackup): void {
  describe('a restore creates nothing from a backup', () => {
    const refused = async (copy: string, messages: RegExp) => {
      const target = await emptyTarget('sqlite', newName())
      const { status, stdout, stderr } = await restore(copy, target)
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(messages)
      expect(stderr).not.toMatch(/unexpected error/)
      expect(existsSync(target.dataDir) ? readdirSync(target.dataDir) : []).toEqual([])
    }

    /** Refuses a copy with a changed file, or with a changed manifest. */
    const refusedAfter = (change: (copy: string) => void, messages: RegExp) =>
      refused(changed(change), messages)
    const refusedWith = (change: (manifest: Changeable) => unknown, messages: RegExp) =>
      refusedAfter((copy) => rewrite(copy, (manifest) => void change(manifest)), messages)

    it('with a flipped bit, and names the damaged part', async () => {
      const flipped = (file: string, messages: RegExp) =>
        refusedAfter((copy) => flip(join(copy, file)), messages)
      for (const { file } of manifestOf(whole).tables.filter((_: unknown, at: number) => at % 9 === 0))
        await flipped(file, new RegExp(`^cuadra-admin: ${file} of the backup is damaged`))
      await flipped('files.ndjson.gz', /^cuadra-admin: files\.ndjson\.gz of/)
      const file = attachedIn(whole)
      await flipped(file, new RegExp(`^cuadra-admin: ${file} of the backup is`))
      await flipped('manifest.json', /manifest\.json is damaged/)
    })

    it('without one of its parts, or without its manifest', async () => {
      const drop = (name: string) => changed((copy) => rmSync(join(copy, name)))
      await refused(
        drop('tables/invoices.ndjson.gz'),
        /tables\/invoices\.ndjson\.gz of the backup is missing/,
      )
      await refused(drop(attachedIn(whole)), /files\/\S+ of the backup is missing/)
      await refused(drop('manifest.json'), /is not a backup: it has no manifest\.json/)
      await refused(newName(), /is not a backup/)
    })

    it('with a manifest that differs from its parts', async () => {
      await refusedWith(
        ({ tables }) => required(tables.find(({ table }) => table === 'invoices')).rows++,
        /tables\/invoices\.ndjson\.gz of the backup has \d+ rows instead of/,
      )
      await refusedWith(
        ({ chains }) => required(chains[0]).sequence--,
        /has chain ends that differ from the manifest/,
      )
      const unknown = /belongs to an unknown table or column/
      await refusedWith(
        ({ tables }) => Object.assign(required(tables[0]), { table: 'invoices"; drop table invoices; --' }),
        unknown,
      )
      await refusedWith(
        ({ tables }) => required(tables[0]).columns.splice(0, 1, 'x") values (1); --'),
        unknown,
      )
      const damaged = /manifest\.json is damaged, or was changed/
      await refusedWith(
        ({ tables }) => Object.assign(required(tables[0]), { file: '../../../etc/passwd' }),
        damaged,
      )
      await refusedWith(({ files }) => Object.assign(files.list, { file: '../files.ndjson.gz' }), damaged)
      const company = readdirSync(join(whole, 'files'))[0]
      for (const key of ['../../../etc/passwd', `${company}/../../manifest.json`, `/${'a'.repeat(35)}/x`])
        await refusedAfter(
          (copy) =>
            rewriteList(copy, (line) => {
              line[0] = key
            }),
          /files\.ndjson\.gz of the backup lists an invalid file name/,
        )
    })

    it('of a newer version of the program', async () => {
      await refusedWith(
        (manifest) => Object.assign(manifest, { migration: 900 }),
        /has version 900 of the tables \(cuadra 0\.1\.0\); this program supports up to \d+\. Restore it with the program/,
      )
      await refusedWith(
        (manifest) => Object.assign(manifest, { version: 2 }),
        /was made by a newer program, in another format/,
      )
    })

    it('of an unpublished earlier version, and states how to keep its data', async () => {
      await refusedWith(
        (manifest) => Object.assign(manifest, { migration: 11, fingerprint: undefined }),
        /^cuadra-admin: \S+ has version 11 of the tables, made by an unpublished earlier version of cuadra\. .* restore the backup with the version that made it, and run its `cuadra-admin export`\.\n$/,
      )
      await refusedWith(
        (manifest) => Object.assign(manifest, { fingerprint: 'of other tables' }),
        /made by an unpublished earlier version of cuadra\. This program uses other tables/,
      )
    })
  })

  describe('the target of a restore', () => {
    it('is rejected and unchanged if it is not empty', async () => {
      const dataDir = newName()
      mkdirSync(dataDir)
      writeFileSync(join(dataDir, 'mine.txt'), 'mine')
      const { status, stderr } = await restore(whole, { dataDir, databaseUrl: undefined })
      expect([status, stderr]).toEqual([
        1,
        expect.stringContaining('is not empty. Set it to an empty folder'),
      ])
      expect(readdirSync(dataDir)).toEqual(['mine.txt'])
      const own = await restore(whole, shop().server)
      expect(own.stderr).toContain('is not empty')
    })

    it('is accepted if it contains only the key, and the key is kept', async () => {
      const dataDir = newName()
      mkdirSync(dataDir)
      writeFileSync(join(dataDir, 'secret.key'), `${'ab'.repeat(32)}\n`)
      await restoreAndAccept(whole, { dataDir, databaseUrl: undefined })
      expect(readFileSync(join(dataDir, 'secret.key'), 'utf8')).toBe(`${'ab'.repeat(32)}\n`)
    })

    if (hasPostgres())
      it('may be another database, but not one with tables', async () => {
        const target = await emptyTarget('postgres', newName())
        expect((await restoreAndAccept(whole, target)).ok).toBe(true)
        const again = await restore(whole, { ...target, dataDir: newName() })
        expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('has tables')])
        expect(await administer(target, ['verify'])).toMatchObject({ status: 0, stderr: '' })
      })
    else it.skip('may be another database: PostgreSQL is not installed here', () => {})

    it('stays empty if the disk is full, and a backup on a full disk is removed', async (context) => {
      const disk = smallDisk(2)
      if (!disk) return context.skip('no file system can be mounted here')
      try {
        disk.fill()
        disk.free(120_000)
        const out = join(disk.folder, 'out')
        const made = await administer(shop().server, ['backup', '--out', out])
        expect([made.status, made.stdout]).toEqual([1, ''])
        expect(made.stderr).toMatch(/^cuadra-admin: The disk of \S+ is full\. This backup was removed/)
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
}
