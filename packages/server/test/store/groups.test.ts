/**
 * Work that shares a transaction. Work reported as done is in the database, other work is not, and no member is
 * affected by another, in any order and with any failures.
 */
import { join } from 'node:path'
import { setImmediate as breathe, setTimeout as sleep } from 'node:timers/promises'
import { openSqlite, sqliteDialect } from 'cuadra-storage/sqlite.ts'
import fc from 'fast-check'
import { CompiledQuery, type Dialect, Kysely, PostgresDialect } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isCondition } from '#core/errors/conditions.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { temporaryFolder } from '#test/folders.ts'
import { sized } from '#test/size.ts'
import { until } from '#test/until.ts'
import { CommitQueue } from '../../src/store/group.ts'
import { openPool } from '../../src/store/postgres.ts'
import type { Transaction } from '../../src/store/rows.ts'
import { openStore } from '../../src/store/store.ts'
import { DatabaseFaults } from '../../src/store/store-faults.ts'
import type { Tables } from '../../src/store/tables.ts'

const RUNS = sized(4, 12, 200)

/** The fate of the next commits: done, done with a lost answer, or refused by the database. */
type Fate = 'done' | 'lost' | 'refused'

const lost = () => Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
const full = () => Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })

class Commits {
  count = 0
  fates: Fate[] = []

  /** The same dialect with its commits counted, some of which fail. */
  watch(dialect: Dialect): Dialect {
    return {
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createDriver: () => {
        const driver = dialect.createDriver()
        const commit = driver.commitTransaction.bind(driver)
        driver.commitTransaction = async (connection) => {
          this.count++
          const fate = this.fates.shift() ?? 'done'
          if (fate === 'refused') throw full()
          await commit(connection)
          if (fate === 'lost') throw lost()
        }
        return driver
      },
    }
  }
}

type Kind = 'done' | 'refused' | 'duplicate' | 'swallowed' | 'alone'

/** Takes a number and counts it, and then behaves according to its kind. */
const KINDS = fc.constantFrom<Kind>('done', 'done', 'done', 'refused', 'duplicate', 'swallowed', 'alone')

const row = (invoice_id: string) => ({
  invoice_id,
  direction: 'issued' as const,
  status: 'draft' as const,
  document_series: 'F',
  issue_date: null,
  created_at: '2026-11-22T10:00:00.000000',
  sort_series: '1',
  sort_number: '',
})

/** Why a member was rejected; undefined if it was not. */
const reasonOf = (outcome?: PromiseSettledResult<unknown>) =>
  outcome?.status === 'rejected' ? outcome.reason : undefined

interface Opened {
  readonly db: Kysely<Tables>
  readonly close: () => Promise<void>
}

