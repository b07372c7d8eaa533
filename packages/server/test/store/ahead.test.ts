/** Statements sent ahead have the same effects and results as statements that are waited for. */
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { runs } from '#test/size.ts'
import { openPool } from '../../src/store/postgres.ts'

/** A statement, and whether the transaction continues from its savepoint if it fails. */
interface Step {
  readonly text: string
  readonly goesOn: boolean
}

/** The statements of the first list return nothing. Some of them fail, most only in certain positions. */
const AHEAD = [
  'savepoint member',
  'release savepoint member',
  'release savepoint member; savepoint member',
  'set local lock_timeout = 20; savepoint member',
  'set local no_such_setting = 1',
]
const NUMBER = fc.nat(6)
const ASKED = fc.oneof(
  NUMBER.map((n) => `insert into numbers values (${n})`),
  NUMBER.map((n) => `delete from numbers where n = ${n} returning n`),
  fc.constantFrom('select n from numbers order by n', 'rollback to savepoint member', 'select 1 / 0'),
)
const STEPS: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ text: fc.constantFrom(...AHEAD), goesOn: fc.constant(false) }),
    fc.record({ text: ASKED, goesOn: fc.boolean() }),
  ),
  { maxLength: 12 },
)

const codeOf = (error: unknown): string => String(Object(error).code)

/** Runs a transaction as the store does, up to the first failure that ends it. */
async function transact(client: pg.ClientBase, steps: readonly Step[]) {
  const results: unknown[] = []
  const ask = async ({ text, goesOn }: Step): Promise<void> => {
    try {
      const { rows } = await client.query(text, [])
      if (!AHEAD.includes(text)) results.push(rows)
    } catch (error) {
      if (!goesOn) throw error
      await client.query('rollback to savepoint member', [])
      results.push(codeOf(error))
    }
  }
  try {
    for (const text of ['begin', ...steps, 'commit'])
      if (typeof text === 'string') await client.query(text, [])
      else await ask(text)
  } catch (error) {
    await client.query('rollback', [])
    results.push(`undone: ${codeOf(error)}`)
  }
  return [results, (await client.query('select n from numbers order by n', [])).rows]
}

function proof(): void {
  let plain: pg.Client
  let pool: pg.Pool
  let ahead: pg.PoolClient
  beforeAll(async () => {
    plain = new pg.Client(await postgresDatabase())
    await plain.connect()
    pool = openPool({ databaseUrl: await postgresDatabase(), size: 1, onError: () => {} })
    ahead = await pool.connect()
    for (const one of [plain, ahead]) await one.query('create table numbers (n integer primary key)', [])
  })
  afterAll(async () => {
    await plain?.end()
    ahead?.release()
    await pool?.end()
  })

  it('transactions of any statements have the same results, failures and rows', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(STEPS, { minLength: 1, maxLength: 4 }), async (transactions) => {
        for (const steps of transactions) {
          const expected = await transact(plain, steps)
          expect(await transact(ahead, steps)).toEqual(expected)
          for (const one of expected.flat()) seen.add(typeof one === 'string' ? one : 'rows')
        }
      }),
      runs(400, 20_000),
    )
    expect([...seen]).toEqual(
      expect.arrayContaining(['rows', '23505', 'undone: 42704', 'undone: 3B001', 'undone: 22012']),
    )
  })
}

if (hasPostgres()) proof()
else it.skip('PostgreSQL: it is not installed here', () => {})
