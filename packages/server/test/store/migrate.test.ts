/**
 * Tables are created and migrated as a whole or not at all, and those of other versions are refused.
 *
 * @slow
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { administer } from '#test/conformance/administrator.ts'
import { startServer } from '#test/conformance/harness.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { folderWithPackages } from '#test/folders.ts'
import { sized } from '#test/size.ts'
import { BASELINE, FINGERPRINT, migrate, type Steps, VERSION } from '../../src/store/migrate.ts'
import { openStore, openUnmigrated } from '../../src/store/store.ts'

type Target = { readonly dataDir: string; readonly databaseUrl?: string }

/** The steps of this program, and a made-up one that fails if it runs twice. */
const MADE_UP: Steps = [
  ...Array.from({ length: VERSION - BASELINE }, () => []),
  [
    'alter table taxpayers add column made_up text',
    "update taxpayers set made_up = 'by the step'",
    'create table made_up (id integer not null primary key)',
  ],
]

const folder = folderWithPackages()
const program = join(folder, 'migrating.mjs')
let names = 0

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('./migrating.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile: program,
    logLevel: 'silent',
  })
})
const withDatabase = async <T>(
  target: Target,
  work: (db: Awaited<ReturnType<typeof openUnmigrated>>) => Promise<T>,
) => {
  const db = await openUnmigrated(target)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

const run = (target: Target, statements: readonly string[]) =>
  withDatabase(target, async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db)
  })

/** Returns the columns, indexes and keys of a database, and the rows of the tables that the tests change. */
const contentOf = (target: Target) =>
  withDatabase(target, async (db) => {
    const tables = await db.introspection.getTables()
    const columns = tables.flatMap(({ name, columns }) =>
      columns.map((one) => `${name} ${one.name} ${one.dataType} ${one.isNullable}`),
    )
    const { rows } = await (target.databaseUrl
      ? sql<{ text: string }>`select indexdef as text from pg_indexes where schemaname = current_schema()`
      : sql<{ text: string }>`select coalesce(sql, name) as text from sqlite_master where type = 'index'`
    ).execute(db)
    const rowsOf = async (table: 'schema_migrations' | 'taxpayers') =>
      tables.some(({ name }) => name === table) ? db.selectFrom(table).selectAll().execute() : []
    return {
      columns: columns.sort(),
      indexes: rows.map(({ text }) => text).sort(),
      versions: await rowsOf('schema_migrations'),
      taxpayers: await rowsOf('taxpayers'),
    }
  })

const migrateWith = (target: Target, steps: Steps) =>
  withDatabase(target, (db) =>
    migrate(db, { isPostgres: target.databaseUrl !== undefined, location: 'The database' }, steps),
  )

const versionsOf = async (target: Target): Promise<readonly number[]> =>
  (await contentOf(target)).versions.map(({ version }) => version)

/** Runs a process that migrates a database. With `stopBefore`, kills it before that statement. */
async function migrating(target: Target, steps: Steps, stopBefore = -1) {
  const child = spawn(process.execPath, [program, JSON.stringify({ target, steps, stopBefore })])
  let [output, errors] = ['', '']
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (output === 'stopped') child.kill('SIGKILL')
  })
  const [code, signal] = await once(child, 'close')
  return { code, signal, output, errors }
}

/** The hash of every file in a folder, by its path, except the locks of the embedded database (`-shm`). */
const filesIn = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.endsWith('-shm') && statSync(join(path, name)).isFile())
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(path, name)))
          .digest('hex'),
      ]),
  )

