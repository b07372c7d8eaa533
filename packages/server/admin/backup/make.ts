/**
 * Writes a consistent backup of all data while the server runs. It contains the rows of one snapshot and the attached
 * files that these rows refer to. Attached files never change once written.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { makePrivateFolder } from 'cuadra-storage/private-files.ts'
import type { Kysely } from 'kysely'
import { version as PROGRAM } from '../../package.json'
import type { App } from '../../src/app/app.ts'
import { openDiskFiles } from '../../src/documents/disk.ts'
import { copyInto, openIfExists } from '../../src/documents/measuring-stream.ts'
import { fingerprintOfKey } from '../../src/environment/secrets.ts'
import { isAttached } from '../../src/service/attachments/attached-documents.ts'
import { BACKED_UP_TABLES, pagesOf } from '../../src/store/dump.ts'
import { FINGERPRINT, VERSION } from '../../src/store/migrate.ts'
import { columnNamesOf, ENVIRONMENTS, type Row, type TableName, type Tables } from '../../src/store/tables.ts'
import { writeLines } from './backup-parts.ts'
import { type ChainHead, FILE_LIST, type Manifest, type Part, type TablePart } from './manifest.ts'

interface CopiedFiles {
  readonly count: number
  readonly bytes: number
  readonly list: Part
  /** Attachments that were removed together with their file after the snapshot. The backup omits them. */
  readonly gone: ReadonlySet<string>
  readonly problems: readonly string[]
}

type Attached = Pick<Row<'attachments'>, 'company_id' | 'document_id' | 'file_key' | 'size' | 'sha256'>

/** Yields the attachments of the snapshot, in key order. */
async function* attachmentsIn(db: Kysely<Tables>): AsyncGenerator<Attached> {
  const columns = columnNamesOf('attachments')
  for await (const page of pagesOf(db, 'attachments'))
    for (const row of page)
      yield Object.fromEntries(columns.map((name, at) => [name, row[at]])) as unknown as Attached
}

async function copyFiles(app: App, db: Kysely<Tables>, folder: string): Promise<CopiedFiles> {
  const target = openDiskFiles(join(folder, 'files'))
  const gone = new Set<string>()
  const problems: string[] = []
  let [count, bytes] = [0, 0]
  async function* copied() {
    for await (const { company_id, document_id, file_key, size, sha256 } of attachmentsIn(db)) {
      const content = await openIfExists(app.files, file_key)
      if (!content) {
        if (await isAttached(app.store.of(company_id), document_id)) problems.push(`${file_key} is missing`)
        else gone.add(document_id)
        continue
      }
      const found = await copyInto(target, file_key, content)
      if (found.sha256 !== sha256 || found.size !== Number(size))
        problems.push(`${file_key} is not what was attached`)
      count++
      bytes += found.size
      yield [file_key, found.size, found.sha256]
    }
  }
  const list = await writeLines(folder, FILE_LIST, copied())
  return { count, bytes, list, gone, problems }
}

async function writeTable(
  db: Kysely<Tables>,
  table: TableName,
  folder: string,
  gone: ReadonlySet<string>,
): Promise<TablePart> {
  const columns = columnNamesOf(table)
  const id = table === 'attachments' ? columns.indexOf('document_id') : -1
  let rows = 0
  async function* kept() {
    for await (const page of pagesOf(db, table))
      for (const row of page) {
        if (gone.has(String(row[id]))) continue
        rows++
        yield row
      }
  }
  const part = await writeLines(folder, `tables/${table}.ndjson.gz`, kept())
  return { table, columns, rows, ...part }
}

type Body = { readonly Huella?: string; readonly Evento?: { readonly HuellaEvento?: string } }

/** Returns the hash of a record or an event. */
function hashIn(record: string): string | null {
  const [body] = Object.values(JSON.parse(record) as Record<string, Body>)
  return body?.Huella ?? body?.Evento?.HuellaEvento ?? null
}

/** Returns the end of every chain: the sequence number and the hash of its last record. */
export async function headsOf(db: Kysely<Tables>): Promise<ChainHead[]> {
  const rows = await db
    .selectFrom('verifactu_chains')
    .select(['company_id', 'environment', 'chain', 'sequence', 'last_record'])
    .where('environment', 'in', ENVIRONMENTS)
    .orderBy('company_id')
    .orderBy('environment')
    .orderBy('chain')
    .execute()
  return rows.map(({ last_record, sequence, ...rest }) => ({
    ...rest,
    sequence: Number(sequence),
    huella: last_record === null ? null : hashIn(last_record),
  }))
}

/** Writes all parts into a folder, and returns the content of its manifest. */
export async function writeBackup(app: App, folder: string): Promise<Omit<Manifest, 'format' | 'version'>> {
  makePrivateFolder(join(folder, 'tables'))
  const [made_at, timestamp] = [app.clock.stamp(), app.clock.timestamp()]
  return app.store.snapshotOfAll('a backup has everything', async (db) => {
    const chains = await headsOf(db)
    const sealed = await db.selectFrom('certificates').select('certificate_id').limit(1).executeTakeFirst()
    const { gone, problems, ...files } = await copyFiles(app, db, folder)
    const tables: TablePart[] = []
    for (const table of BACKED_UP_TABLES) tables.push(await writeTable(db, table, folder, gone))
    return {
      backup_id: randomUUID(),
      program: PROGRAM,
      made_at,
      timestamp,
      store: app.store.kind,
      migration: VERSION,
      fingerprint: FINGERPRINT,
      sealed_with: sealed ? fingerprintOfKey(app.config) : null,
      tables,
      files,
      chains,
      problems,
    }
  })
}
