/** A company whose statements do not return keeps only its share of the connections. */
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { until } from '#test/until.ts'
import { ConnectionShares } from '../../src/store/connection-shares.ts'
import { openStore, type Store } from '../../src/store/store.ts'

/** Holds a connection for each statement until it is released, and counts the statements of each company. */
function held(size: number, timeout?: number) {
  const shares = new ConnectionShares(size, timeout)
  const begun: string[] = []
  const releases: (() => void)[] = []
  const failed: string[] = []
  const ask = (companyId: string): void => {
    const provider = shares.of(companyId, { provideConnection: (consumer) => consumer({} as never) })
    provider
      .provideConnection(() => {
        begun.push(companyId)
        return new Promise<void>((resolve) => releases.push(resolve))
      })
      .catch((error) => failed.push(String(error)))
  }
  const ofEach = () =>
    Object.fromEntries([...new Set(begun)].map((id) => [id, begun.filter((one) => one === id).length]))
  return { ask, ofEach, releases, failed, begun }
}

describe('the connections of a pool', () => {
  it('go to one company up to half, to the next from the rest, and one is left for a new company', async () => {
    const { ask, ofEach } = held(10)
    for (const company of ['A', 'B', 'C']) for (let i = 0; i < 20; i++) ask(company)
    await turn()
    expect(ofEach()).toEqual({ A: 5, B: 3, C: 1 })
    ask('D')
    await turn()
    expect(ofEach()).toMatchObject({ D: 1 })
  })

  it('of a pool of one serve one company at a time', async () => {
    const { ask, ofEach, releases, begun } = held(1)
    for (const company of ['A', 'B', 'A']) ask(company)
    await turn()
    expect(ofEach()).toEqual({ A: 1 })
    releases[0]?.()
    await turn()
    releases[1]?.()
    await turn()
    expect(begun).toEqual(['A', 'B', 'A'])
  })

  it('go to the company that waited longest among those that may have one', async () => {
    const { ask, releases, begun } = held(4)
    for (let i = 0; i < 4; i++) ask('A')
    for (const company of ['B', 'C', 'B']) ask(company)
    await turn()
    // A has two of four, B and C one each.
    expect(begun).toEqual(['A', 'A', 'B', 'C'])
    releases[0]?.()
    await turn()
    // The rest is for a company that has none.
    expect(begun).toHaveLength(4)
    for (let i = 0; i < 20; i++) {
      for (const release of releases) release()
      await turn()
    }
    expect(begun.toSorted()).toEqual(['A', 'A', 'A', 'A', 'B', 'B', 'C'])
  })

  it('go to two waiting companies if one released connection allows both', async () => {
    const { ask, releases, begun } = held(6)
    for (const company of ['A', 'A', 'A', 'B', 'B', 'B', 'A']) ask(company)
    await turn()
    expect(begun).toEqual(['A', 'A', 'A', 'B', 'B'])
    releases[0]?.()
    releases[1]?.()
    await turn()
    expect(begun).toEqual(['A', 'A', 'A', 'B', 'B', 'B', 'A'])
  })

  it('are refused to a company after the timeout of the pool, and can be requested again', async () => {
    const { ask, ofEach, failed, releases } = held(2, 20)
    ask('A')
    ask('A')
    await until(() => failed.length > 0, 'a statement is refused')
    expect(ofEach()).toEqual({ A: 1 })
    expect(failed).toEqual([expect.stringContaining('timeout exceeded when trying to connect')])
    releases[0]?.()
    await turn()
    ask('A')
    await turn()
    expect(ofEach()).toEqual({ A: 2 })
  })
})

if (hasPostgres())
  describe('statements of a company that do not return', () => {
    let store: Store
    beforeAll(async () => {
      store = await openStore({ dataDir: '', databaseUrl: await postgresDatabase(), pool: 6 })
    }, 60_000)
    afterAll(() => store.close())

    const hang = (companyId: string, seconds: number) =>
      Array.from({ length: 12 }, () =>
        store.transaction((tx) => sql`select pg_sleep(${seconds})`.execute(tx.acrossCompanies('a test')), {
          companyId,
        }),
      )

    it('leave connections for the statements of others', async () => {
      const order: string[] = []
      const hanging = hang('1', 1).map((one) => one.then(() => order.push('1')))
      await store.of('2').select('series').select('company_id').execute()
      await store.of('2').transaction((tx) => tx.select('series').select('company_id').execute())
      order.push('2')
      await Promise.all(hanging)
      expect(order[0]).toBe('2')
      expect(order).toHaveLength(13)
    })

    it('all end eventually, with no connection held', async () => {
      await Promise.all([...hang('1', 0.01), ...hang('2', 0.01), ...hang('3', 0.01)])
      const { rows } = await sql<{ n: number }>`select 1 as n`.execute(store.acrossCompanies('a test'))
      expect(rows).toEqual([{ n: 1 }])
    })
  })
else it.skip('statements of a company that do not return: PostgreSQL is not installed here', () => {})
