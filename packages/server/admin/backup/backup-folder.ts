/** Manages the folder of one backup, and the folder of dated backups (option `--into`). */
import { rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { codeOf } from 'cuadra-storage/storage-faults.ts'
import { entriesOf, temporaryNameOf } from '../atomic-folder.ts'
import { MANIFEST } from './manifest.ts'

const DAY = 86_400_000
/** Matches the names of backups in the folder given with `--into`, which contain their UTC timestamp. */
const DATED = /^cuadra-\d{8}T\d{6}Z$/
const PART = /^(.+)\.part-[0-9a-f]{8}$/

/** Returns a name such as `cuadra-20261123T013000Z`. */
export const datedName = (now: number): string =>
  `cuadra-${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`

/** Writes the manifest, which makes the folder a complete backup. */
export const writeManifest = (folder: string, text: string): Promise<void> =>
  writeFile(join(folder, MANIFEST), text, { flag: 'wx', mode: PRIVATE_MODES.file })

/** Returns the result of an operation on a folder; undefined if another backup has renamed or removed the folder. */
const unlessGone = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
    return undefined
  })

/**
 * Removes a backup. Renames it first, so that a partly removed folder is never mistaken for a backup. Returns false if
 * it is already gone.
 */
async function removeBackup(folder: string): Promise<boolean> {
  const temporary = temporaryNameOf(folder)
  const isRenamed = await unlessGone(rename(folder, temporary).then(() => true))
  if (!isRenamed) return false
  await rm(temporary, { recursive: true, force: true })
  return true
}

/**
 * Removes all backups of a folder except the newest, and unfinished backups older than a day. Returns the removed
 * names.
 */
export async function removeOld(into: string, keep: number | undefined, now: number): Promise<string[]> {
  const removed: string[] = []
  const names = (await entriesOf(into)).sort()
  for (const name of names) {
    const [, of = ''] = PART.exec(name) ?? []
    if (!DATED.test(of)) continue
    const found = await unlessGone(stat(join(into, name)))
    if (!found || now - found.mtimeMs < DAY) continue
    await rm(join(into, name), { recursive: true, force: true })
    removed.push(name)
  }
  if (keep === undefined) return removed
  const backups: string[] = []
  for (const name of names)
    if (DATED.test(name) && (await entriesOf(join(into, name))).includes(MANIFEST)) backups.push(name)
  for (const name of backups.slice(0, Math.max(0, backups.length - keep))) {
    if (await removeBackup(join(into, name))) removed.push(name)
  }
  return removed
}
