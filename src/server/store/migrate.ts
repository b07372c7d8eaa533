/** Brings a database to a version of the tables: that of this program, or an earlier one that a backup was made with. */
import { type Kysely, sql } from 'kysely'
import { isWithoutTable } from '../../storage/faults.ts'
import { forAllCompanies } from './guard.ts'
import { MIGRATIONS } from './migrations.ts'
import type { Tables } from './tables.ts'

/** The version of the tables that this program works with. */
export const VERSION = MIGRATIONS.length

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
  const done = await versionIn(tx)
  for (const [index, statements] of MIGRATIONS.entries()) {
    if (index < done || index >= to) continue
    for (const statement of statements) await sql.raw(inDialect(statement)).execute(tx)
    await tx
      .insertInto('schema_migrations')
      .values({ version: index + 1, applied_at: new Date().toISOString() })
      .execute()
  }
}

export async function migrate(guarded: Kysely<Tables>, isPostgres: boolean): Promise<void> {
  const db = guarded.withPlugin(forAllCompanies)
  // Nothing is written where nothing is to be done: a replica that can only be read serves the administrator too.
  if ((await versionOfTables(db)) === VERSION) return
  await db.transaction().execute((tx) => migrateIn(tx, isPostgres))
}
