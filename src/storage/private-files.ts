/**
 * Modes of what the server writes: invoices are nobody else's business. A folder that was there before, a volume or
 * what a service manager makes, keeps its mode; so each file and each folder in it is closed by itself, and does not
 * depend on `umask`.
 */
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './faults.ts'

export const PRIVATE = { folder: 0o700, file: 0o600 } as const

const OTHERS = 0o077

/** Makes a folder, and those above it that are missing, for this user alone. One that is there is left as it is. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE.folder })
}

/** Makes an empty file for this user alone, unless there is one: what is written to it later keeps the mode. */
export function makePrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'ax', PRIVATE.file))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/**
 * Closes a file or folder of the server that other users could read, as an earlier version has left it. One that is
 * not there is left to be made; one of another user cannot be changed, and is that user's to close.
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

/** Makes the name of a new file survive a power failure. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder with all above it, so that they survive a power failure too. */
export async function makeLastingFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: PRIVATE.folder })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await flushFolder(dirname(made))
}
