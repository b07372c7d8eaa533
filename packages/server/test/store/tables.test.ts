/** The schema in both databases: every key and index begins with the company. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { temporaryFolder } from '#test/folders.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import {
  COMPANY_TABLES,
  columnNamesOf,
  columnsOf,
  keyOf,
  REFERENCE_TABLES,
  type TableName,
} from '../../src/store/tables.ts'

interface Key {
  readonly table: string
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  readonly primary: boolean
}

async function sqliteKeys(store: Store): Promise<Key[]> {
  const { rows } = await sql<{
    table: string
    name: string
    column: string
    seqno: number
    unique: number
    origin: string
  }>`
    select t.name as "table", l.name, i.seqno, i.name as "column", l."unique", l.origin
    from sqlite_master t, pragma_index_list(t.name) l, pragma_index_info(l.name) i
    where t.type = 'table' order by 1, 2, 3`.execute(store.acrossCompanies('a test'))
  const names = [...new Set(rows.map(({ table, name }) => `${table} ${name}`))]
  return names.map((id) => {
    const own = rows.filter(({ table, name }) => `${table} ${name}` === id)
    const { table, name, unique, origin } = required(own[0])
    return {
      table,
      name,
      columns: own.map(({ column }) => column),
      unique: unique === 1,
      primary: origin === 'pk',
    }
  })
}

async function postgresKeys(store: Store): Promise<Key[]> {
  const { rows } = await sql<{
    table: string
    name: string
    columns: string[]
    unique: boolean
    primary: boolean
  }>`
    select c.relname as "table", i.relname as name, x.indisunique as "unique", x.indisprimary as "primary",
      array(select pg_get_indexdef(x.indexrelid, k, true) from generate_series(1, x.indnkeyatts) k) as columns
    from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' order by 1, 2`.execute(store.acrossCompanies('a test'))
  return rows
}

const TABLES: TableName[] = [...COMPANY_TABLES, ...REFERENCE_TABLES]

function schema(open: () => Promise<Store>, keysOf: (store: Store) => Promise<Key[]>): void {
  let store: Store
  let keys: Key[]
  beforeAll(async () => {
    store = await open()
    keys = await keysOf(store)
  }, 60_000)
  afterAll(() => store?.close())

  it('has exactly the declared tables, each with its columns and nullability', async () => {
    const tables = await store.acrossCompanies('a test').introspection.getTables()
    const made = tables.map(({ name, columns }) => [
      name,
      columns.map((column) => `${column.name}${column.isNullable ? '?' : ''}`).sort(),
    ])
    expect(Object.fromEntries(made)).toEqual(
      Object.fromEntries(
        TABLES.map((table) => [
          table,
          columnsOf(table)
            .map(({ name, isNullable }) => `${name}${isNullable ? '?' : ''}`)
            .sort(),
        ]),
      ),
    )
  })

  it('has the declared primary keys', () => {
    // `schema_migrations` has an integer key, which SQLite stores without an index.
    for (const table of TABLES.filter((one) => one !== 'schema_migrations'))
      expect(keys.find((key) => key.table === table && key.primary)?.columns, table).toEqual(keyOf(table))
  })

  it('begins every primary key, unique key and index of a company with it', () => {
    const owned = keys.filter(({ table }) => (COMPANY_TABLES as string[]).includes(table))
    expect(owned.length).toBeGreaterThanOrEqual(COMPANY_TABLES.length)
    expect(owned.filter(({ columns }) => columns[0] !== 'company_id')).toEqual([])
    expect(REFERENCE_TABLES.filter((table) => columnNamesOf(table).includes('company_id'))).toEqual([])
  })
}

describe('the embedded database', () => {
  const folder = temporaryFolder()
  schema(() => openStore({ dataDir: folder }), sqliteKeys)
})

if (hasPostgres())
  describe('PostgreSQL', () => {
    schema(
      async () => openStore({ dataDir: '', databaseUrl: await postgresDatabase(), pool: 1 }),
      postgresKeys,
    )
  })
else it.skip('PostgreSQL: it is not installed here', () => {})
