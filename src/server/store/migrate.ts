/** Brings a database to a version of the tables: that of this program, or an earlier one that a backup was made with. */
import { type Kysely, sql } from 'kysely'
import { isWithoutTable } from '../../storage/faults.ts'
import { recount } from './counts.ts'
import { tablesThere } from './dump.ts'
import { forAllCompanies } from './guard.ts'
import { BASELINE, BASELINE_INDEXES, BASELINE_TABLES, KEYED, MIGRATIONS } from './migrations.ts'
import type { Tables } from './tables.ts'

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

const TYPES: Readonly<Record<string, string>> = { '': '{text}', double: 'double precision' }

/** A column of the baseline by its name, as SQL declares it. */
function columnOf(word: string): readonly [name: string, sql: string] {
  const [, name = '', type = '', initial, nullable] = /^(\w+):?(\w*)(=\d+)?(\?)?$/.exec(word) ?? []
  const isNull = nullable ? '' : ' not null'
  return [name, `${name} ${TYPES[type] ?? type}${isNull}${initial ? ` default ${initial.slice(1)}` : ''}`]
}

const wordsOf = (text: string): string[] => text.trim().split(/\s+/)

/** What a table of the baseline, or of an earlier version that has some of its columns, lacks. */
function lackingIn(table: string, known: readonly string[] | undefined): string[] {
  const [key = '', rest = ''] = (BASELINE_TABLES[table] ?? '').split('|')
  const columns = wordsOf(`${key} ${rest}`).map(columnOf)
  if (known)
    return columns.flatMap(([name, column]) =>
      known.includes(name) ? [] : [`alter table ${table} add column ${column}`],
    )
  const primary = wordsOf(key).map((word) => columnOf(word)[0])
  const body = [...columns.map(([, column]) => column), `primary key (${primary.join(', ')})`]
  return [`create table ${table} (${body.join(', ')})${KEYED.has(table) ? ' {keyed}' : ''}`]
}

/** Lists were counted in another way up to this version. */
const COUNTED_ANEW = 8

/** What makes the baseline of a new database, or of one of an earlier version. */
function baselineOf(done: number, there: ReadonlyMap<string, readonly string[]>): string[] {
  const isCounted = done === 0 || done >= COUNTED_ANEW
  const known = (table: string) => (table === 'invoice_counts' && !isCounted ? undefined : there.get(table))
  return [
    ...(isCounted ? [] : ['drop table invoice_counts', 'drop index invoices_customer']),
    ...Object.keys(BASELINE_TABLES).flatMap((table) => lackingIn(table, known(table))),
    ...BASELINE_INDEXES.map((index) => `create ${index.replace('index', 'index if not exists')}`),
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
  if (done < BASELINE) await run(baselineOf(done, await tablesThere(tx, isPostgres)))
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
