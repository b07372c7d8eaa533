/** `backup`: writes a consistent copy of all data into a folder. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { CuadraError, UsageError } from '#core/errors/index.ts'
import type { App } from '../../src/app/app.ts'
import { type Config, readConfig } from '../../src/environment/config.ts'
import { saveLastBackup } from '../../src/environment/last-backup.ts'
import { allTaxpayers } from '../../src/service/company/company.ts'
import { labelledLines, print } from '../admin-output.ts'
import { wholeNumberParser } from '../arguments.ts'
import type { Io } from '../io.ts'
import { databaseLocationOf, withApp } from '../session.ts'
import { countText, type Flags } from './commands.ts'

interface BackupFlags extends Flags {
  readonly out?: string
  readonly into?: string
  readonly keep?: number
}

/**
 * Returns the error for a missing database. Without it, a scheduled backup with a wrong environment would succeed
 * without saving anything.
 */
const nothingToBackUp = (location: string): CuadraError =>
  new CuadraError(
    `Nothing to back up in ${location}: no company. Nothing was written or removed. Run backup with the environment of the server: CUADRA_DATA_DIR and, if used, CUADRA_DATABASE_URL.`,
  )

async function requireData({ dataDir, databaseUrl }: Config): Promise<void> {
  const { DATABASE_FILE } = await import('../../src/store/store.ts')
  if (!databaseUrl && !existsSync(join(dataDir, DATABASE_FILE)))
    throw nothingToBackUp(`${dataDir} (CUADRA_DATA_DIR)`)
}

async function makeBackup(app: App, { out: wanted, into, keep }: BackupFlags) {
  const { writeFolderAtomically } = await import('../atomic-folder.ts')
  const { datedName, writeManifest, removeOld } = await import('../backup/backup-folder.ts')
  const { writeBackup } = await import('../backup/make.ts')
  const { MANIFEST, manifestText } = await import('../backup/manifest.ts')
  const began = performance.now()
  if ((await allTaxpayers(app.store.shared)).length === 0) throw nothingToBackUp(databaseLocationOf(app))
  const out = resolve(into === undefined ? (wanted as string) : join(into, datedName(app.clock.now())))
  const full = `The disk of ${dirname(out)} is full. This backup was removed; earlier ones are unchanged. Free space, or use another disk.`
  const about = await writeFolderAtomically(out, full, async (folder) => {
    const manifest = await writeBackup(app, folder)
    await writeManifest(folder, manifestText(manifest))
    return manifest
  })
  const { backup_id, made_at, tables, files, chains, sealed_with, problems } = about
  // Saving fails if the data folder is read-only, for example on a replica.
  await saveLastBackup(app.config, { backup_id, made_at, out, complete: problems.length === 0 }).catch(
    () => undefined,
  )
  const removed = into === undefined ? [] : await removeOld(resolve(into), keep, app.clock.now())
  const rowsOf = (name: string) => tables.find(({ table }) => table === name)?.rows ?? 0
  const parts = [...tables, files.list].reduce((sum, { size }) => sum + size, 0)
  return {
    out,
    backup_id,
    made_at,
    companies: rowsOf('companies'),
    invoices: rowsOf('invoices'),
    records: rowsOf('verifactu_records'),
    events: rowsOf('verifactu_events'),
    chains: chains.length,
    files: files.count,
    bytes: parts + files.bytes + (await stat(join(out, MANIFEST))).size,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    sealed_with,
    removed,
    problems,
  }
}

type BackupSummary = Awaited<ReturnType<typeof makeBackup>>

const keyMessages = ({ sealed_with }: BackupSummary): string =>
  sealed_with === null
    ? ''
    : `\nThe certificates in it are encrypted. Keep their key (${sealed_with}) in another location: the file secret.key of the data folder, or CUADRA_SECRET. Without the key, add the certificates again. Backup and key together expose your private keys.\n`

export function add(backup: Command, io: Io): void {
  backup
    .option('--out <folder>', 'write the backup to this new or empty folder')
    .option('--into <folder>', 'add the backup to this folder of backups, named by its timestamp')
    .option(
      '--keep <number>',
      'with --into: keep only this many of the newest backups',
      wholeNumberParser(1, 9999),
    )
    .action(async (flags: BackupFlags) => {
      if ((flags.out === undefined) === (flags.into === undefined))
        throw new UsageError(
          'The folder is missing: use --out FOLDER for one backup, or --into FOLDER to add one to others.',
        )
      if (flags.keep !== undefined && flags.into === undefined) throw new UsageError('--keep needs --into.')
      await requireData(readConfig(io.env))
      const done = await withApp(io, (app) => makeBackup(app, flags))
      const { removed, sealed_with: _, problems, ...facts } = done
      print(
        io,
        flags.json,
        done,
        () =>
          labelledLines([
            ...Object.entries(facts).map(([name, value]) => [name.replaceAll('_', ' '), value] as const),
            ...(removed.length > 0 ? [['removed', removed.join(', ')] as const] : []),
          ]) + keyMessages(done),
      )
      if (problems.length > 0)
        throw new CuadraError(
          `${countText(problems.length, 'attached file')} could not be saved as attached; the manifest lists them. First: ${problems[0]}. Run \`cuadra-admin verify\`.`,
        )
    })
}
