/** Sharding by company: the statements are complete, and every statement of the application names its company. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { type CompiledQuery, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '#test/folders.ts'
import { Prepared } from '../../src/store/prepared.ts'
import { openStore, type Rows, type Store, type Tx } from '../../src/store/store.ts'
import { COMPANY_TABLES, columnNamesOf, REFERENCE_TABLES, type Tables } from '../../src/store/tables.ts'

describe('the statements for Citus in docs/scaling.md', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../../docs/scaling.md', import.meta.url)), 'utf8')
  const [, block = ''] = /```sql\n([\s\S]*?);\n```/.exec(page) ?? []
  const statements = block.split(';\n')

  it('distribute every table of a company by it, colocated, and replicate the others', () => {
    const distributed = statements.flatMap(
      (statement) => /^select create_distributed_table\('(\w+)', 'company_id'/.exec(statement)?.[1] ?? [],
    )
    const copied = statements.flatMap(
      (statement) => /^select create_reference_table\('(\w+)'\)$/.exec(statement)?.[1] ?? [],
    )
    expect(distributed.sort(), 'docs/scaling.md distributes each table').toEqual([...COMPANY_TABLES].sort())
    expect(copied.sort()).toEqual([...REFERENCE_TABLES].sort())
    expect(
      statements
        .filter((statement) => statement.includes('create_distributed_table'))
        .slice(1)
        .every((statement) => statement.endsWith("colocate_with => 'companies')")),
    ).toBe(true)
  })
})

describe('a statement of a company', () => {
  const folder = temporaryFolder()
  let store: Store
  /** The database behind the rows, which services cannot reach. */
  let db: Kysely<Tables>
  beforeAll(async () => {
    store = await openStore({ dataDir: folder })
    db = store.shared as unknown as Kysely<Tables>
  })
  afterAll(() => store.close())

  const sqlAndValues = ({ sql: text, parameters }: CompiledQuery) => [text, ...parameters]

  it('begins with it, whatever follows, and joins on it', async () => {
    const rows = store.of('A')
    expect(
      sqlAndValues(rows.select('invoices').select('number').where('status', '=', 'draft').compile()),
    ).toEqual(['select "number" from "invoices" where "company_id" = ? and "status" = ?', 'A', 'draft'])
    expect(
      sqlAndValues(rows.select('events', { invoices: 'invoice_id' }).select('number').compile()),
    ).toEqual([
      'select "number" from "events" left join "invoices" on "invoices"."company_id" = "events"."company_id" and "invoices"."invoice_id" = "events"."invoice_id" where "events"."company_id" = ?',
      'A',
    ])
    await store.of('A').transaction(async (tx) => {
      expect(
        sqlAndValues(tx.update('series', { next_number: 2 }).where('series_code', '=', 'F').compile()),
      ).toEqual([
        'update "series" set "next_number" = ? where "company_id" = ? and "series_code" = ?',
        2,
        'A',
        'F',
      ])
      expect(sqlAndValues(tx.delete('events').where('invoice_id', '=', 'x').compile())).toEqual([
        'delete from "events" where "company_id" = ? and "invoice_id" = ?',
        'A',
        'x',
      ])
    })
  })

  it('gives the same SQL each time when it is prepared, with other values', async () => {
    const parts = (query: CompiledQuery) => [query.sql, query.parameters]
    const table = fc.constantFrom(...COMPANY_TABLES)
    type Row = Readonly<Record<string, unknown>>
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null))
    await store.of('A').transaction(async (tx) => {
      const rowsOf = () => tx
      await fc.assert(
        fc.asyncProperty(table, fc.string(), fc.infiniteStream(value), async (name, company_id, values) => {
          const columns = columnNamesOf(name)
          const [counter = '', ...others] = columns.slice(1)
          const row = () =>
            Object.fromEntries(columns.slice(1).map((column) => [column, values.next().value]))
          const rest = (all: Row) => Object.fromEntries(others.map((column) => [column, all[column]]))
          const forms = [
            (of: Tx, all: Row) => of.changing(name, rest(all)).where(counter, '=', company_id),
            (of: Tx, all: Row) => of.insertion(name, rest(all)),
            (of: Tx, all: Row) => of.insertionOfNext(name, rest(all), counter, others.at(-1) ?? counter),
          ]
          for (const form of forms) {
            const statement = new Prepared(form)
            for (const all of [row(), row()])
              expect(parts(statement.compiled(false, rowsOf, 'A', all))).toEqual(
                parts(form(tx, all).compile()),
              )
          }
        }),
      )
    })
  })

  it('is refused when it is prepared, if a part of it is not of one company', async () => {
    const forms = [
      () => db.selectFrom('invoices').selectAll(),
      (tx: Tx) =>
        tx
          .after<{ all: object }>({ all: db.selectFrom('invoices').selectAll() })
          .selectFrom('all')
          .selectAll(),
      (tx: Tx) =>
        tx.after<{ gone: object }>({ gone: db.deleteFrom('series') }).selectNoFrom(sql`1`.as('one')),
    ]
    for (const form of forms)
      await expect(
        store.of('A').transaction((tx) => tx.run<object, unknown>(new Prepared(form), {})),
      ).rejects.toThrow('A statement that is not of one company')
  })

  it('reaches its own rows only', async () => {
    const number = { number: 'F1', series_code: 'F' }
    for (const company of ['A', 'B'])
      expect(await store.of(company).transaction((tx) => tx.insertNew('numbers', number))).toBe(true)
    expect(await store.of('A').transaction((tx) => tx.insertNew('numbers', number))).toBe(false)
    await store.of('A').transaction((tx) => tx.update('numbers', { invoice_id: 'a' }).execute())
    await store
      .of('A')
      .transaction((tx) => tx.upsert('numbers', number, (on) => on.doUpdateSet({ series_code: 'G' })))
    const all = (company: string) => store.of(company).select('numbers').selectAll().execute()
    expect(await all('A')).toEqual([{ company_id: 'A', number: 'F1', series_code: 'G', invoice_id: 'a' }])
    await store.of('A').transaction((tx) => tx.delete('numbers').execute())
    expect(await all('A')).toEqual([])
    expect(await all('B')).toEqual([{ company_id: 'B', ...number, invoice_id: null }])
  })

  it('does not compile without the company, with another, or beyond its table', () => {
    const wrong = [
      // @ts-expect-error The database behind the rows cannot be reached.
      (rows: Rows) => rows.db,
      // @ts-expect-error Readers cannot write.
      (rows: Rows) => rows.delete('series'),
      // @ts-expect-error A shared table has no company.
      (rows: Rows) => rows.select('taxpayers'),
      // @ts-expect-error A table of companies is not shared.
      (rows: Rows) => rows.shared.selectFrom('invoices'),
      // @ts-expect-error The shared tables run no SQL text.
      (rows: Rows) => sql`select 1`.execute(rows.shared),
      // @ts-expect-error `select` joins other tables on the company.
      (rows: Rows) => rows.select('events').innerJoin('invoices', 'invoices.invoice_id', 'events.invoice_id'),
      // @ts-expect-error The joined table must have the column.
      (rows: Rows) => rows.select('events', { series: 'invoice_id' }),
      // @ts-expect-error Only the store offers statements across companies.
      (rows: Rows) => rows.acrossCompanies('why'),
      // @ts-expect-error The company cannot be passed ...
      (tx: Tx) => tx.insert('numbers', { company_id: 'B', number: 'F1', series_code: 'F' }),
      // @ts-expect-error ... nor changed.
      (tx: Tx) => tx.update('numbers', { company_id: 'B' }),
      // @ts-expect-error Statements across companies need a reason.
      (all: Store) => all.acrossCompanies(),
    ]
    expect(wrong).toHaveLength(11)
  })

  it('may be of all companies with a reason', async () => {
    const all = store.acrossCompanies('a test').selectFrom('numbers').select('company_id').execute()
    expect(await all).toEqual([{ company_id: 'B' }])
  })
})
