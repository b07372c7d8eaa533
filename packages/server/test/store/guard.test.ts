/** The guard of the store: statements that could reach rows of another company are refused by their shape. */
import fc from 'fast-check'
import { type Compilable, type Expression, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { temporaryFolder } from '#test/folders.ts'
import { runs } from '#test/size.ts'
import { openStore, type Store } from '../../src/store/store.ts'

type Any = Kysely<any>
type Make = (db: Any) => Compilable

const all = (db: Any) => db.selectFrom('numbers').selectAll()
const own = (db: Any) => all(db).where('company_id', '=', 'A')
const joined = (db: Any) => db.selectFrom('events').selectAll().where('events.company_id', '=', 'A')
const row = { company_id: 'A', number: 'N', series_code: 'F' }
const insertion = (db: Any) => db.insertInto('numbers').values(row)
/** An insertion of the row with a resolution of conflicts. */
const onConflict =
  (resolve: Parameters<ReturnType<typeof insertion>['onConflict']>[0]): Make =>
  (db) =>
    insertion(db).onConflict(resolve)
/** An insertion of rows of a selection. */
const rowsOf =
  (select: (db: Any) => Expression<unknown>): Make =>
  (db) =>
    db.insertInto('numbers').columns(['company_id', 'number']).expression(select(db))
/** A condition in SQL text, as a statement could contain it. */
const where =
  (text: string): Make =>
  (db) =>
    own(db).where(sql.raw<boolean>(text))

const REFUSED: readonly [string, Make][] = [
  ['no condition', (db) => all(db)],
  ['an alias without a condition', (db) => db.selectFrom('numbers as n').selectAll()],
  [
    'a condition of another source',
    (db) => (db.selectFrom('numbers as n') as any).selectAll().where('m.company_id', '=', 'A'),
  ],
  [
    'a choice',
    (db) =>
      own(db)
        .clearWhere()
        .where(({ eb }) => eb('company_id', '=', 'A').or('number', '=', 'x')),
  ],
  ['a comparison', (db) => all(db).where('company_id', '>=', 'A')],
  ['a list of companies', (db) => all(db).where('company_id', 'in', ['A'])],
  ['a negation', (db) => all(db).where(({ not, eb }) => not(eb('company_id', '=', 'A')))],
  ['a company from a subquery', (db) => all(db).where('company_id', '=', own(db).select('company_id'))],
  ['its own company', (db) => all(db).whereRef('company_id', '=', 'company_id')],
  ['a company in SQL text', (db) => all(db).where(sql<boolean>`company_id = 'A'`)],
  [
    'two companies',
    (db) =>
      own(db).where('number', 'in', db.selectFrom('numbers').select('number').where('company_id', '=', 'B')),
  ],
  [
    'a second source',
    (db) => db.selectFrom(['numbers', 'series']).selectAll().where('numbers.company_id', '=', 'A'),
  ],
  [
    'a condition without its source',
    (db) => db.selectFrom(['numbers', 'taxpayers']).selectAll().where('company_id', '=', 'A'),
  ],
  [
    'a join of a table with itself',
    (db) => joined(db).innerJoin('invoices', 'events.company_id', 'events.company_id'),
  ],
  [
    'a join of the other table with itself',
    (db) => joined(db).innerJoin('invoices', 'invoices.company_id', 'invoices.company_id'),
  ],
  [
    'a join on an identifier',
    (db) => joined(db).innerJoin('invoices', 'invoices.invoice_id', 'events.invoice_id'),
  ],
  [
    'a join with a choice',
    (db) =>
      joined(db).innerJoin('invoices', (on) =>
        on.on(({ or, eb }) =>
          or([eb('invoices.company_id', '=', eb.ref('events.company_id')), eb('invoices.number', '=', 'x')]),
        ),
      ),
  ],
  [
    'a join of a table to one that is not bound',
    (db) =>
      db.selectFrom('taxpayers').innerJoin('events', 'events.company_id', 'events.company_id').selectAll(),
  ],
  [
    'a join of a shared table to all companies',
    (db) =>
      db
        .selectFrom('taxpayers')
        .innerJoin('events', 'events.company_id', 'taxpayers.taxpayer_id')
        .selectAll(),
  ],
  ['a right join', (db) => joined(db).rightJoin('invoices', 'invoices.company_id', 'events.company_id')],
  ['a full join', (db) => joined(db).fullJoin('invoices', 'invoices.company_id', 'events.company_id')],
  ['a cross join', (db) => joined(db).crossJoin('invoices')],
  ['the same name twice', (db) => joined(db).innerJoin('events', 'events.company_id', 'events.company_id')],
  [
    'a lateral join',
    (db) =>
      joined(db).innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('invoices')
            .selectAll()
            .whereRef('invoices.company_id', '=', 'events.company_id')
            .as('i'),
        (on) => on.onTrue(),
      ),
  ],
  [
    'a subquery in a column',
    (db) => own(db).select((eb) => eb.selectFrom('numbers as m').select('m.number').limit(1).as('x')),
  ],
  [
    'a subquery in a condition',
    (db) => own(db).where(({ exists, selectFrom }) => exists(selectFrom('series').select('series_code'))),
  ],
  [
    'a subquery in a join',
    (db) => joined(db).innerJoin(db.selectFrom('invoices').selectAll().as('i'), (on) => on.onTrue()),
  ],
  ['a subquery as a source', (db) => db.selectFrom(all(db).as('n')).selectAll()],
  [
    'a subquery in the order',
    (db) => own(db).orderBy((eb) => eb.selectFrom('series').select('series_code').limit(1)),
  ],
  [
    'a common table expression',
    (db) =>
      db
        .with('few', (cte) => cte.selectFrom('numbers').selectAll())
        .selectFrom('few')
        .selectAll(),
  ],
  [
    'a common table expression that deletes',
    (db) =>
      db
        .with('gone', (cte) => cte.deleteFrom('numbers').returningAll())
        .selectFrom('gone')
        .selectAll(),
  ],
  [
    'a common table expression with the name of a table',
    (db) =>
      db
        .with('numbers', (cte) => own(cte as Any))
        .selectFrom('numbers')
        .selectAll(),
  ],
  ['a union', (db) => own(db).union(all(db))],
  ['an exception', (db) => own(db).except(all(db))],
  ['a schema', (db) => db.selectFrom('public.numbers').selectAll().where('company_id', '=', 'A')],
  ['a schema of the whole statement', (db) => own(db.withSchema('main'))],
  ['a name in capitals', (db) => db.selectFrom('NUMBERS').selectAll()],
  [
    'a name in capitals that another part declares',
    (db) =>
      db
        .selectFrom('NUMBERS')
        .selectAll()
        .where(
          'number',
          'in',
          db
            .with('NUMBERS', own as never)
            .selectFrom('NUMBERS')
            .select('number'),
        ),
  ],
  ['a table that does not exist here', (db) => db.selectFrom('sqlite_master').selectAll()],
  ['a table in `in`', (db) => own(db).where(({ eb, ref }) => eb('number', 'in', ref('series') as never))],
  ['a table as text in `in`', (db) => own(db).where(sql<boolean>`number in ${sql.ref('series')}`)],
  [
    'a table as an identifier in `in`',
    (db) => own(db).where(sql<boolean>`(number, number) in ${sql.id('numbers')}`),
  ],
  ['a table function', (db) => db.selectFrom(sql`numbers`.as('n')).selectAll()],
  [
    'a function that runs SQL',
    (db) => own(db).select(({ fn, val }) => fn('query_to_xml', [val('select 1')]).as('x')),
  ],
  [
    'a function whose name is SQL',
    (db) => own(db).where(({ fn, eb }) => eb(fn('1=1 or length', [eb.val('x')]), '=', 1)),
  ],
  [
    'an aggregate whose name is SQL',
    (db) => own(db).select(({ fn }) => fn.agg('(select 1), count', ['number']).as('x')),
  ],
  [
    'a merge',
    (db) =>
      db
        .mergeInto('numbers')
        .using('series', 'series.company_id', 'numbers.company_id')
        .whenMatched()
        .thenDelete(),
  ],
  ['an update', (db) => db.updateTable('numbers').set({ series_code: 'x' })],
  [
    'an update of two tables',
    (db) =>
      db
        .updateTable(['numbers', 'series'] as never)
        .set({ series_code: 'x' })
        .where('numbers.company_id' as never, '=', 'A' as never),
  ],
  [
    'an update from a table',
    (db) =>
      db
        .updateTable('numbers')
        .from('series')
        .set({ series_code: 'x' })
        .where('numbers.company_id', '=', 'A'),
  ],
  [
    'an update of the company',
    (db) => db.updateTable('numbers').set({ company_id: 'B' }).where('company_id', '=', 'A'),
  ],
  [
    'an update of the company by reference',
    (db) => db.updateTable('numbers').set('numbers.company_id', 'B').where('company_id', '=', 'A'),
  ],
  [
    'an update of a column in SQL text',
    (db) =>
      db
        .updateTable('numbers')
        .set(sql`company_id` as never, 'B' as never)
        .where('company_id', '=', 'A'),
  ],
  ['a deletion', (db) => db.deleteFrom('numbers')],
  [
    'a deletion with a table',
    (db) => db.deleteFrom('numbers').using('series').whereRef('series.company_id', '=', 'numbers.company_id'),
  ],
  [
    'a row that begins with something else',
    (db) => db.insertInto('numbers').values({ number: 'N', company_id: 'A' }),
  ],
  [
    'a row with a company from a subquery',
    (db) => db.insertInto('numbers').values({ ...row, company_id: own(db).select('company_id').limit(1) }),
  ],
  ['rows of two companies', (db) => db.insertInto('numbers').values([row, { ...row, company_id: 'B' }])],
  ['a row of default values', (db) => db.insertInto('numbers').defaultValues()],
  ['a replacement', (db) => db.replaceInto('numbers').values(row)],
  ['an insertion that replaces', (db) => db.insertInto('numbers').orReplace().values(row)],
  [
    'rows of a selection of all companies',
    rowsOf((db) => db.selectFrom('series').select(['company_id', 'series_code'])),
  ],
  [
    'rows of a selection with another company',
    rowsOf((db) =>
      db
        .selectFrom('series')
        .select([sql`'B'`.as('c'), 'series_code'])
        .where('company_id', '=', 'A'),
    ),
  ],
  [
    'rows of a union',
    rowsOf((db) =>
      db
        .selectFrom('series')
        .select(['company_id', 'series_code'])
        .where('company_id', '=', 'A')
        .union(db.selectFrom('taxpayers').select(['taxpayer_id', 'tax_id']) as never),
    ),
  ],
  ['a conflict on something else', onConflict((on) => on.column('number').doNothing())],
  ['a conflict on anything', onConflict((on) => on.doNothing())],
  ['a conflict on a constraint', onConflict((on) => on.constraint('numbers_pkey').doNothing())],
  [
    'a conflict that changes the company',
    onConflict((on) => on.columns(['company_id', 'number']).doUpdateSet({ company_id: 'B' })),
  ],
  [
    'a conflict with a subquery',
    (db) =>
      insertion(db).onConflict((on) =>
        on
          .columns(['company_id', 'number'])
          .doUpdateSet({ series_code: db.selectFrom('series').select('series_code').limit(1) }),
      ),
  ],
  [
    'a returned subquery',
    (db) =>
      db
        .deleteFrom('numbers')
        .where('company_id', '=', 'A')
        .returning((eb) => eb.selectFrom('series').select('series_code').limit(1).as('x')),
  ],
  ['SQL text', (db) => ({ compile: () => sql`select * from numbers`.compile(db) })],
  [
    'SQL text with a name',
    (db) => ({ compile: () => sql`select * from ${sql.table('numbers')}`.compile(db) }),
  ],
  ...[
    'delete from only numbers',
    'table numbers',
    'select * from "public"."numbers"',
    'select * from taxpayers, numbers',
    'select * from/**/numbers',
    'select * from "NUMBERS"',
    'pragma writable_schema = 1',
  ].map((text): [string, Make] => [text, (db) => ({ compile: () => sql.raw(text).compile(db) })]),
  ...[
    '1 = 1 or 1 = 1',
    'number = number) or (number = number',
    "1 = 1) or exists (select 1 from numbers where (number = 'x'",
    'number in (select number from numbers)',
    'number in (table numbers)',
    'number in series',
    'number in numbers',
    'exists(values (1))',
    'n = 0 -- and',
    'n = 0 /* and */',
    'n = 0; delete from numbers',
    'number = $$x$$',
    'number = "numbers"',
    "number = 'x",
    'number = query_to_xml(data)',
    'pg_read_file(data) is null',
    'number OR number',
    'sqlite_master.sql is null',
  ].map((text): [string, Make] => [`the condition ${text}`, where(text)]),
]

