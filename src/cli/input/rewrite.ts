/** Puts a mended document in the place of its file. */
import { randomUUID } from 'node:crypto'
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { UsageError } from '../../errors/index.ts'
import type { Cli } from './cli.ts'
import { unwritable } from './inputs.ts'

/**
 * The whole new text or the old one, whatever happens; a link keeps leading to its file, and the file keeps who may
 * read it. Throws a `UsageError` where it cannot be written, or was changed since it was read.
 */
export async function rewrite(cli: Cli, file: string, read: Uint8Array, text: string): Promise<void> {
  try {
    const path = await realpath(cli.pathOf(file))
    const draft = `${path}.${randomUUID()}.part`
    const { mode } = await stat(path)
    try {
      await writeFile(draft, text, { flag: 'wx', mode })
      if (Buffer.compare(await readFile(path), read) !== 0)
        throw cli.refusalOf(file, {
          en: 'was changed meanwhile; run it again',
          es: 'cambió entretanto; repítalo',
        })
      await rename(draft, path)
    } finally {
      await rm(draft, { force: true })
    }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw unwritable(cli, file, error)
  }
}
