/** A database file that is damaged or inaccessible: the message names it and states what to do. */
import { closeSync, openSync, statSync, writeSync } from 'node:fs'
import { platform } from 'node:os'
import { join } from 'node:path'
import { openStore } from 'cuadra-server/store/store.ts'
import Database from 'libsql'
import { describe, expect, it } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { temporaryFolder } from '#test/folders.ts'
import { checkIntegrity } from '../src/integrity.ts'
import { fileProblem } from '../src/storage-faults.ts'

const folder = temporaryFolder()

const listing = (dataDir: string) => administer({ dataDir, databaseUrl: undefined }, ['company', 'list'])

/** A new database, all in one file. */
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
    ['UNKNOWN_SQLITE_ERROR_1544', 'attempt to write a readonly database'],
    ['SQLITE_CANTOPEN', 'unable to open database file'],
    ['', 'ConnectionFailed("Unable to open connection to local database cuadra.db: 14")'],
    ['EACCES', "EACCES: permission denied, open 'cuadra.db'"],
    ['EROFS', 'EROFS: read-only file system'],
  ])('%s is reported with the file and the access that it needs', (code, message) => {
    const problem = fileProblem(Object.assign(new Error(message), { code, path: '/srv/cuadra/cuadra.db' }))
    expect(problem).toMatch(/^\/srv\/cuadra\/cuadra\.db cannot be read and written/)
    expect(problem).toContain(code === '' || code.startsWith('UNKNOWN') ? message : code)
    expect(problem).toContain('CUADRA_DATA_DIR')
  })

  it('any other error is not one of these', () => {
    expect(fileProblem(new Error('x'))).toBeUndefined()
    expect(fileProblem(undefined)).toBeUndefined()
  })

  it('a damaged page is reported by the command that reads it', async () => {
    const dataDir = join(folder, 'damaged')
    const file = await made(dataDir)
    const { size } = statSync(file)
    const descriptor = openSync(file, 'r+')
    // All but the first page, which lists the tables.
    writeSync(descriptor, Buffer.alloc(size - 4096, 7), 0, size - 4096, 4096)
    closeSync(descriptor)
    const { status, stderr } = await listing(dataDir)
    expect(status).toBe(2)
    expect(stderr).toContain(`${file} is damaged`)
    expect(stderr).toContain('backup')
  })

  it('another file in its place is reported, too', async () => {
    const dataDir = join(folder, 'other')
    const descriptor = openSync(await made(dataDir), 'r+')
    writeSync(descriptor, 'this is a letter, and no database at all', 0)
    closeSync(descriptor)
    const { status, stderr } = await listing(dataDir)
    expect([status, stderr.includes('is damaged')]).toEqual([2, true])
  })

  // A folder in which no user, not even root, can create a file.
  it.runIf(platform() === 'linux')('a folder that cannot be written is reported', async () => {
    const { status, stderr } = await listing('/sys/kernel')
    expect(status).toBe(1)
    expect(stderr).toMatch(/\/sys\/kernel\/cuadra\.db cannot be read and written \(E/)
  })
})

it('a check of all pages that takes longer than its limit is reported as unfinished', async () => {
  const file = await made(join(folder, 'checked'))
  expect(await checkIntegrity(file, 60_000)).toBe('ok')
  expect(await checkIntegrity(file, 1)).toBeUndefined()
})