function groups(locks: boolean, open: (commits: Commits) => Promise<Opened>): void {
  const commits = new Commits()
  let opened: Opened
  let db: Kysely<Tables>
  let company = ''
  let companies = 0
  /** The number of committed notes, for each commit with notes. */
  let committed: number[] = []
  beforeAll(async () => {
    opened = await open(commits)
    ;({ db } = opened)
  }, 60_000)
  afterAll(() => opened?.close())

  const newQueue = (refuseDamaged = () => {}): CommitQueue => {
    company = `company-${++companies}`
    commits.count = 0
    commits.fates = []
    committed = []
    return new CommitQueue({
      write: db,
      locks,
      refuseDamaged,
      onCommitted: (all) => void committed.push(all.get(company) ?? 0),
    })
  }
  const taken = async (): Promise<string[]> => {
    const rows = await db.selectFrom('numbers').select('number').where('company_id', '=', company).execute()
    return rows.map(({ number }) => number).sort()
  }
  const counted = async (): Promise<number> => {
    const found = await db
      .selectFrom('invoice_changes')
      .select(({ fn }) => fn.sum<number>('n').as('n'))
      .where('company_id', '=', company)
      .executeTakeFirst()
    return Number(found?.n ?? 0)
  }
  const take = async (all: Transaction, number: string): Promise<string> => {
    const tx = all.of(company)
    await tx.insert('numbers', { number, series_code: 'F', invoice_id: null })
    tx.count({ after: row(number) })
    tx.setTrace(
      async (again) => !(await again.insertNew('numbers', { number, series_code: 'F', invoice_id: null })),
    )
    return number
  }

  it('reports the right outcome to each member, in any order and with any neighbours', async () => {
    const member = fc.record({ kind: KINDS, turns: fc.nat(3), together: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(member, { minLength: 1, maxLength: 24 }), async (members) => {
        const queue = newQueue()
        const finished: string[] = []
        const outcomes = await Promise.allSettled(
          members.map(async ({ kind, turns, together }, index) => {
            for (let turn = 0; turn < turns; turn++) await breathe()
            const number = `N${String(index).padStart(2, '0')}`
            return queue.run(async (all) => {
              const tx = all.of(company)
              if (kind === 'alone') tx.requireOwnTransaction()
              await take(all, number)
              tx.afterCommit(async () => {
                finished.push(number)
              })
              if (kind === 'refused') throw new Error(`refused ${number}`)
              if (kind === 'duplicate') await take(all, number)
              if (kind === 'swallowed') await take(all, number).catch(() => undefined)
              return number
            }, together)
          }),
        )
        const done = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
        expect(await taken()).toEqual(done.sort())
        expect(await counted()).toBe(done.length)
        expect(finished.sort()).toEqual(done)
        for (const [index, { kind }] of members.entries()) {
          const status = outcomes[index]?.status
          const reason = reasonOf(outcomes[index])
          if (kind === 'done' || kind === 'alone') expect(status).toBe('fulfilled')
          if (kind === 'refused') expect(reason.message).toBe(`refused N${String(index).padStart(2, '0')}`)
          if (kind === 'duplicate') expect(status).toBe('rejected')
        }
        expect(commits.count).toBeLessThanOrEqual(members.length * 2)
      }),
      { numRuns: RUNS },
    )
  })

  const many = (queue: CommitQueue, count: number, work = take) =>
    Promise.allSettled(Array.from({ length: count }, (_, n) => queue.run((all) => work(all, `N${n}`), true)))
  const statuses = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
    outcomes.map(({ status }) => status)

  it.each([true, false])(
    'writes no work that is under way or waits when damage becomes known (shared: %s)',
    async (canShare) => {
      const faults = new DatabaseFaults()
      const queue = newQueue(faults.refuseDamaged)
      const damage = Object.assign(new Error('invalid page'), { code: 'XX001' })
      const work = async (all: Transaction, number: string) => {
        await take(all, number)
        if (number === 'N2') faults.note(damage)
      }
      await queue.run((all) => take(all, 'before'), canShare)
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, (_, n) => queue.run((all) => work(all, `N${n}`), canShare)),
      )
      await expect(queue.run((all) => take(all, 'later'), canShare)).rejects.toBe(damage)
      const done = outcomes.flatMap(({ status }, n) => (status === 'fulfilled' ? [`N${n}`] : []))
      expect(done).not.toContain('N2')
      expect(await taken()).toEqual([...done, 'before'])
    },
  )

  it('writes the notes of its members at once, without those that cancel each other', async () => {
    const queue = newQueue()
    const [came, changed, went] = [row('11'), row('22'), row('33')]
    const issued = { ...came, status: 'issued' as const, sort_series: '0F' }
    const other = `${company}-other`
    const works: ((all: Transaction) => void)[] = [
      (all) => all.of(company).count({ after: came }),
      (all) => all.of(company).count({ after: changed }),
      (all) => all.of(company).count({ before: changed, after: { ...changed } }),
      (all) => all.of(company).count({ before: came, after: issued }),
      (all) => all.of(company).count({ after: went }),
      (all) => all.of(other).count({ after: went }),
      (all) => all.of(company).count({ before: went }),
      (all) => {
        all.of(company).count({ before: changed })
        throw new Error('refused')
      },
    ]
    // On PostgreSQL the first member runs alone.
    const first = queue.run(async () => undefined, true)
    await Promise.allSettled([first, ...works.map((work) => queue.run(async (all) => work(all), true))])
    const notes = await db
      .selectFrom('invoice_changes')
      .select(['company_id', 'list', 'status', 'share', 'n'])
      .where('company_id', 'in', [company, other])
      .orderBy('company_id')
      .orderBy('list')
      .orderBy('share')
      .execute()
    const draft = { list: 'draft', status: 'draft', n: 1 }
    expect(notes).toEqual([
      { company_id: company, ...draft, share: '22' },
      { company_id: company, list: 'numbered', status: 'issued', share: '', n: 1 },
      { company_id: other, ...draft, share: '33' },
    ])
    expect(committed.at(-1)).toBe(2)
  })

  it('shares a commit among waiting work, up to a limit', async () => {
    const queue = newQueue()
    const outcomes = await many(queue, 100)
    expect(new Set(statuses(outcomes))).toEqual(new Set(['fulfilled']))
    expect(await taken()).toHaveLength(100)
    expect(await counted()).toBe(100)
    // At most 32. PostgreSQL begins with the first while the others arrive.
    expect(commits.count).toBeGreaterThanOrEqual(4)
    expect(commits.count).toBeLessThanOrEqual(12)
  })

  it('settles a group before the next one begins, so that no member waits for later work', async () => {
    const queue = newQueue()
    const order: string[] = []
    await Promise.all(
      Array.from({ length: 70 }, (_, n) =>
        queue
          .run(async (all) => {
            order.push(`begin ${n}`)
            return take(all, `N${n}`)
          }, true)
          .then(() => order.push(`settled ${n}`)),
      ),
    )
    // Between two beginnings, either no member is settled or all that began before.
    let open = 0
    for (const one of order) {
      if (one.startsWith('begin')) expect(++open).toBeLessThanOrEqual(32)
      else open--
    }
    expect(order.findIndex((one) => one.startsWith('settled'))).toBeLessThan(order.indexOf('begin 69'))
  })

  it('runs work that needs its own transaction in its turn, before later work of its company', async () => {
    const queue = newQueue()
    const order: string[] = []
    const add = (companyId: string, n: number) =>
      queue.run(
        async (all) => {
          if (companyId === 'A') all.of(company).requireOwnTransaction()
          order.push(`${companyId}${n}`)
        },
        true,
        companyId,
      )
    await Promise.all(['A', 'A', 'B', 'B'].map(add))
    expect(order.filter((one) => one.startsWith('A'))).toEqual(['A0', 'A1'])
    expect(order).toHaveLength(4)
  })

  if (!locks) {
    it('gives companies turns: one that arrives last waits for one work of another, and keeps its own order', async () => {
      const queue = newQueue()
      const order: string[] = []
      const add = (companyId: string, n: number) =>
        queue.run(async () => void order.push(`${companyId}${n}`), n % 2 === 0, companyId)
      await Promise.all(['A', 'A', 'A', 'A', 'B', 'B', 'C'].map(add))
      expect(order).toEqual(['A0', 'B4', 'C6', 'A1', 'B5', 'A2', 'A3'])
    })

    it('leaves the event loop to others after a long transaction', async () => {
      const queue = newQueue()
      let turns = 0
      let isDone = false
      const turn = () => {
        turns++
        if (!isDone) setImmediate(turn)
      }
      setImmediate(turn)
      const block = async () => {
        const end = performance.now() + 200
        while (performance.now() < end);
        return turns
      }
      const [first, second] = await Promise.all([queue.run(block, false, 'A'), queue.run(block, false, 'A')])
      isDone = true
      expect(second - first).toBeGreaterThan(10)
    })
  }

  it('begins no further member after the time limit of a group', async () => {
    const queue = newQueue()
    const slow = async (all: Transaction, number: string) => {
      await sleep(60)
      return take(all, number)
    }
    await many(queue, 4, slow)
    expect(commits.count).toBe(4)
  })

  it('after a commit that the database refuses, each member runs alone and reports its own outcome', async () => {
    const queue = newQueue()
    // On PostgreSQL the first member runs alone. Then the group fails, and of its retried members the second.
    commits.fates = [...(locks ? (['done'] as const) : []), 'refused', 'done', 'refused']
    const outcomes = await many(queue, 6)
    const rejected = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(rejected.map(({ code }) => code)).toEqual(['SQLITE_FULL'])
    const done = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    expect(await taken()).toEqual([...done].sort())
    expect(await counted()).toBe(5)
  })

  it('a member that aborts the whole transaction does not prevent the others', async () => {
    const queue = newQueue()
    const killing = locks ? 'select pg_terminate_backend(pg_backend_pid())' : 'rollback'
    const outcomes = await many(queue, 8, async (all, number) => {
      await take(all, number)
      if (number !== 'N5') return number
      await all.acrossCompanies('a test').executeQuery(CompiledQuery.raw(killing))
      throw full()
    })
    expect(statuses(outcomes)).toEqual(
      Array.from({ length: 8 }, (_, n) => (n === 5 ? 'rejected' : 'fulfilled')),
    )
    expect(await taken()).toEqual(['N0', 'N1', 'N2', 'N3', 'N4', 'N6', 'N7'])
    expect(await counted()).toBe(7)
  })

  it('a member that swallows a failure, before a refused one: only work in the database is reported as done', async () => {
    const queue = newQueue()
    const outcomes = await many(queue, 5, async (all, number) => {
      await take(all, number)
      if (number === 'N2') await take(all, number).catch(() => undefined)
      if (number === 'N3') throw new Error('refused')
      return number
    })
    const done = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    // PostgreSQL refuses further statements after a failed one, even if the failure is swallowed.
    expect(done).toEqual(locks ? ['N0', 'N1', 'N4'] : ['N0', 'N1', 'N2', 'N4'])
    expect(await taken()).toEqual(done)
    expect(await counted()).toBe(done.length)
    expect(reasonOf(outcomes[3]).message).toBe('refused')
  })

  it('without a transaction each member is rejected, and later ones are served', async () => {
    const queue = newQueue()
    const begin = db.transaction
    db.transaction = () => {
      throw lost()
    }
    const outcomes = await many(queue, 5)
    db.transaction = begin
    expect(new Set(statuses(outcomes))).toEqual(new Set(['rejected']))
    expect(await taken()).toEqual([])
    expect(statuses(await many(queue, 5))).toEqual(Array(5).fill('fulfilled'))
  })

  if (!locks) return

  it('if the answer to COMMIT is lost, the trace of one member decides for all', async () => {
    const queue = newQueue()
    commits.fates = ['done', 'lost']
    const outcomes = await many(queue, 8, async (all, number) => {
      if (number === 'N6') throw new Error('refused')
      // A member without a trace.
      if (number === 'N3') {
        await all.of(company).insert('numbers', { number, series_code: 'F', invoice_id: null })
        return number
      }
      return take(all, number)
    })
    expect(statuses(outcomes)).toEqual(
      Array.from({ length: 8 }, (_, n) => (n === 6 ? 'rejected' : 'fulfilled')),
    )
    expect(await taken()).toHaveLength(7)
  })

  it('without any trace no member is rejected as if nothing was done', async () => {
    const queue = newQueue()
    commits.fates = ['done', 'lost']
    const outcomes = await many(queue, 3, async (all, number) => {
      await all.of(company).insert('numbers', { number, series_code: 'F', invoice_id: null })
      return number
    })
    const [first, ...others] = outcomes
    expect(first?.status).toBe('fulfilled')
    expect(others.map((one) => isCondition(reasonOf(one), 'outcome_unknown'))).toEqual([true, true])
  })

  it('a member that waits for a lock delays the others only briefly', async () => {
    const queue = newQueue()
    await queue.run((all) => take(all, 'HELD'), true)
    let lock = () => {}
    const locked = new Promise<void>((resolve) => {
      lock = resolve
    })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const holder = db.transaction().execute(async (tx) => {
      await tx
        .selectFrom('numbers')
        .selectAll()
        .where('company_id', '=', company)
        .where('number', '=', 'HELD')
        .forUpdate()
        .execute()
      lock()
      await held
    })
    await locked
    const done: string[] = []
    const all = Promise.all(
      ['A', 'B', 'WAITS', 'C', 'D'].map((number) =>
        queue
          .run(async (transaction) => {
            const tx = transaction.of(company)
            if (number === 'WAITS')
              await tx.lock('numbers').select('number').where('number', '=', 'HELD').execute()
            return take(transaction, number)
          }, true)
          .then(() => done.push(number)),
      ),
    )
    await until(() => done.length >= 4, 'four members are done')
    expect(done.sort()).toEqual(['A', 'B', 'C', 'D'])
    release()
    await Promise.all([holder, all])
    expect(done.at(-1)).toBe('WAITS')
  })
}

describe('on the embedded database', () => {
  const folder = temporaryFolder()
  groups(false, async (commits) => {
    await (await openStore({ dataDir: folder })).close()
    const database = await openSqlite(join(folder, 'cuadra.db'))
    const db = new Kysely<Tables>({ dialect: commits.watch(sqliteDialect(database, { file: 'cuadra.db' })) })
    return { db, close: () => db.destroy() }
  })
})

if (hasPostgres())
  describe('on PostgreSQL', () => {
    groups(true, async (commits) => {
      const databaseUrl = await postgresDatabase()
      await (await openStore({ dataDir: '', databaseUrl, pool: 1 })).close()
      const pool = openPool({ databaseUrl, size: 10, onError: () => {} })
      const db = new Kysely<Tables>({ dialect: commits.watch(new PostgresDialect({ pool })) })
      return { db, close: () => db.destroy() }
    })
  })
else it.skip('on PostgreSQL: it is not installed here', () => {})