const ALLOWED: readonly [string, Make][] = [
  ['a selection', own],
  [
    'a selection with conditions',
    (db) => own(db).where(({ or, eb }) => or([eb('number', '=', 'x'), eb('number', '!=', 'x')])),
  ],
  ['an alias', (db) => db.selectFrom('numbers as n').selectAll('n').where('n.company_id', '=', 'A')],
  [
    'a join',
    (db) =>
      db
        .selectFrom('numbers as n')
        .leftJoin('series as s', 's.company_id', 'n.company_id')
        .selectAll('n')
        .where('n.company_id', '=', 'A'),
  ],
  [
    'two joins',
    (db) =>
      db
        .selectFrom('numbers as n')
        .innerJoin('series as s', 's.company_id', 'n.company_id')
        .innerJoin('numbers as m', 'm.company_id', 's.company_id')
        .selectAll('m')
        .where('n.company_id', '=', 'A'),
  ],
  ['a subquery', (db) => own(db).where(({ exists }) => exists(own(db)))],
  ['a union', (db) => own(db).unionAll(own(db))],
  [
    'a common table expression',
    (db) =>
      db
        .with('few', (cte) => own(cte as Any))
        .selectFrom('few')
        .selectAll(),
  ],
  ['SQL text with a choice in parentheses', where("(number = 'x' or number <> 'or (select')")],
  [
    'an update',
    (db) => db.updateTable('numbers').set({ series_code: 'F' }).where('company_id', '=', 'A').returningAll(),
  ],
  [
    'an insertion',
    (db) =>
      db
        .insertInto('numbers')
        .values({ ...row, number: 'M' })
        .onConflict((on) => on.columns(['company_id', 'number']).doUpdateSet({ series_code: 'F' }))
        .returningAll(),
  ],
  ['a deletion', (db) => db.deleteFrom('numbers').where('company_id', '=', 'A').returningAll()],
]

