/**
 * Writes folders atomically: under a temporary name, which is replaced by the final name when the folder is complete.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { flush, makeDurableFolder, PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { isDiskFull } from 'cuadra-storage/storage-faults.ts'
import { CuadraError } from '#core/errors/index.ts'
import { ioReason } from '#entry/terminal/index.ts'

/** Returns the names in a folder; empty if it does not exist. */
export const entriesOf = async (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CuadraError(`Cannot read ${folder}: ${ioReason(error)}. Name a folder.`)
  })

const TAKEN: ReadonlySet<string | undefined> = new Set(['ENOTEMPTY', 'EEXIST'])

const notEmpty = (out: string): CuadraError =>
  new CuadraError(`${out} is not empty. Name a new or empty folder.`)

/** Returns a temporary name in the same parent folder, for a folder that is being written or removed. */
export const temporaryNameOf = (folder: string): string => `${folder}.part-${randomBytes(4).toString('hex')}`

/** Flushes a folder with everything in it. */
async function flushAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    await (entry.isDirectory() ? flushAll(path) : flush(path))
  }
  await flush(folder)
}

/**
 * Runs `work` on a temporary folder. When it is complete and flushed to disk, renames it to `out`. If `work` fails, the
 * folder is removed. `whenFull` is the message for a full disk.
 */
export async function writeFolderAtomically<T>(
  out: string,
  whenFull: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  if ((await entriesOf(out)).length > 0) throw notEmpty(out)
  const temporary = temporaryNameOf(out)
  try {
    await makeDurableFolder(dirname(out))
    await mkdir(temporary, { mode: PRIVATE_MODES.folder })
    const done = await work(temporary)
    await flushAll(temporary)
    await rename(temporary, out).catch((error: NodeJS.ErrnoException) => {
      // Another process has created a folder with this name.
      throw TAKEN.has(error.code) ? notEmpty(out) : error
    })
    await flush(dirname(out))
    return done
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined)
    if (isDiskFull(error)) throw new CuadraError(whenFull)
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === 'mkdir' && code !== 'EEXIST')
      throw new CuadraError(`Cannot write ${out}: ${ioReason(error)}.`)
    throw error
  }
}
