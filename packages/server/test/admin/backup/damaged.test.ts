/** Runs administrator commands on a damaged database, and with a clock that was set back. */
import { closeSync, cpSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { temporaryFolder } from '#test/folders.ts'
import { Shop } from './fixture.ts'

const folder = temporaryFolder()
let shop: Shop
beforeAll(async () => {
  shop = await Shop.open('sqlite', 'verifactu')
  for (let i = 0; i < 3; i++) await shop.issue()
}, 60_000)
afterAll(async () => {
  await shop?.server.stop()
})

describe('a damaged database', () => {
  const target = { dataDir: join(folder, 'damaged'), databaseUrl: undefined }
  const file = join(target.dataDir, 'cuadra.db')
  beforeAll(async () => {
    cpSync(shop.server.dataDir, target.dataDir, { recursive: true })
    // Writes the write-ahead log into the database file before the test damages the file.
    await administer(target, ['company', 'list'])
    for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
    const at = openSync(file, 'r+')
    const { size } = statSync(file)
    for (let page = 2; page * 4096 < size; page++)
      writeSync(at, Buffer.alloc(4096, 0xab), 0, 4096, page * 4096)
    closeSync(at)
  })

  it('is reported by doctor as an error with its path and exit code 2', async () => {
    const { status, json } = await administer(target, ['doctor', '--json'])
    expect([status, json.status]).toEqual([2, 'error'])
    const found = json.findings.filter(({ check }: { check: string }) => check === 'database')
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ level: 'error', what: expect.stringContaining(file) })
    expect(found[0].fix).toContain('backup')
  })

  it.each([['verify'], ['backup', '--out', join(folder, 'out')]])(
    'is reported by %s with exit code 2',
    async (...args) => {
      const text = await administer(target, args)
      expect([text.status, text.stderr]).toEqual([2, expect.stringContaining(`${file} is damaged`)])
      const { status, json } = await administer(target, [...args, '--json'])
      expect([status, json.error.code, json.error.path]).toEqual([2, 'database_damaged', file])
    },
  )
})

describe('a clock that was set back by a day', () => {
  it('is reported by doctor as the only problem, without errors in the chain', async () => {
    const real = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => real() - 86_400_000)
    try {
      const { status, json } = await administer(shop.server, ['doctor', '--json'])
      const levels = Object.fromEntries(
        json.findings.map(({ check, level }: Record<string, string>) => [check, level]),
      )
      expect([status, levels.clock_behind, levels.chain]).toEqual([2, 'error', 'ok'])
    } finally {
      vi.restoreAllMocks()
    }
  })
})
