/**
 * Migrates a database to the tables of this program. To restore a backup, migrates it to the earlier version of the
 * backup.
 */
import { type Kysely, sql } from 'kysely'
import { isWithoutTable } from '../../storage/faults.ts'
import { recount } from './counts.ts'
import { tablesThere } from './dump.ts'
import { forAllCompanies } from './guard.ts'
import { columnsOf, INDEXES, KEYED, keyOf, TABLE_NAMES, type TableName, type Tables } from './tables.ts'

/** The first version built from `TABLES`. */
export const BASELINE = 10

/**
 * The statements of each version after the baseline. Missing tables, columns and indexes are added automatically.
 * Append new statements; never edit those of a released version.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    "update verifactu_submission_lines set next_step = 'fix_and_register' where next_step = 'mend_and_register'",
    `update verifactu_submissions set error_message = replace(replace(error_message, '{"stop":', '{"reason":'), '"told":', '"values":') where error_message like '{"stop":%'`,
    `update sii_submissions set error_description = replace(replace(error_description, '{"stop":', '{"reason":'), '"told":', '"values":') where error_description like '{"stop":%'`,
    `update sii_records set error_description = replace(replace(error_description, '{"stop":', '{"reason":'), '"told":', '"values":') where error_description like '{"stop":%'`,
    `update sii_movements set error_description = replace(replace(error_description, '{"stop":', '{"reason":'), '"told":', '"values":') where error_description like '{"stop":%'`,
    `update sii_submission_items set error_description = replace(replace(error_description, '{"stop":', '{"reason":'), '"told":', '"values":') where error_description like '{"stop":%'`,
  ],
]

/** Renamed columns: the old name and the new one, by table. */
const RENAMED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  verifactu_anomalies: { mended_at: 'resolved_at' },
}

/** Returns the current name of a column that an earlier version may have named differently. */
export const columnNow = (table: string, column: string): string => RENAMED[table]?.[column] ?? column

/** The version of the tables that this program uses. */
export const VERSION = BASELINE + MIGRATIONS.length

/** Returns the version of a database; 0 if it is new. Throws if it is newer than this program. */
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

/** Returns the version of a database that may have no tables yet. */
export const versionOfTables = (db: Pick<Kysely<Tables>, 'selectFrom'>): Promise<number> =>
  versionIn(db).catch((error) => {
    if (isWithoutTable(error)) return 0
    throw error
  })

/** The SQL type of a column; `{text}` is a text ordered by code point. */
function sqlTypeOf(type: string): string {
  if (type === 'integer' || type === 'bigint') return type
  if (type === 'double') return 'double precision'
  return type === 'text' || type.startsWith('json.') ? 'text' : '{text}'
}

/** Statements that create a table, or add its missing columns if `known` lists those that exist. */
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

/** Versions before this one counted lists differently. */
const COUNTED_ANEW = 8

/** Statements that create the tables of a new database, or update those of an earlier version. */
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

/** Applies the missing migrations up to version `to`, within the given transaction. */
export async function migrateIn(tx: Kysely<Tables>, isPostgres: boolean, to = VERSION): Promise<void> {
  const inDialect = (statement: string) =>
    statement
      .replaceAll('{text}', isPostgres ? 'text collate "C"' : 'text')
      .replaceAll('{keyed}', isPostgres ? '' : 'without rowid')
  // Processes that start at the same time wait for this lock. In the embedded database, the transaction itself is the
  // lock.
  if (isPostgres) {
    // Building an index over a large table can take long.
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
  // If nothing is missing, nothing is written. Administrators' commands therefore also work on a read-only replica.
  if ((await versionOfTables(db)) === VERSION) return
  await db.transaction().execute((tx) => migrateIn(tx, isPostgres))
}
