/** Where a backup goes: it is written beside its name, and gets it when all of it is on the disk. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CuadraError } from '../../errors/index.ts'
import { isFull } from '../../storage/faults.ts'
import { flushFolder, makeLastingFolder, PRIVATE } from '../../storage/private-files.ts'
import { ioReason } from '../../terminal/io-reason.ts'
import { MANIFEST } from './manifest.ts'

const DAY = 86_400_000
/** Names that `--into` gives: the moment in UTC. */
const DATED = /^cuadra-\d{8}T\d{6}Z$/
const PART = /^(.+)\.part-[0-9a-f]{8}$/

/** For example, `cuadra-20261123T013000Z`. */
export const datedName = (now: number): string =>
  `cuadra-${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

const entriesOf = async (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CuadraError(`${folder} cannot be read: ${ioReason(error)}. Name a folder.`)
  })

const TAKEN: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST'])

const notEmpty = (out: string): CuadraError =>
  new CuadraError(`${out} is not empty. Name a folder that is not there yet, or an empty one.`)

async function requireFree(out: string): Promise<void> {
  if ((await entriesOf(out)).length > 0) throw notEmpty(out)
}

/** Runs `work` on a folder beside `out`, which becomes `out` when `work` is done; nothing is left of one that fails. */
export async function writtenAside<T>(out: string, work: (folder: string) => Promise<T>): Promise<T> {
  await requireFree(out)
  const aside = `${out}.part-${randomBytes(4).toString('hex')}`
  try {
    await makeLastingFolder(dirname(out))
    await mkdir(aside, { mode: PRIVATE.folder })
    const done = await work(aside)
    await flushFolder(aside)
    await rename(aside, out).catch((error: NodeJS.ErrnoException) => {
      // Another backup, of the same second say, had the name first.
      throw TAKEN.has(error.code) ? notEmpty(out) : error
    })
    await flushFolder(dirname(out))
    return done
  } catch (error) {
    await rm(aside, { recursive: true, force: true }).catch(() => undefined)
    if (isFull(error))
      throw new CuadraError(
        `The disk of ${dirname(out)} is full. Nothing is left of this backup, and earlier ones are as they were. Make room, or name another disk.`,
      )
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === 'mkdir' && code !== 'EEXIST')
      throw new CuadraError(`${out} cannot be written: ${ioReason(error)}.`)
    throw error
  }
}

/** Writes the manifest, flushed: from here on the folder is a backup. */
export const finish = (folder: string, text: string): Promise<void> =>
  writeFile(join(folder, MANIFEST), text, { flag: 'wx', mode: PRIVATE.file, flush: true } as never)

/** Takes the name away before the files, so that no half of a backup is ever called one. */
async function removeBackup(folder: string): Promise<void> {
  const aside = `${folder}.part-${randomBytes(4).toString('hex')}`
  await rename(folder, aside)
  await rm(aside, { recursive: true, force: true })
}

/**
 * Removes all but the newest backups of a folder that `--into` has named, and what backups that were killed a day ago
 * have left. Answers the names that went.
 */
export async function removeOld(into: string, keep: number | undefined, now: number): Promise<string[]> {
  const removed: string[] = []
  const names = (await entriesOf(into)).sort()
  for (const name of names) {
    const [, of = ''] = PART.exec(name) ?? []
    if (!DATED.test(of)) continue
    const { mtimeMs } = await stat(join(into, name))
    if (now - mtimeMs < DAY) continue
    await rm(join(into, name), { recursive: true, force: true })
    removed.push(name)
  }
  if (keep === undefined) return removed
  const backups: string[] = []
  for (const name of names)
    if (DATED.test(name) && (await entriesOf(join(into, name))).includes(MANIFEST)) backups.push(name)
  for (const name of backups.slice(0, Math.max(0, backups.length - keep))) {
    await removeBackup(join(into, name))
    removed.push(basename(name))
  }
  return removed
}
