/** `backup`: everything that the server keeps, as of one moment, into a folder. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Command } from 'commander'
import { CuadraError, UsageError } from '../../errors/index.ts'
import type { App } from '../../server/app/app.ts'
import { type Config, readConfig } from '../../server/environment/config.ts'
import { noteBackup } from '../../server/environment/last-backup.ts'
import { allTaxpayers } from '../../server/service/company/company.ts'
import { whole } from '../arguments.ts'
import type { Io } from '../io.ts'
import { answer, factsText } from '../output.ts'
import { placeOf, withApp } from '../session.ts'
import { type Flags, plural } from './commands.ts'

interface BackupFlags extends Flags {
  readonly out?: string
  readonly into?: string
  readonly keep?: number
}

/** A schedule that runs with another environment than the server would save nothing, night after night. */
const nothingHere = (place: string): CuadraError =>
  new CuadraError(
    `There is nothing to back up in ${place}: no company. Run backup with the environment of the server: CUADRA_DATA_DIR, and CUADRA_DATABASE_URL where it has one. Nothing was written or removed.`,
  )

async function requireData({ dataDir, databaseUrl }: Config): Promise<void> {
  const { DATABASE_FILE } = await import('../../server/store/store.ts')
  if (!databaseUrl && !existsSync(join(dataDir, DATABASE_FILE)))
    throw nothingHere(`${dataDir} (CUADRA_DATA_DIR)`)
}

async function made(app: App, { out: wanted, into, keep }: BackupFlags) {
  const { writtenAside } = await import('../aside.ts')
  const { datedName, finish, removeOld } = await import('../backup/folder.ts')
  const { writeBackup } = await import('../backup/make.ts')
  const { MANIFEST, manifestText } = await import('../backup/manifest.ts')
  const began = performance.now()
  if ((await allTaxpayers(app.store.shared)).length === 0) throw nothingHere(placeOf(app))
  const out = resolve(into === undefined ? (wanted as string) : join(into, datedName(app.clock.now())))
  const full = `The disk of ${dirname(out)} is full. Nothing is left of this backup, and earlier ones are as they were. Make room, or name another disk.`
  const about = await writtenAside(out, full, async (folder) => {
    const manifest = await writeBackup(app, folder)
    await finish(folder, manifestText(manifest))
    return manifest
  })
  const { backup_id, made_at, tables, files, chains, sealed_with, problems } = about
  // A data folder that can only be read, of a replica say, remembers nothing.
  await noteBackup(app.config, { backup_id, made_at, out, whole: problems.length === 0 }).catch(
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

type Made = Awaited<ReturnType<typeof made>>

const keyMessages = ({ sealed_with }: Made): string =>
  sealed_with === null
    ? ''
    : `\nThe certificates in it are sealed. Keep their key (${sealed_with}) in another place: the file secret.key of the data folder, or CUADRA_SECRET. Without it they have to be added again; whoever has both has your private keys.\n`

export function add(backup: Command, io: Io): void {
  backup
    .option('--out <folder>', 'folder that is not there yet, or empty')
    .option('--into <folder>', 'folder of backups: this one gets a name of its own by its moment')
    .option('--keep <number>', 'with --into: remove all but the newest so many', whole(1, 9999))
    .action(async (flags: BackupFlags) => {
      if ((flags.out === undefined) === (flags.into === undefined))
        throw new UsageError('Say where: --out FOLDER for one backup, or --into FOLDER for one more.')
      if (flags.keep !== undefined && flags.into === undefined)
        throw new UsageError('--keep counts the backups of a folder: use it with --into.')
      await requireData(readConfig(io.env))
      const done = await withApp(io, (app) => made(app, flags))
      const { removed, sealed_with: _, problems, ...facts } = done
      answer(
        io,
        flags.json,
        done,
        () =>
          factsText([
            ...Object.entries(facts).map(([name, value]) => [name.replaceAll('_', ' '), value] as const),
            ...(removed.length > 0 ? [['removed', removed.join(', ')] as const] : []),
          ]) + keyMessages(done),
      )
      if (problems.length > 0)
        throw new CuadraError(
          `${plural(problems.length, 'attached file')} could not be saved as attached; the manifest names them. First: ${problems[0]}. Run \`cuadra-admin verify\`.`,
        )
    })
}