function proof(isPostgres: boolean): void {
  const empty = async (): Promise<Target> => {
    const dataDir = join(folder, `${++names}`)
    mkdirSync(dataDir)
    return isPostgres ? { dataDir, databaseUrl: await postgresDatabase() } : { dataDir }
  }
  /** A database of this program with a row. */
  const made = async (): Promise<Target> => {
    const target = await empty()
    await (await openStore({ ...target, pool: 1 })).close()
    await run(target, ["insert into taxpayers (taxpayer_id, tax_id, created_at) values ('C', 'B1', 'then')"])
    return target
  }

  it('a step runs once on a database of the version before, and its version is recorded', async () => {
    const target = await made()
    await migrateWith(target, MADE_UP)
    const once = await contentOf(target)
    expect(once.versions.map(({ version }) => version)).toEqual([VERSION, VERSION + 1])
    expect(once.taxpayers).toEqual([expect.objectContaining({ tax_id: 'B1', made_up: 'by the step' })])
    await migrateWith(target, MADE_UP)
    expect(await contentOf(target)).toEqual(once)
  })

  it('declared tables, columns and indexes that are missing are added', async () => {
    const target = await made()
    const before = await contentOf(target)
    await run(target, [
      'drop table exchange_rates',
      'alter table series drop column pdf_template',
      'alter table sii_records drop column turns',
      'drop index invoices_number',
    ])
    expect((await contentOf(target)).columns).not.toEqual(before.columns)
    await migrateWith(target, [...MADE_UP.slice(0, -1), []])
    const { columns, indexes } = await contentOf(target)
    expect({ columns, indexes }).toEqual({ columns: before.columns, indexes: before.indexes })
  })

  it('a new database has the last version at once, and no step runs', async () => {
    const target = await empty()
    await migrateWith(target, MADE_UP)
    const { columns, versions } = await contentOf(target)
    expect(versions.map(({ version }) => version)).toEqual([VERSION + 1])
    expect(columns.filter((column) => column.includes('made_up'))).toEqual([])
  })

  it('processes that start at the same time wait for the one that migrates', async () => {
    const [fresh, target] = [await empty(), await made()]
    const ends = await Promise.all([
      ...sized([1, 2], [1, 2, 3]).map(() => migrating(fresh, [])),
      ...sized([1, 2], [1, 2, 3]).map(() => migrating(target, MADE_UP)),
    ])
    expect(ends.map(({ code, errors }) => [code, errors])).toEqual(ends.map(() => [0, '']))
    expect(await versionsOf(fresh)).toEqual([BASELINE])
    expect(await versionsOf(target)).toEqual([VERSION, VERSION + 1])
  })

  it('servers that start at the same time on an empty database both serve', async () => {
    const target = await empty()
    const options = { store: isPostgres ? 'postgres' : 'sqlite', ...target } as const
    const servers = await Promise.all([startServer(options), startServer(options)])
    for (const server of servers) {
      expect((await server.call('GET', '/health')).json).toEqual({ status: 'ok' })
      await server.stop()
    }
    expect(await versionsOf(target)).toEqual([VERSION])
  })

  it('a process killed at any statement of a migration leaves the tables as they were', async () => {
    const [target, other] = [await made(), await made()]
    const before = await contentOf(target)
    const statements = Number((await migrating(other, MADE_UP)).output)
    const last = sized([3, 1], [5, 4, 3, 2, 1]).map((back) => statements - back)
    for (const stopBefore of [...sized([1], [0, 1, statements >> 1]), ...last]) {
      const { output, signal } = await migrating(target, MADE_UP, stopBefore)
      expect([stopBefore, output, signal]).toEqual([stopBefore, 'stopped', 'SIGKILL'])
      expect(await contentOf(target), `killed before statement ${stopBefore}`).toEqual(before)
    }
    await migrateWith(target, MADE_UP)
    expect((await contentOf(target)).columns).toEqual((await contentOf(other)).columns)
  })

  it('a process killed while it creates the tables leaves none', async () => {
    const [target, other] = [await empty(), await empty()]
    const statements = Number((await migrating(other, [])).output)
    for (const stopBefore of sized([statements - 1], [statements >> 1, statements - 1])) {
      expect((await migrating(target, [], stopBefore)).signal).toBe('SIGKILL')
      expect((await contentOf(target)).columns, `killed before statement ${stopBefore}`).toEqual([])
    }
    await migrateWith(target, [])
    expect((await contentOf(target)).columns).toEqual((await contentOf(other)).columns)
  })

  it('a step that fails leaves the tables as they were', async () => {
    const target = await made()
    const before = await contentOf(target)
    const failing = MADE_UP.map((step) => (step.length > 0 ? [...step, 'no statement'] : step))
    await expect(migrateWith(target, failing)).rejects.toThrow(/syntax error/)
    expect(await contentOf(target)).toEqual(before)
  })

  describe.each([
    [
      'an unpublished version',
      ['alter table schema_migrations drop column fingerprint', 'update schema_migrations set version = 11'],
      `has version 11 of the tables, made by an unpublished earlier version of cuadra. This program uses version ${VERSION}, and cannot convert them. Nothing was changed. Start with a new database`,
    ],
    [
      'an unpublished version before the last change of the tables',
      ["update schema_migrations set fingerprint = 'of other tables'"],
      `has version ${VERSION} of the tables, made by an unpublished earlier version of cuadra. This program uses other tables, and cannot convert them. Nothing was changed. Start with a new database`,
    ],
    [
      'a newer version',
      ['update schema_migrations set version = 900'],
      `has version 900 of the tables, this program knows ${VERSION}. Start the newer program.`,
    ],
  ])('a database of %s is unchanged, and refused by name', (_, changes, reason) => {
    let target: Target
    let message: string
    let before: unknown
    const now = async () => ({ files: filesIn(target.dataDir), ...(await contentOf(target)) })
    beforeAll(async () => {
      target = await made()
      // Otherwise closing the last connection changes the files: it copies the log into the database.
      await run(target, isPostgres ? changes : [...changes, 'pragma wal_checkpoint(truncate)'])
      const location = isPostgres ? 'The database of CUADRA_DATABASE_URL' : join(target.dataDir, 'cuadra.db')
      message = `${location} ${reason}`
      before = await now()
    })
    afterEach(async () => {
      expect(await now()).toEqual(before)
    })

    it('by the server', async () => {
      const options = { store: isPostgres ? 'postgres' : 'sqlite', ...target } as const
      await expect(startServer(options)).rejects.toThrow(`the server ended with 1: cuadra-server: ${message}`)
    })

    it.each([
      'company list',
      'verify',
      `backup --out ${join(folder, 'backup')}`,
      'restore --accept --numbers-checked',
      `export --company 00000000-0000-4000-8000-000000000000 --out ${join(folder, 'export')}`,
    ])('by cuadra-admin %s', async (command) => {
      const { status, stdout, stderr } = await administer(
        { databaseUrl: undefined, ...target },
        command.split(' '),
      )
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringContaining(`cuadra-admin: ${message}`)])
    })
  })
}

