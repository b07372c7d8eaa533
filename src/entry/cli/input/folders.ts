/** Finds the files named in the arguments, and the files in named folders. */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { NO_INVOICE, NO_SHEET } from '../generated/texts/input.ts'
import type { Cli } from './cli.ts'
import { STDIN, unreadableFileError } from './inputs.ts'

/** Names of the files read from a folder. A file named in the arguments may have any name. */
const INVOICES = /\.(?:xml|xsig|pdf|jsonc?|ndjson|jsonl)$/i
const SHEETS = /\.csv$/i

export interface Found {
  /** Name under which the file is opened and shown in messages. */
  readonly file: string
  /** Path of the result: the file name, with the folders below the folder named in the arguments. */
  readonly relativePath: string
}

async function inFolder(
  cli: Cli,
  folder: string,
  relativePath: string,
  skip: string | null,
  names: RegExp,
): Promise<Found[]> {
  const found: Found[] = []
  const entries = await readdir(cli.pathOf(folder), { withFileTypes: true }).catch((error: unknown) => {
    throw unreadableFileError(cli, folder, error)
  })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const file = join(folder, entry.name)
    const below = join(relativePath, entry.name)
    if (entry.isDirectory()) {
      // The output folder is skipped: results of an earlier conversion are not input.
      if (cli.pathOf(file) !== skip) found.push(...(await inFolder(cli, file, below, skip, names)))
    } else if (entry.isFile() && names.test(entry.name)) found.push({ file, relativePath: below })
  }
  return found
}

/** Returns the files of a folder named in the arguments. */
async function filesOfFolder(
  cli: Cli,
  name: string,
  out: string | undefined,
  sheets: boolean,
): Promise<Found[]> {
  const skip = out === undefined ? null : cli.pathOf(out)
  const inside = await inFolder(cli, name, '', skip, sheets ? SHEETS : INVOICES)
  if (inside.length === 0) throw cli.usageErrorAbout(name, sheets ? NO_SHEET : NO_INVOICE)
  return inside
}

/**
 * Returns the files to read. Of a folder, returns the invoice files (only CSV files with `sheets`), sorted by name,
 * without the output folder `out`. Throws a `UsageError` for a folder without such files.
 */
export async function filesIn(
  cli: Cli,
  names: readonly string[],
  out: string | undefined,
  sheets = false,
): Promise<Found[]> {
  const found: Found[] = []
  for (const name of names) {
    const isFolder =
      name !== STDIN && (await stat(cli.pathOf(name)).catch(() => null))?.isDirectory() === true
    if (!isFolder) {
      found.push({ file: name, relativePath: name === STDIN ? 'stdin' : basename(name) })
      continue
    }
    found.push(...(await filesOfFolder(cli, name, out, sheets)))
  }
  return found
}
