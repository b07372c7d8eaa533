/**
 * A database of every version before the baseline opens with the tables of a new database and its own rows, as when
 * each version had its own steps.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, describe, expect, it } from 'vitest'
import { required } from '../../../src/errors/index.ts'
import { pagesOf } from '../../../src/server/store/dump.ts'
import { BASELINE, columnNow } from '../../../src/server/store/migrate.ts'
import { openBare, openStore } from '../../../src/server/store/store.ts'
import { COMPANY_TABLES, REFERENCE_TABLES, type Tables } from '../../../src/server/store/tables.ts'
import { hasPostgres, postgresDatabase } from '../../conformance/postgres.ts'
import { LANDED } from './landed-migrations.ts'

type Place = { readonly dataDir: string; readonly databaseUrl?: string }
type Row = Readonly<Record<string, string | number>>

const INVOICE = {
  direction: 'issued',
  imported: 0,
  has_errors: 0,
  issue_date: '2026-03-04',
  created_at: '2026-03-04T10:20:30.000000',
}
/** Rows whose columns must match each other. In all other tables one row is enough. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  invoices: [
    {
      ...INVOICE,
      invoice_id: 'aa-1',
      number: 'F1',
      status: 'issued',
      sort_series: '0F',
      sort_number: '1',
      document_series: 'F',
    },
    {
      ...INVOICE,
      invoice_id: 'aa-2',
      number: 'F2',
      status: 'cancelled',
      sort_series: '0F',
      sort_number: '2',
      document_series: 'F',
      external_ref: 'other',
    },
    {
      ...INVOICE,
      invoice_id: 'bb-3',
      status: 'draft',
      sort_series: '1',
      sort_number: '',
      document_series: 'F',
      external_ref: 'third',
    },
    {
      ...INVOICE,
      invoice_id: 'cc-4',
      direction: 'received',
      status: 'received',
      sort_series: '',
      sort_number: '',
      document_series: '',
    },
  ],
  verifactu_submission_lines: [{ next_step: 'mend_and_register' }],
  verifactu_submissions: [{ error_message: '{"stop":"no_message","told":{}}' }],
  sii_records: [{ error_description: '{"stop":"no_record","told":{}}' }],
}

/** What a value of an earlier version is now. */
const VALUES_NOW = new Map<string | number, string>([
  ['mend_and_register', 'fix_and_register'],
  ['{"stop":"no_message","told":{}}', '{"reason":"no_message","values":{}}'],
  ['{"stop":"no_record","told":{}}', '{"reason":"no_record","values":{}}'],
])

/** Returns a row of an earlier version with the column names and values of this one. */
const rowNow = (table: string, row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [columnNow(table, column), VALUES_NOW.get(value) ?? value]),
  )

async function run(db: Kysely<Tables>, isPostgres: boolean, statements: readonly string[]): Promise<void> {
  for (const statement of statements)
    await sql
      .raw(
        statement
          .replaceAll('{text}', isPostgres ? 'text collate "C"' : 'text')
          .replaceAll('{keyed}', isPostgres ? '' : 'without rowid'),
      )
      .execute(db)
}

/** Runs the steps of some versions, as servers did then. */
async function step(db: Kysely<Tables>, isPostgres: boolean, from: number, to: number): Promise<void> {
  await sql`create table if not exists schema_migrations (version integer not null primary key, applied_at text not null)`.execute(
    db,
  )
  for (let version = from; version <= to; version++) {
    await run(db, isPostgres, required(LANDED[version - 1]))
    await db.insertInto('schema_migrations').values({ version, applied_at: 'then' }).execute()
  }
}

/** Inserts rows into all tables of a version, with a value in every column. */
async function fill(db: Kysely<Tables>, isPostgres: boolean): Promise<ReadonlyMap<string, readonly Row[]>> {
  const made = new Map<string, readonly Row[]>()
  for (const { name, columns } of await db.introspection.getTables()) {
    // Counts follow from the invoices, and changes are already counted.
    if (['schema_migrations', 'invoice_counts', 'invoice_changes'].includes(name)) continue
    const usual = Object.fromEntries(
      columns.map((column) => [
        column.name,
        column.dataType.toLowerCase() === 'text' ? `${column.name} 1` : 1,
      ]),
    )
    const rows = (ROWS[name] ?? [{}]).map((row) => ({ ...usual, company_id: 'C', ...row }))
    const own = rows.map((row) =>
      Object.fromEntries(columns.map((column) => [column.name, row[column.name as keyof typeof row]])),
    )
    await db
      .insertInto(name as 'invoices')
      .values(own as never)
      .execute()
    made.set(name, own as Row[])
  }
  const counted = await db.introspection.getTables()
  const isCounted = counted.some(({ name }) => name === 'invoice_changes')
  if (isCounted)
    await run(
      db,
      isPostgres,
      required(LANDED[7]).filter((one) => one.startsWith('insert into invoice_counts')),
    )
  return made
}