describe('on the embedded database', () => proof(false))
if (hasPostgres()) describe('on PostgreSQL', () => proof(true))
else it.skip('on PostgreSQL: it is not installed here', () => {})

describe('the fingerprint of the tables', () => {
  type Declared = typeof import('../../src/store/tables.ts')
  /** Returns the fingerprint that the program has with other declarations. */
  const fingerprintWith = async (change: (declared: Declared) => Partial<Declared>): Promise<string> => {
    vi.resetModules()
    vi.doMock('../../src/store/tables.ts', async (original) => {
      const declared = await original<Declared>()
      return { ...declared, ...change(declared) }
    })
    try {
      return (await import('../../src/store/migrate.ts')).FINGERPRINT
    } finally {
      vi.doUnmock('../../src/store/tables.ts')
      vi.resetModules()
    }
  }
  const changedColumn =
    (change: Partial<ReturnType<Declared['columnsOf']>[number]>) =>
    ({ columnsOf }: Declared) => ({
      columnsOf: (table: Parameters<typeof columnsOf>[0]) =>
        columnsOf(table).map((column) =>
          table === 'series' && column.name === 'last_date' ? { ...column, ...change } : column,
        ),
    })

  it.each<[string, (declared: Declared) => Partial<Declared>]>([
    ['the name of a column', changedColumn({ name: 'newest_date' })],
    ['the type of a column', changedColumn({ type: 'bigint' })],
    ['whether a column may be null', changedColumn({ isNullable: false })],
    ['the default of a column', changedColumn({ initial: '0' })],
    ['a table', ({ TABLE_NAMES }) => ({ TABLE_NAMES: TABLE_NAMES.slice(1) })],
    ['a key', ({ keyOf }) => ({ keyOf: (table) => keyOf(table).slice(0, 1) })],
    ['an index', ({ INDEXES }) => ({ INDEXES: INDEXES.slice(1) })],
  ])('changes with %s', async (_, change) => {
    expect(await fingerprintWith(change)).not.toBe(FINGERPRINT)
  })

  it('does not depend on the order and the line breaks of the declarations', async () => {
    const reordered = await fingerprintWith(({ TABLE_NAMES, INDEXES, columnsOf }) => ({
      TABLE_NAMES: TABLE_NAMES.toReversed(),
      INDEXES: INDEXES.map((index) => index.replaceAll(' ', '\n  ')).toReversed(),
      columnsOf: (table) => columnsOf(table).toReversed(),
    }))
    expect(reordered).toBe(FINGERPRINT)
  })
})
