/** The settings of a connection to Citus. The cluster itself is tested manually (docs/scaling.md). */
import pg from 'pg'
import { expect, it } from 'vitest'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { openPool } from '../../src/store/postgres.ts'

const setting = async (databaseUrl: string): Promise<string | null> => {
  const pool = openPool({ databaseUrl, size: 1, onError: () => {} })
  const { rows } = await pool.query("select current_setting('citus.propagate_set_commands', true) as value")
  await pool.end()
  return rows[0].value
}

if (hasPostgres())
  it('lock timeouts reach the worker nodes of Citus, and only there', async () => {
    const databaseUrl = await postgresDatabase()
    expect(await setting(databaseUrl)).toBeNull()
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    // The catalog entry of a database with Citus.
    await client.query('set allow_system_table_mods = on')
    await client.query(
      `insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
       select 99999, 'citus', 10, 11, false, '13.2'`,
    )
    await client.end()
    expect(await setting(databaseUrl)).toBe('local')
  })
else it.skip('the settings of a connection to Citus: PostgreSQL is not installed here', () => {})
