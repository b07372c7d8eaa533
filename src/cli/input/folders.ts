/** Files that are named or lie in a folder that is named. */
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Cli } from './cli.ts'
import { STDIN, unreadable } from './inputs.ts'

/** What is taken from a folder; a file that is named may have any name. */
const INVOICES = /\.(?:xml|xsig|json|ndjson|jsonl)$/i

export interface Found {
  /** As it is opened and shown. */
  readonly file: string
  /** Its place among the results: its own name, with the folders below the one that was named. */
  readonly place: string
}

async function inFolder(cli: Cli, folder: string, place: string, skip: string | null): Promise<Found[]> {
  const found: Found[] = []
  const entries = await readdir(cli.pathOf(folder), { withFileTypes: true }).catch((error: unknown) => {
    throw unreadable(cli, folder, error)
  })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const file = join(folder, entry.name)
    const below = join(place, entry.name)
    if (entry.isDirectory()) {
      // What was converted before is no input.
      if (cli.pathOf(file) !== skip) found.push(...(await inFolder(cli, file, below, skip)))
    } else if (entry.isFile() && INVOICES.test(entry.name)) found.push({ file, place: below })
  }
  return found
}

/** Files in the order of their names; `out` is the folder of the results. Throws a `UsageError`. */
export async function filesIn(cli: Cli, names: readonly string[], out: string | undefined): Promise<Found[]> {
  const found: Found[] = []
  for (const name of names) {
    const isFolder =
      name !== STDIN && (await stat(cli.pathOf(name)).catch(() => null))?.isDirectory() === true
    if (!isFolder) {
      found.push({ file: name, place: name === STDIN ? 'stdin' : basename(name) })
      continue
    }
    const inside = await inFolder(cli, name, '', out === undefined ? null : cli.pathOf(out))
    if (inside.length === 0)
      throw cli.refusalOf(name, {
        en: 'no invoice in this folder (.xml, .xsig, .json, .ndjson)',
        es: 'no hay ninguna factura en esta carpeta (.xml, .xsig, .json, .ndjson)',
      })
    found.push(...inside)
  }
  return found
}
