/** Writes a fixed document back to its file. */
import { randomUUID } from 'node:crypto'
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { UsageError } from '#core/errors/index.ts'
import { USAGE } from '../generated/texts/usage.ts'
import type { Cli } from './cli.ts'
import { unwritableFileError } from './inputs.ts'

/**
 * Replaces the content of a file atomically, through links, and keeps its mode. Throws a `UsageError` if the file
 * cannot be written, or has changed since it was read.
 */
export async function rewrite(cli: Cli, file: string, read: Uint8Array, text: string): Promise<void> {
  try {
    const path = await realpath(cli.pathOf(file))
    const draft = `${path}.${randomUUID()}.part`
    const { mode } = await stat(path)
    try {
      await writeFile(draft, text, { flag: 'wx', mode })
      if (Buffer.compare(await readFile(path), read) !== 0)
        throw cli.usageErrorAbout(file, USAGE.file_changed)
      await rename(draft, path)
    } finally {
      await rm(draft, { force: true })
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw unwritableFileError(cli, file, error)
  }
}
