/** A database file that is damaged, or closed: the words name it and say what to do. */
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/server/store/store.ts'
import { fileProblem } from '../../src/storage/faults.ts'
import { administer } from '../conformance/administrator.ts'

const folder = mkdtempSync(join(tmpdir(), 'cuadra-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const listing = (dataDir: string) => administer({ dataDir, databaseUrl: undefined }, ['company', 'list'])

/** A new database, all of it in its one file. */
async function made(dataDir: string): Promise<string> {
  const store = await openStore({ dataDir })
  await store.close()
  const file = join(dataDir, 'cuadra.db')
  const database = new Database(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return file
}

describe('a file that cannot be used', () => {
  it.each([
    ['SQLITE_READONLY', 'attempt to write a readonly database'],
    ['SQLITE_CANTOPEN', 'unable to open database file'],
    ['', 'ConnectionFailed("Unable to open connection to local database cuadra.db: 14")'],
    ['EACCES', "EACCES: permission denied, open 'cuadra.db'"],
    ['EROFS', 'EROFS: read-only file system'],
  ])('%s is told with the file and the rights that it needs', (code, message) => {
    const problem = fileProblem(Object.assign(new Error(message), { code, path: '/srv/cuadra/cuadra.db' }))
    expect(problem).toMatch(/^\/srv\/cuadra\/cuadra\.db cannot be read and written/)
    expect(problem).toContain('CUADRA_DATA_DIR')
  })

  it('any other fault is none of these', () => {
    expect(fileProblem(new Error('x'))).toBeUndefined()
    expect(fileProblem(undefined)).toBeUndefined()
  })

  it('a damaged page is told by the command that meets it', async () => {
    const dataDir = join(folder, 'damaged')
    const file = await made(dataDir)
    const { size } = statSync(file)
    const descriptor = openSync(file, 'r+')
    // All but the first page, which has the list of the tables.
    writeSync(descriptor, Buffer.alloc(size - 4096, 7), 0, size - 4096, 4096)
    closeSync(descriptor)
    const { status, stderr } = await listing(dataDir)
    expect(status).toBe(2)
    expect(stderr).toContain(`${file} is damaged`)
    expect(stderr).toContain('backup')
  })

  it('another file in its place is told too', async () => {
    const dataDir = join(folder, 'other')
    const descriptor = openSync(await made(dataDir), 'r+')
    writeSync(descriptor, 'this is a letter, and no database at all', 0)
    closeSync(descriptor)
    const { status, stderr } = await listing(dataDir)
    expect([status, stderr.includes('is damaged')]).toEqual([2, true])
  })

  // A folder in which nobody, not even root, makes a file.
  it.runIf(platform() === 'linux')('a folder that cannot be written is told', async () => {
    const { status, stderr } = await listing('/sys/kernel')
    expect(status).toBe(1)
    expect(stderr).toMatch(/\/sys\/kernel\/cuadra\.db cannot be read and written \(E/)
  })
})
