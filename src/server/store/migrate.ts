/** Brings a database to a version of the tables: that of this program, or an earlier one that a backup was made with. */
import { type Kysely, sql } from 'kysely'
import { isWithoutTable } from '../../storage/faults.ts'
import { recount } from './counts.ts'
import { tablesThere } from './dump.ts'
import { forAllCompanies } from './guard.ts'
import { columnsOf, INDEXES, KEYED, keyOf, TABLE_NAMES, type TableName, type Tables } from './tables.ts'

/** The first version that is made from `TABLES`. */
export const BASELINE = 10

/**
 * What each version after the baseline does to a database beyond giving it the tables, columns and indexes that it
 * lacks, forward only: one that was released is never edited, the next one is added below it.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    "update verifactu_submission_lines set next_step = 'fix_and_register' where next_step = 'mend_and_register'",
    `update verifactu_submissions set error_message = replace(error_message, '"told":', '"values":') where error_message like '{"stop":%'`,
    `update sii_submissions set error_description = replace(error_description, '"told":', '"values":') where error_description like '{"stop":%'`,
    `update sii_records set error_description = replace(error_description, '"told":', '"values":') where error_description like '{"stop":%'`,
    `update sii_movements set error_description = replace(error_description, '"told":', '"values":') where error_description like '{"stop":%'`,
    `update sii_submission_items set error_description = replace(error_description, '"told":', '"values":') where error_description like '{"stop":%'`,
  ],
]

/** Columns that earlier versions of the tables called otherwise: the old name and the new one, by table. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  verifactu_anomalies: { mended_at: 'resolved_at' },
}

/** Returns the name that a column of an earlier version has now. */
export const columnNow = (table: string, column: string): string => RENAMED[table]?.[column] ?? column

/** The version of the tables that this program works with. */
export const VERSION = BASELINE + MIGRATIONS.length

/** How many of the migrations the database has had; 0 where it is new. Throws for one that is ahead of this program. */
async function versionIn(db: Pick<Kysely<Tables>, 'selectFrom'>): Promise<number> {
  const row = await db
    .selectFrom('schema_migrations')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst()
  const done = Number(row?.version ?? 0)
  if (done > VERSION)
    throw new Error(
      `The database has version ${done}, this program knows ${VERSION}. Start the newer program.`,
    )
  return done
}

/** The same of a database that may have no tables yet. */
export const versionOfTables = (db: Pick<Kysely<Tables>, 'selectFrom'>): Promise<number> =>
  versionIn(db).catch((error) => {
    if (isWithoutTable(error)) return 0
    throw error
  })

/** How SQL calls the types of columns; `{text}` is text ordered by code point. */
function sqlTypeOf(type: string): string {
  if (type === 'integer' || type === 'bigint') return type
  if (type === 'double') return 'double precision'
  return type === 'text' || type.startsWith('json.') ? 'text' : '{text}'
}

/** What a table lacks of which some columns are there; undefined: it is not there. */
function lackingIn(table: TableName, known: readonly string[] | undefined): string[] {
  const columns = columnsOf(table).map(({ name, type, initial, isNullable }) => ({
    name,
    sql: `${name} ${sqlTypeOf(type)}${isNullable ? '' : ' not null'}${initial && ` default ${initial}`}`,
  }))
  if (known)
    return columns
      .filter(({ name }) => !known.includes(name))
      .map(({ sql }) => `alter table ${table} add column ${sql}`)
  const body = [...columns.map(({ sql }) => sql), `primary key (${keyOf(table).join(', ')})`]
  return [`create table ${table} (${body.join(', ')})${KEYED.has(table) ? ' {keyed}' : ''}`]
}

/** Lists were counted in another way up to this version. */
const COUNTED_ANEW = 8

/** What makes the tables of a new database, or of one of an earlier version. */
function tablesAfter(done: number, there: ReadonlyMap<string, readonly string[]>): string[] {
  const isCounted = done === 0 || done >= COUNTED_ANEW
  const known = (table: TableName) =>
    table === 'invoice_counts' && !isCounted
      ? undefined
      : there.get(table)?.map((column) => columnNow(table, column))
  const renamed = Object.entries(RENAMED).flatMap(([table, names]) =>
    Object.entries(names)
      .filter(([old]) => there.get(table)?.includes(old))
      .map(([old, name]) => `alter table ${table} rename column ${old} to ${name}`),
  )
  return [
    ...renamed,
    ...(isCounted ? [] : ['drop table invoice_counts', 'drop index invoices_customer']),
    ...TABLE_NAMES.flatMap((table) => lackingIn(table, known(table))),
    ...INDEXES.map((index) => `create ${index.replace('index', 'index if not exists')}`),
    ...(done === 1
      ? [
          'insert into taxpayers (taxpayer_id, tax_id, created_at) select company_id, tax_id, created_at from companies',
        ]
      : []),
  ]
}

/** Applies the migrations that are missing up to a version, in the transaction that is given. */
export async function migrateIn(tx: Kysely<Tables>, isPostgres: boolean, to = VERSION): Promise<void> {
  const inDialect = (statement: string) =>
    statement
      .replaceAll('{text}', isPostgres ? 'text collate "C"' : 'text')
      .replaceAll('{keyed}', isPostgres ? '' : 'without rowid')
  // Processes that start together queue here; the embedded database is locked by the transaction itself.
  if (isPostgres) {
    // An index over a large table takes its time.
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('cuadra.migrations'))`.execute(tx)
  }
  await sql`create table if not exists schema_migrations (version integer not null primary key, applied_at text not null)`.execute(
    tx,
  )
  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await sql.raw(inDialect(statement)).execute(tx)
  }
  const done = await versionIn(tx)
  if (done < VERSION) await run(tablesAfter(done, await tablesThere(tx, isPostgres)))
  for (let version = done + 1; version <= to; version++) {
    await run(MIGRATIONS[version - BASELINE - 1] ?? [])
    await tx
      .insertInto('schema_migrations')
      .values({ version, applied_at: new Date().toISOString() })
      .execute()
  }
  if (done > 0 && done < COUNTED_ANEW) await recount(tx)
}

export async function migrate(guarded: Kysely<Tables>, isPostgres: boolean): Promise<void> {
  const db = guarded.withPlugin(forAllCompanies)
  // Nothing is written where nothing is to be done: a replica that can only be read serves the administrator too.
  if ((await versionOfTables(db)) === VERSION) return
  await db.transaction().execute((tx) => migrateIn(tx, isPostgres))
}
