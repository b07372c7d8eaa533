/** Folders that are there whole or not at all: written beside their name, which they get when they are done. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CuadraError } from '../errors/index.ts'
import { isFull } from '../storage/faults.ts'
import { flushFolder, makeLastingFolder, PRIVATE } from '../storage/private-files.ts'
import { ioReason } from '../terminal/io-reason.ts'

/** The names in a folder; none where it is not there. */
export const entriesOf = async (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CuadraError(`${folder} cannot be read: ${ioReason(error)}. Name a folder.`)
  })

const TAKEN: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST'])

const notEmpty = (out: string): CuadraError =>
  new CuadraError(`${out} is not empty. Name a folder that is not there yet, or an empty one.`)

/** A name beside that of a folder, for one that is being made or removed. */
export const asideOf = (folder: string): string => `${folder}.part-${randomBytes(4).toString('hex')}`

/**
 * Runs `work` on a folder beside `out`, which becomes `out` when `work` is done and all is on the disk; nothing is left
 * of one that fails. `whenFull` says what a full disk means for what was to be written.
 */
export async function writtenAside<T>(
  out: string,
  whenFull: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if ((await entriesOf(out)).length > 0) throw notEmpty(out)
  const aside = asideOf(out)
  try {
    await makeLastingFolder(dirname(out))
    await mkdir(aside, { mode: PRIVATE.folder })
    const done = await work(aside)
    await flushFolder(aside)
    await rename(aside, out).catch((error: NodeJS.ErrnoException) => {
      // Another process had the name first.
      throw TAKEN.has(error.code) ? notEmpty(out) : error
    })
    await flushFolder(dirname(out))
    return done
  } catch (error) {
    await rm(aside, { recursive: true, force: true }).catch(() => undefined)
    if (isFull(error)) throw new CuadraError(whenFull)
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === 'mkdir' && code !== 'EEXIST')
      throw new CuadraError(`${out} cannot be written: ${ioReason(error)}.`)
    throw error
  }
}