async function schemaOf(db: Kysely<Tables>, isPostgres: boolean): Promise<unknown> {
  const tables = isPostgres
    ? sql`select table_name, column_name, data_type, is_nullable, column_default, collation_name
        from information_schema.columns where table_schema = current_schema() order by 1, 2`
    : sql`select t.name as "table", c.name, c.type, c."notnull", c.dflt_value, c.pk, l.wr
        from sqlite_master t join pragma_table_info(t.name) c join pragma_table_list(t.name) l
        where t.type = 'table' order by 1, 2`
  const indexes = isPostgres
    ? sql<{
        text: string | null
      }>`select indexdef as text from pg_indexes where schemaname = current_schema() order by 1`
    : sql<{ text: string | null }>`select sql as text from sqlite_master where type = 'index' order by name`
  const texts = (await indexes.execute(db)).rows.map(({ text }) => text?.replace(/\s+/g, ' '))
  return [(await tables.execute(db)).rows, texts]
}

async function rowsOf(db: Kysely<Tables>): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {}
  for (const table of [...REFERENCE_TABLES, ...COMPANY_TABLES]) {
    if (table === 'schema_migrations') continue
    all[table] = []
    for await (const page of pagesOf(db, table)) all[table].push(...page)
  }
  return all
}

/** Opens a database as a server does, and reads the result. */
async function openedIn(place: Place, isPostgres: boolean) {
  const store = await openStore({ ...place, ...(isPostgres ? { pool: 1 } : {}) })
  try {
    const db = store.acrossCompanies('a test')
    const { rows: versions } = await sql<{ version: number }>`
      select version from schema_migrations order by 1`.execute(db)
    return {
      schema: await schemaOf(db, isPostgres),
      rows: await rowsOf(db),
      versions: versions.map(({ version }) => version),
      db: await Promise.all(
        (await db.introspection.getTables()).map(async ({ name }) => {
          const { rows } = await sql.raw<Row>(`select * from "${name}"`).execute(db)
          return [name, rows] as const
        }),
      ).then((all) => new Map(all)),
    }
  } finally {
    await store.close()
  }
}

function proof(isPostgres: boolean): void {
  const folders: string[] = []
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  const place = async (): Promise<Place> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'cuadra-landed-'))
    folders.push(dataDir)
    return isPostgres ? { dataDir, databaseUrl: await postgresDatabase() } : { dataDir }
  }
  const made = async (version: number, further: number) => {
    const at = await place()
    const db = await openBare(at)
    try {
      await step(db, isPostgres, 1, version)
      const rows = await fill(db, isPostgres)
      await step(db, isPostgres, version + 1, further)
      return { at, rows }
    } finally {
      await db.destroy()
    }
  }

  it.each(LANDED.map((_, index) => index + 1))('version %i', async (version) => {
    const { at, rows } = await made(version, version)
    const now = await openedIn(at, isPostgres)
    const byItsSteps = await openedIn((await made(version, BASELINE)).at, isPostgres)
    const fresh = await openedIn(await place(), isPostgres)
    expect(now.schema).toEqual(fresh.schema)
    expect(now.schema).toEqual(byItsSteps.schema)
    expect(now.rows).toEqual(byItsSteps.rows)
    expect(now.versions).toEqual(fresh.versions)
    expect(now.rows.invoice_counts?.length).toBeGreaterThan(20)
    for (const [table, before] of rows) {
      const after = now.db.get(table)
      if (after)
        expect(after, table).toEqual(before.map((row) => expect.objectContaining(rowNow(table, row))))
    }
  })
}

describe('a database of each earlier version, on SQLite', () => proof(false))
if (hasPostgres()) describe('a database of each earlier version, on PostgreSQL', () => proof(true))
else it.skip('PostgreSQL: it is not installed here', () => {})
