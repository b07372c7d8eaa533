/** Creates the tables of a new database, and migrates those of an earlier version to this program. */
import { createHash } from 'node:crypto'
import { isTableMissing } from 'cuadra-storage/storage-faults.ts'
import { type Kysely, sql } from 'kysely'
import { CuadraError } from '#core/errors/index.ts'
import { readTableColumns } from './dump.ts'
import { forAllCompanies } from './guard.ts'
import {
  columnsOf,
  INDEXES,
  keyOf,
  TABLE_NAMES,
  TABLES_WITHOUT_ROWID,
  type TableName,
  type Tables,
} from './tables.ts'

/** The version of the tables in release 0.1.0. Unpublished versions used the numbers 1 to 11. */
export const BASELINE = 12

/** The statements of each version after the baseline. */
export type Steps = readonly (readonly string[])[]

/**
 * Until 0.1.0 is published, a change of the tables changes the baseline, and this list stays empty. Afterwards, append
 * one list per version, with the statements that it needs. Missing tables, columns and indexes are added automatically.
 * Never edit the statements of a published version.
 */
const STEPS: Steps = []

const versionAfter = (steps: Steps): number => BASELINE + steps.length

/** The version of the tables that this program uses. */
export const VERSION = versionAfter(STEPS)

/** Returns the SQL type of a column. `{text}` stands for a text type that is ordered by code point. */
function sqlTypeOf(type: string): string {
  if (type === 'integer' || type === 'bigint') return type
  if (type === 'double') return 'double precision'
  return type === 'text' || type.startsWith('json.') ? 'text' : '{text}'
}

/** Returns the statements that create a table or, if `known` lists its existing columns, add the missing columns. */
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
  return [
    `create table if not exists ${table} (${body.join(', ')})${TABLES_WITHOUT_ROWID.has(table) ? ' {keyed}' : ''}`,
  ]
}

/**
 * Identifies the declared columns, keys and indexes, regardless of their order. It is stored with the version. It shows
 * whether an unpublished version created the tables before the baseline changed.
 */
export const FINGERPRINT = createHash('sha256')
  .update(
    [
      ...TABLE_NAMES.flatMap((table) => [...lackingIn(table, []), `${table} ${keyOf(table).join()}`]),
      ...INDEXES.map((index) => index.replace(/\s+/g, ' ')),
    ]
      .sort()
      .join('\n'),
  )
  .digest('hex')
  .slice(0, 16)

/** The version of the tables in a database or a backup; 0 if there are none. */
export interface FoundTables {
  readonly version: number
  /** Undefined before version 12. */
  readonly fingerprint?: string | undefined
}

/** Returns how the version of the tables in a database or a backup relates to that of this program. */
export function statusOf({ version, fingerprint }: FoundTables, steps = STEPS) {
  const own = versionAfter(steps)
  if (version === 0) return 'none'
  if (version > own) return 'newer'
  if (version < BASELINE || (version === own && fingerprint !== FINGERPRINT)) return 'unpublished'
  return version < own ? 'earlier' : 'current'
}

/** Returns a message: an unpublished version created the tables of `subject`, which is a database or a backup. */
export const unpublishedText = (subject: string, version: number): string =>
  `${subject} has version ${version} of the tables, made by an unpublished earlier version of cuadra. This program uses ${version === VERSION ? 'other tables' : `version ${VERSION}`}, and cannot convert them.`

/** Returns the version of the tables in a database, which may have none yet. */
export async function tablesVersion(db: Pick<Kysely<Tables>, 'selectFrom'>): Promise<FoundTables> {
  // Selects all columns, because tables of earlier versions have no column `fingerprint`.
  const last = db.selectFrom('schema_migrations').selectAll().orderBy('version', 'desc').limit(1)
  try {
    return (await last.executeTakeFirst()) ?? { version: 0 }
  } catch (error) {
    if (isTableMissing(error)) return { version: 0 }
    throw error
  }
}

/** A database, and the name by which messages refer to it. */
export interface MigrationTarget {
  readonly isPostgres: boolean
  readonly location: string
}

/** Whether a database has to be migrated. Throws a `CuadraError` if this program cannot use it. */
function needsMigration(found: FoundTables, location: string, steps: Steps): boolean {
  const { version } = found
  const status = statusOf(found, steps)
  if (status === 'newer')
    throw new CuadraError(
      `${location} has version ${version} of the tables, this program knows ${versionAfter(steps)}. Start the newer program.`,
    )
  if (status === 'unpublished')
    throw new CuadraError(
      `${unpublishedText(location, version)} Nothing was changed. Start with a new database: set CUADRA_DATA_DIR to an empty folder, and CUADRA_DATABASE_URL, if set, to an empty database. To keep the data, export them first, with \`cuadra-admin export\` of the version that made them.`,
    )
  return status !== 'current'
}

/** Creates missing tables, and applies the missing steps, within the given transaction. */
export async function migrateIn(
  tx: Kysely<Tables>,
  { isPostgres, location }: MigrationTarget,
  steps = STEPS,
): Promise<void> {
  const run = async (statements: readonly string[]) => {
    for (const statement of statements)
      await sql
        .raw(
          statement
            .replaceAll('{text}', isPostgres ? 'text collate "C"' : 'text')
            .replaceAll('{keyed}', isPostgres ? '' : 'without rowid'),
        )
        .execute(tx)
  }
  // Processes that start at the same time wait for this lock. In the embedded database, the transaction itself is the
  // lock.
  if (isPostgres) {
    // Building the index of a large table can take longer than the timeout.
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('cuadra.migrations'))`.execute(tx)
  }
  await run(lackingIn('schema_migrations', undefined))
  const found = await tablesVersion(tx)
  if (!needsMigration(found, location, steps)) return
  const there = await readTableColumns(tx, isPostgres)
  await run([
    ...TABLE_NAMES.flatMap((table) => lackingIn(table, there.get(table))),
    ...INDEXES.map((index) => `create ${index.replace('index', 'index if not exists')}`),
    // A new database is created with the tables of the last version and has no rows that the steps could change.
    ...(found.version === 0 ? [] : steps.slice(found.version - BASELINE).flat()),
  ])
  const applied_at = new Date().toISOString()
  await tx
    .insertInto('schema_migrations')
    .values({ version: versionAfter(steps), applied_at, fingerprint: FINGERPRINT })
    .execute()
}

/** Migrates a database to the version of this program. Tests pass other `steps`. */
export async function migrate(
  guarded: Kysely<Tables>,
  target: MigrationTarget,
  steps = STEPS,
): Promise<void> {
  const db = guarded.withPlugin(forAllCompanies)
  // If nothing is missing, nothing is written. Administrators' commands therefore also work on a read-only replica.
  if (!needsMigration(await tablesVersion(db), target.location, steps)) return
  await db.transaction().execute((tx) => migrateIn(tx, target, steps))
}
