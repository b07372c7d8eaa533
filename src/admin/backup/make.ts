/**
 * A backup of everything that the server keeps, as of one moment, while it goes on: rows of one snapshot, and the
 * attached files that these rows hold, which are never changed once they are written.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { App } from '../../server/app/app.ts'
import { filesOnDisk } from '../../server/documents/disk.ts'
import { fingerprintOfKey } from '../../server/environment/secrets.ts'
import { version as PROGRAM } from '../../server/package.json'
import { DUMPED, namesOf, pagesOf } from '../../server/store/dump.ts'
import { VERSION } from '../../server/store/migrate.ts'
import { ENVIRONMENTS, type TableName, type Tables } from '../../server/store/tables.ts'
import { makePrivateFolder } from '../../storage/private-files.ts'
import { type ChainHead, FILE_LIST, type Manifest, type Part, type TablePart } from './manifest.ts'
import { Measured, writeLines } from './parts.ts'

interface Attached {
  readonly company_id: string
  readonly document_id: string
  readonly file_key: string
  readonly size: number
  readonly sha256: string
}

const COLUMNS = namesOf('attachments')
const at = (name: keyof Attached): number => COLUMNS.indexOf(name)

/** The attachments of the snapshot, in the order of their key. */
async function* attachmentsIn(db: Kysely<Tables>, isPostgres: boolean): AsyncGenerator<Attached> {
  for await (const page of pagesOf(db, 'attachments', isPostgres))
    for (const row of page)
      yield {
        company_id: String(row[at('company_id')]),
        document_id: String(row[at('document_id')]),
        file_key: String(row[at('file_key')]),
        size: Number(row[at('size')]),
        sha256: String(row[at('sha256')]),
      }
}

interface CopiedFiles {
  readonly count: number
  readonly bytes: number
  readonly list: Part
  /** Attachments that were removed, with their file, since the snapshot: they are in no part. */
  readonly gone: ReadonlySet<string>
  readonly problems: readonly string[]
}

const openOf = async (app: App, key: string): Promise<Readable | null> => {
  try {
    return await app.files.read(key)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

const isStillAttached = async (app: App, { company_id, document_id }: Attached): Promise<boolean> =>
  (await app.store
    .of(company_id)
    .select('attachments')
    .select('document_id')
    .where('document_id', '=', document_id)
    .executeTakeFirst()) !== undefined

async function copyFiles(app: App, db: Kysely<Tables>, folder: string): Promise<CopiedFiles> {
  const target = filesOnDisk(join(folder, 'files'))
  const lines = await writeLines(folder, FILE_LIST)
  const gone = new Set<string>()
  const problems: string[] = []
  let [count, bytes] = [0, 0]
  try {
    for await (const one of attachmentsIn(db, app.store.kind === 'postgres')) {
      const { file_key, size, sha256 } = one
      const content = await openOf(app, file_key)
      if (!content) {
        if (await isStillAttached(app, one)) problems.push(`${file_key} is missing`)
        else gone.add(one.document_id)
        continue
      }
      const measured = new Measured()
      content.once('error', (error) => measured.destroy(error))
      await target.write(file_key, content.pipe(measured))
      const found = measured.sha256()
      if (found !== sha256 || measured.size !== size) problems.push(`${file_key} is not what was attached`)
      await lines.add([file_key, measured.size, found])
      count++
      bytes += measured.size
    }
    return { count, bytes, list: await lines.close(), gone, problems }
  } catch (error) {
    await lines.abandon()
    throw error
  }
}

async function writeTable(
  db: Kysely<Tables>,
  table: TableName,
  { folder, isPostgres, gone }: { folder: string; isPostgres: boolean; gone: ReadonlySet<string> },
): Promise<TablePart> {
  const columns = namesOf(table)
  const lines = await writeLines(folder, `tables/${table}.ndjson.gz`)
  let rows = 0
  try {
    for await (const page of pagesOf(db, table, isPostgres))
      for (const row of page) {
        if (table === 'attachments' && gone.has(String(row[at('document_id')]))) continue
        await lines.add(row)
        rows++
      }
    return { table, columns, rows, ...(await lines.close()) }
  } catch (error) {
    await lines.abandon()
    throw error
  }
}

type Body = { readonly Huella?: string; readonly Evento?: { readonly HuellaEvento?: string } }

/** The hash of a record or an event, whichever it is. */
function hashIn(record: string): string | null {
  const [body] = Object.values(JSON.parse(record) as Record<string, Body>)
  return body?.Huella ?? body?.Evento?.HuellaEvento ?? null
}

/** The ends of all chains. */
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

/** Writes all parts into a folder, and answers what its manifest says. */
export async function writeBackup(app: App, folder: string): Promise<Omit<Manifest, 'format' | 'version'>> {
  const isPostgres = app.store.kind === 'postgres'
  makePrivateFolder(join(folder, 'tables'))
  const [made_at, moment] = [app.clock.stamp(), app.clock.moment()]
  return app.store.snapshotOfAll('a backup has everything', async (db) => {
    const chains = await headsOf(db)
    const sealed = await db.selectFrom('certificates').select('certificate_id').limit(1).executeTakeFirst()
    const { gone, problems, ...files } = await copyFiles(app, db, folder)
    const tables: TablePart[] = []
    for (const table of DUMPED) tables.push(await writeTable(db, table, { folder, isPostgres, gone }))
    return {
      backup_id: randomUUID(),
      program: PROGRAM,
      made_at,
      moment,
      store: app.store.kind,
      migration: VERSION,
      sealed_with: sealed ? fingerprintOfKey(app.config) : null,
      tables,
      files,
      chains,
      problems,
    }
  })
}
