/**
 * Restricts access to the server's files to its own user, because invoices are private. An existing folder, such as a
 * volume, keeps its mode. Each file and folder is therefore restricted individually, regardless of the `umask`.
 */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, throwWithPath } from './storage-faults.ts'

export const PRIVATE_MODES = { folder: 0o700, file: 0o600 } as const

const OTHERS = 0o077

/** Creates a folder and its missing parents with access for this user only. An existing folder does not change. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_MODES.folder })
}

/** Creates an empty file with access for this user only, if it does not exist. Later writes do not change its mode. */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', PRIVATE_MODES.file))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * Removes the access of other users to a file or folder, which a umask or a copy may have permitted. Ignores paths that
 * do not exist, and files of another user, whose mode only that user can change.
 */
export function closeToOthers(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || (found.mode & OTHERS) === 0) return
  try {
    chmodSync(path, found.mode & ~OTHERS)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') throw error
  }
}

/** Flushes a file, or a folder, so that the name of a new file survives a power failure. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync().catch(throwWithPath(path))
  } finally {
    await handle.close()
  }
}

/** Creates a folder and its missing parents so that they survive a power failure. */
export async function makeDurableFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: PRIVATE_MODES.folder })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await flush(dirname(made))
}
