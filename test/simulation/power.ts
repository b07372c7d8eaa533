/**
 * A power failure of the simulated machine. What was not flushed is lost, torn or kept, in any order: parts of files,
 * names in folders, and the frames of the database that were being written.
 */
import { readdirSync, readFileSync, rmSync, type Stats, statSync, truncateSync, writeFileSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import type { Chance } from './virtual.ts'

const require = createRequire(import.meta.url)

/** The smallest part of a file that a disk writes as a whole. */
const SECTOR = 512
/** The header of the write-ahead log. */
const LOG_HEADER = 32

/** The files of the embedded database. */
export interface Image {
  readonly database: Buffer
  readonly log: Buffer
}

const readIfThere = (file: string): Buffer => {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}

export const imageOf = (file: string): Image => ({
  database: readIfThere(file),
  log: readIfThere(`${file}-wal`),
})

/** Takes each sector from `before` or `after`, or from neither if there was nothing before. */
function torn(before: Buffer, after: Buffer, chance: Chance): Buffer {
  const mixed = Buffer.alloc(Math.max(before.length, after.length))
  before.copy(mixed)
  for (let at = 0; at < after.length; at += SECTOR) {
    const die = chance.below(3)
    if (die === 0) after.copy(mixed, at, at, at + SECTOR)
    else if (die === 1 && at >= before.length) mixed.fill(0xa5, at, Math.min(at + SECTOR, mixed.length))
  }
  return mixed.subarray(0, before.length + chance.below(Math.max(1, mixed.length - before.length + 1)))
}

/**
 * Returns what the disk keeps if the power fails while a statement changes the database from `before` to `after`. SQLite
 * flushes a new header of the log before its frames, the frames before the commit returns, and both before it copies
 * pages to the database. If it does not flush at commits, all frames of the log can be lost.
 */
export function afterPowerFailure(before: Image, after: Image, flushes: boolean, chance: Chance): Image {
  if (!before.database.equals(after.database) && chance.below(2) === 0)
    return { database: torn(before.database, after.database, chance), log: after.log }
  const isNew = !before.log.subarray(0, LOG_HEADER).equals(after.log.subarray(0, LOG_HEADER))
  const flushed = flushes && !isNew ? before.log : after.log.subarray(0, LOG_HEADER)
  return { database: before.database, log: torn(flushed, after.log, chance) }
}

/** What was flushed, by the numbers of files and folders: the size and time of files, and the names in folders. */
const files = new Map<number, string>()
const folders = new Map<number, ReadonlyMap<string, number>>()
/** Content of removed files whose folder was not flushed since. */
const removed = new Map<string, Buffer>()

const stateOf = ({ size, mtimeMs }: Stats): string => `${size} ${mtimeMs}`
const numbersIn = (folder: string) =>
  new Map(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino]))

/** Notes that everything in a folder is on the disk. */
export function noteFlushed(folder: string): void {
  folders.set(statSync(folder).ino, numbersIn(folder))
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) noteFlushed(path)
    else files.set(statSync(path).ino, stateOf(statSync(path)))
  }
}

/** Notes what the server flushes. Replaces builtins of Node, for good. */
export async function watchFlushes(): Promise<void> {
  const fs = require('node:fs')
  const promises = require('node:fs/promises')
  const { fsync, fsyncSync, fstatSync } = fs
  const { open, rm } = promises
  const noteFile = (fd: number) => {
    const found: Stats = fstatSync(fd)
    if (found.isFile()) files.set(found.ino, stateOf(found))
  }
  fs.fsync = (fd: number, done: (error: Error | null) => void) =>
    fsync(fd, (error: Error | null) => {
      if (!error) noteFile(fd)
      done(error)
    })
  fs.fsyncSync = (fd: number) => {
    fsyncSync(fd)
    noteFile(fd)
  }
  const paths = new WeakMap<object, string>()
  const some = await open('.')
  const prototype = Object.getPrototypeOf(some)
  await some.close()
  const { sync } = prototype
  prototype.sync = async function (this: { readonly fd: number }) {
    await sync.call(this)
    noteFile(this.fd)
    const path = paths.get(this)
    if (path === undefined || !statSync(path).isDirectory()) return
    folders.set(statSync(path).ino, numbersIn(path))
    for (const file of removed.keys()) if (dirname(file) === path) removed.delete(file)
  }
  promises.open = async (path: string, ...rest: unknown[]) => {
    const handle = await open(path, ...rest)
    paths.set(handle, path)
    return handle
  }
  promises.rm = async (path: string, options?: object) => {
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile()
    if (isFile) removed.set(path, readFileSync(path))
    await rm(path, options)
  }
  syncBuiltinESMExports()
}

/** Loses what was not flushed in a folder that is itself on the disk. `isKept` excepts names. */
export function lose(folder: string, chance: Chance, isKept: (name: string) => boolean = () => false): void {
  for (const [path, content] of removed)
    if (dirname(path) === folder && chance.below(2) === 0) writeFileSync(path, content)
  const flushed = folders.get(statSync(folder).ino)
  for (const name of readdirSync(folder).sort()) {
    if (isKept(name)) continue
    const path = join(folder, name)
    const found = statSync(path)
    if (removed.delete(path)) continue
    if (flushed?.get(name) !== found.ino && chance.below(2) === 0)
      rmSync(path, { recursive: true, force: true })
    else if (found.isDirectory()) lose(path, chance)
    else if (files.get(found.ino) !== stateOf(found)) {
      const die = chance.below(3)
      if (die === 0) truncateSync(path, chance.below(found.size + 1))
      else if (die === 1) writeFileSync(path, torn(Buffer.alloc(0), readFileSync(path), chance))
    }
  }
}
