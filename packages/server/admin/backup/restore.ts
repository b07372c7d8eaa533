/** Restores a backup: verifies the hash of every part, inserts all rows in one transaction, and moves the files. */
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { makePrivateFile } from 'cuadra-storage/private-files.ts'
import { type Kysely, sql } from 'kysely'
import { CuadraError } from '#core/errors/index.ts'
import { openDiskFiles } from '../../src/documents/disk.ts'
import { copyInto, measureStream, type StreamMeasure } from '../../src/documents/measuring-stream.ts'
import { timestampOfMicroseconds } from '../../src/environment/clock.ts'
import type { Config } from '../../src/environment/config.ts'
import { BACKED_UP_TABLES, insertAll } from '../../src/store/dump.ts'
import { migrateIn } from '../../src/store/migrate.ts'
import { DATABASE_FILE, openUnmigrated } from '../../src/store/store.ts'
import { columnNamesOf, type Tables } from '../../src/store/tables.ts'
import { readLines } from './backup-parts.ts'
import { headsOf } from './make.ts'
import { FILE_LIST, type Manifest, type Part, type TablePart } from './manifest.ts'
import type { RestoreTarget } from './target.ts'

type Location = Pick<Config, 'dataDir' | 'databaseUrl'>

const damaged = (file: string, how: string): CuadraError =>
  new CuadraError(`${file} of the backup ${how}. Nothing was restored. Use another backup.`)

/** Throws if a file differs from its entry in the manifest. */
async function requireSame(file: string, wanted: StreamMeasure, content: Promise<Readable>): Promise<void> {
  const found = await content.then(measureStream).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw damaged(file, 'is missing')
    if (error.code === undefined) throw damaged(FILE_LIST, 'lists an invalid file name')
    throw error
  })
  if (found.size !== wanted.size || found.sha256 !== wanted.sha256)
    throw damaged(file, 'is damaged, or was changed after the backup was made')
}

/** Verifies every part against the manifest, before anything is restored. */
export async function requireIntact(folder: string, { tables, files }: Manifest): Promise<void> {
  for (const part of [...tables, files.list])
    await requireSame(part.file, part, Promise.resolve(createReadStream(join(folder, part.file))))
  const attached = openDiskFiles(join(folder, 'files'))
  let count = 0
  for await (const { key, size, sha256 } of filesListed(folder, files.list)) {
    await requireSame(`files/${key}`, { size, sha256 }, attached.read(key))
    count++
  }
  if (count !== files.count) throw damaged(FILE_LIST, `lists ${count} files instead of ${files.count}`)
}

/** Yields the attached files that the file list of a backup contains. */
async function* filesListed(
  folder: string,
  list: Part,
): AsyncGenerator<StreamMeasure & { readonly key: string }> {
  for await (const { values } of readLines(folder, list)) {
    const [key, size, sha256] = values as [string, number, string]
    yield { key, size, sha256 }
  }
}

async function fillTable(
  tx: Kysely<Tables>,
  isPostgres: boolean,
  folder: string,
  part: TablePart,
): Promise<void> {
  const { table, columns, rows, file } = part
  async function* fitting() {
    for await (const line of readLines(folder, part)) {
      if (line.values.length !== columns.length)
        throw damaged(file, `has a row of ${line.values.length} values`)
      yield line
    }
  }
  const read = await insertAll(tx, isPostgres, part, fitting())
  const { n } = await tx
    .selectFrom(table as 'invoices')
    .select(({ fn }) => fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  if (read !== rows || Number(n) !== rows) throw damaged(file, `has ${read} rows instead of ${rows}`)
}

/** Throws if the manifest lists tables or columns that this program does not know. */
function requireTables(tables: readonly TablePart[]): void {
  for (const { table, columns, file } of tables) {
    const known = BACKED_UP_TABLES.find((name) => name === table)
    const unknown = known ? columns.find((name) => !columnNamesOf(known).includes(name)) : table
    if (unknown !== undefined) throw damaged(file, `belongs to an unknown table or column (${unknown})`)
  }
}

/** Releases the work that was in progress when the backup was made. Drops work that may have been completed since. */
async function resetUnfinishedWork(tx: Kysely<Tables>): Promise<void> {
  await tx.updateTable('processes').set({ leaving: 1 }).execute()
  await tx.updateTable('verifactu_queues').set({ owner: null, lease_ms: 0 }).execute()
  await tx.updateTable('sii_queues').set({ owner: null, lease_ms: 0 }).execute()
  await tx.deleteFrom('pending_files').execute()
  await tx.deleteFrom('rate_buckets').execute()
  // Clients of requests in progress have received a response in the meantime, or have given up.
  await tx.deleteFrom('idempotency_keys').where('status', 'is', null).execute()
  // Pending mails are marked as failed: they were probably sent after the backup, and must not be sent twice.
  const failure = JSON.stringify({ reason: 'unreachable', permanent: true, uncertain: true })
  await tx
    .updateTable('mails')
    .set({ state: 'failed', owner: null, failure })
    .where('state', 'in', ['pending', 'sending'])
    .execute()
  await tx.deleteFrom('mail_contents').execute()
}

async function fill(
  db: Kysely<Tables>,
  isPostgres: boolean,
  folder: string,
  manifest: Manifest,
  restoreId: string,
  beforeCommit: () => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await migrateIn(tx, { isPostgres, location: 'The target of the restore' })
    for (const part of manifest.tables) await fillTable(tx, isPostgres, folder, part)
    const heads = JSON.stringify(await headsOf(tx))
    if (heads !== JSON.stringify(manifest.chains))
      throw damaged('tables/verifactu_chains.ndjson.gz', 'has chain ends that differ from the manifest')
    await resetUnfinishedWork(tx)
    await tx
      .insertInto('restores')
      .values({
        restore_id: restoreId,
        backup_id: manifest.backup_id,
        made_at: manifest.made_at,
        restored_at: timestampOfMicroseconds(Date.now() * 1000),
        accepted_at: null,
        skipped_numbers: 0,
      })
      .execute()
    await beforeCommit()
  })
}

async function copyFiles(folder: string, part: string, { files }: Manifest): Promise<void> {
  const [from, to] = [openDiskFiles(join(folder, 'files')), openDiskFiles(join(part, 'files'))]
  for await (const { key, sha256 } of filesListed(folder, files.list)) {
    const copied = await copyInto(to, key, await from.read(key))
    if (copied.sha256 !== sha256) throw damaged(`files/${key}`, 'changed while it was being read')
  }
}

/** Restores all data into a claimed target. If the restore fails, existing data does not change. */
export async function restoreBackup(
  folder: string,
  manifest: Manifest,
  config: Location,
  target: RestoreTarget,
  restoreId: string,
): Promise<void> {
  const isPostgres = config.databaseUrl !== undefined
  requireTables(manifest.tables)
  await copyFiles(folder, target.part, manifest)
  if (!isPostgres) makePrivateFile(join(target.part, DATABASE_FILE))
  const db = await openUnmigrated(isPostgres ? config : { dataDir: target.part })
  try {
    // With PostgreSQL, the files are moved before the commit, so that the commit completes the restore.
    const filesFirst = isPostgres ? () => target.moveFiles() : async () => {}
    await fill(db, isPostgres, folder, manifest, restoreId, filesFirst)
    // Writes pending changes from the write-ahead log to the database file, because only that file is moved.
    if (!isPostgres) await sql`pragma wal_checkpoint(truncate)`.execute(db)
  } finally {
    await db.destroy()
  }
  if (isPostgres) return
  await target.moveFiles()
  await target.moveDatabase()
}