/** Opens the store, and a way around its rows that services do not have. */
async function openAll(kind: Store['kind']): Promise<{ readonly store: Store; readonly db: Any }> {
  const store = await openStore({
    dataDir: temporaryFolder(),
    ...(kind === 'postgres' ? { databaseUrl: await postgresDatabase() } : {}),
  })
  for (const company of ['A', 'B'])
    await store.of(company).transaction(async (tx) => {
      await tx.insert('companies', {
        tax_id: company,
        data: '{}',
        created_at: '',
        updated_at: '',
      })
      for (const number of ['N', 'O'])
        await tx.insert('numbers', { number, series_code: 'F', invoice_id: company })
      await tx.insert('series', { series_code: 'F', template: '', next_number: 1, created_at: '' })
    })
  return { store, db: store.shared as Any }
}

const refusal = (make: Make, db: Any): string | undefined => {
  try {
    make(db).compile()
    return undefined
  } catch (error) {
    return String(error)
  }
}

function proof(kind: Store['kind']): void {
  let store: Store
  let db: Any
  beforeAll(async () => {
    ;({ store, db } = await openAll(kind))
  })
  afterAll(() => store.close())

  it.each(REFUSED)('is refused with %s', (_, make) => {
    expect(refusal(make, db)).toContain('A statement that is not of one company is refused.')
  })

  it.each(ALLOWED)('reaches rows of its company only with %s', async (_, make) => {
    const rows: { company_id: string }[] = await store.transaction((tx) =>
      (make(tx.shared as unknown as Any) as any).execute(),
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every(({ company_id }) => company_id === 'A')).toBe(true)
    expect(await store.of('B').select('numbers').select('number').execute()).toHaveLength(2)
  })

  const NAME = fc.constantFrom('a', 'b', 'c')
  const SOURCE = fc.constantFrom('numbers', 'series', 'companies', 'taxpayers')
  const REF = NAME.map((name) => `${name}.company_id`)
  const CONDITION: fc.Arbitrary<readonly [string, unknown, unknown]> = fc.letrec((tie) => ({
    one: fc.oneof(
      { depthSize: 'small' },
      { weight: 4, arbitrary: fc.tuple(REF, fc.constantFrom('=', '=', '=', '<>', '>='), fc.constant('A')) },
      fc.tuple(REF, fc.constant('refs'), REF),
      fc.tuple(fc.constantFrom('and', 'or'), tie('one'), tie('one')),
      fc.tuple(
        fc.constant('raw'),
        fc.constantFrom('1 = 1', '1 = 1 or 1 = 1', '(1 = 1 or 1 = 1)'),
        fc.constant(''),
      ),
    ),
  })).one
  const apply = (eb: any, [one, two, three]: readonly [string, any, any]): any =>
    one === 'raw'
      ? sql.raw(two)
      : one === 'and' || one === 'or'
        ? eb[one]([apply(eb, two), apply(eb, three)])
        : two === 'refs'
          ? eb(one, '=', eb.ref(three))
          : eb(one, two, three)

  it('reads rows of its company only, whatever its sources, joins and conditions, unless it is refused', async () => {
    let [allowed, refused] = [0, 0]
    const JOIN = fc.record({
      how: fc.constantFrom('innerJoin', 'leftJoin', 'rightJoin', 'fullJoin'),
      table: SOURCE,
      on: fc.oneof(fc.constant(['b.company_id', 'refs', 'a.company_id'] as const), CONDITION),
    })
    const shape = fc.record({
      table: SOURCE,
      join: fc.option(JOIN),
      wheres: fc
        .tuple(fc.constant(['a.company_id', '=', 'A'] as const), CONDITION)
        .chain((all) => fc.shuffledSubarray(all)),
    })
    await fc.assert(
      fc.asyncProperty(shape, async ({ table, join, wheres }) => {
        const make: Make = (of) => {
          let query: any = of.selectFrom(`${table} as a`).selectAll('a')
          if (join)
            query = query[join.how](`${join.table} as b`, (on: any) => on.on((eb: any) => apply(eb, join.on)))
          if (join && join.table !== 'taxpayers') query = query.select('b.company_id as other')
          for (const where of wheres) query = query.where((eb: any) => apply(eb, where))
          return query
        }
        if (refusal(make, db) !== undefined) return void refused++
        const rows: any[] = await (make(db) as any).execute().catch(() => [])
        allowed += rows.length > 0 ? 1 : 0
        for (const { company_id, other } of rows)
          expect([company_id ?? 'A', other ?? 'A']).toEqual(['A', 'A'])
      }),
      runs(5000, 500_000),
    )
    expect(Math.min(allowed, refused)).toBeGreaterThan(10)
  })
}

describe('a statement on the embedded database', () => proof('sqlite'))
if (hasPostgres()) describe('a statement on PostgreSQL', () => proof('postgres'))
