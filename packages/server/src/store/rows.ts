/**
 * Statements on the rows of one company. Only this module adds the company to a statement, always as its first
 * condition. Therefore an index supports every statement, a distributed database sends it to one shard, and it cannot
 * reach rows of other companies.
 */

import { BoundedCache } from 'cuadra-storage/bounded-cache.ts'
import {
  type AliasableExpression,
  type Compilable,
  type DeleteQueryBuilder,
  type DeleteResult,
  type Insertable,
  type Kysely,
  type OnConflictBuilder,
  type OnConflictDoNothingBuilder,
  type OnConflictUpdateBuilder,
  type QueryCreator,
  type QueryResult,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'
import { ConditionError } from '#core/errors/index.ts'
import type { Notes, RowChange } from './count-changes.ts'
import { withDigests } from './digests.ts'
import { forAllCompanies } from './guard.ts'
import { Prepared } from './prepared.ts'
import {
  type CompanyTable,
  type Digest,
  keyOf,
  type ReferenceTable,
  type Row,
  type Tables,
} from './tables.ts'

/** A row without its `company_id` and digests, as services read and write it. */
export type CompanyRow<Table extends CompanyTable> = {
  [Column in keyof Row<Table> as Column extends 'company_id' | Digest ? never : Column]: Row<Table>[Column]
}
type Insert<Table extends CompanyTable> = Insertable<CompanyRow<Table>> & { readonly company_id?: never }
type Changes<Table extends CompanyTable> = Partial<CompanyRow<Table>> & { readonly company_id?: never }

type Of<Table extends CompanyTable> = Pick<Tables, Table>
export type Select<Table extends CompanyTable> = SelectQueryBuilder<Of<Table>, Table, object>
/** Rows of joined tables; null where no row matches. */
type Beside<Table extends CompanyTable> = {
  [Name in Table]: { [Column in keyof Row<Name>]: Row<Name>[Column] | null }
}

/** Tables and columns without types. The types are in the public signatures below. */
type AnyTables = Record<string, Record<string, unknown>>
type Untyped = Kysely<AnyTables>

type Values = Readonly<Record<string, unknown>>

/** The tables that all companies share. Raw SQL text is not possible. */
export type Shared = QueryCreator<Pick<Tables, ReferenceTable>>

export function sharedIn(db: Kysely<Tables>): Shared
export function sharedIn(db: unknown): unknown {
  return db
}

interface Filtered<Query> {
  where(column: string, operator: '=', value: unknown): Query
}

/** Adds an equality condition for each of the values. */
const matching = <Query extends Filtered<Query>>(query: Query, values: Values): Query =>
  Object.entries(values).reduce((narrowed, [name, value]) => narrowed.where(name, '=', value), query)

function untypedIn(db: Kysely<Tables>): Untyped
function untypedIn(db: unknown): unknown {
  return db
}

export class Rows {
  constructor(
    protected readonly db: Kysely<Tables>,
    readonly companyId: string,
  ) {}

  protected get untyped(): Untyped {
    return untypedIn(this.db)
  }

  get shared(): Shared {
    return sharedIn(this.db)
  }

  /** Selects rows of a table. Rows of other tables can be joined on a column with the same value. */
  select<Table extends CompanyTable>(table: Table): Select<Table>
  select<Table extends CompanyTable, Other extends CompanyTable>(
    table: Table,
    beside: { readonly [Name in Other]: keyof Row<Name> & keyof Row<Table> & string },
  ): SelectQueryBuilder<Of<Table> & Beside<Other>, Table | Other, object>
  select(table: string, beside?: Readonly<Record<string, string>>): unknown {
    const company = beside ? `${table}.company_id` : 'company_id'
    let query: SelectQueryBuilder<AnyTables, string, object> = this.untyped
      .selectFrom(table)
      .where(company, '=', this.companyId)
    for (const [other, column] of Object.entries(beside ?? {}))
      query = query.leftJoin(other, (on) => {
        const ofCompany = on.onRef(`${other}.company_id`, '=', company)
        return column === 'company_id'
          ? ofCompany
          : ofCompany.onRef(`${other}.${column}`, '=', `${table}.${column}`)
      })
    return query
  }

  /** Selects the rows of a table that have these values. */
  find<Table extends CompanyTable>(table: Table, values: Partial<CompanyRow<Table>>): Select<Table>
  find(table: CompanyTable, values: Values): unknown {
    return matching(this.untyped.selectFrom(table as string).where('company_id', '=', this.companyId), values)
  }

  /** Selects from the result of a query. */
  found<Found>(query: AliasableExpression<Found>): SelectQueryBuilder<{ found: Found }, 'found', object>
  found(query: AliasableExpression<Record<string, unknown>>): unknown {
    return this.untyped.selectFrom(query.as('found'))
  }

  /** Returns the number of rows that a query would return. */
  countOf<DB, Table extends keyof DB>(query: SelectQueryBuilder<DB, Table, object>): Promise<number>
  async countOf(query: SelectQueryBuilder<AnyTables, string, object>): Promise<number> {
    const { n } = await query.select(({ fn }) => fn.countAll().as('n')).executeTakeFirstOrThrow()
    return Number(n)
  }

  /** Reads all rows of a query before the rest of the statement is evaluated. */
  foundFirst<Table extends CompanyTable>(
    table: Table,
    query: SelectQueryBuilder<Of<Table>, Table, Row<Table>>,
  ): Select<Table>
  foundFirst(table: string, query: SelectQueryBuilder<AnyTables, string, object>): unknown {
    return this.untyped
      .with(
        (cte) => cte('matched').materialized(),
        () => query,
      )
      .selectFrom(`matched as ${table}`)
  }
}

/** Functions of a transaction that a unit of work can use besides running statements. */
export interface Commit {
  /** Whether rows can be locked. The embedded database locks the whole file instead. */
  readonly locks: boolean
  /**
   * Registers work that runs after the commit. A crash may prevent it, so a periodic task must be able to repeat it.
   */
  readonly afterCommit: (work: () => Promise<void>) => void
  readonly setTrace: (trace: (db: Kysely<Tables>) => Promise<boolean>) => void
  /** Changes of the counts. The last statement of the transaction writes them. */
  readonly notes: Notes
  /** Whether other requests wait for the end of this transaction. */
  readonly isShared: boolean
}

/** Builds a statement that writes rows, with a placeholder for each value. */
type Form = (tx: Tx, placeholders: readonly unknown[]) => Compilable

/**
 * Prepared statements that write rows, by operation and columns. Which columns change depends on the data, so there may
 * be more combinations than the cache can hold.
 */
const written = new BoundedCache<Prepared<Tx, readonly unknown[], unknown>>(500)

/** Columns that have a value in any of the rows. */
const columnsIn = (rows: readonly Values[]): string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => row[name] !== undefined))),
]

const valuesOf = (columns: readonly string[], row: Values): unknown[] =>
  columns.map((name) => row[name] ?? null)

/** Assigns to each column the placeholder with its index, starting at `from`. */
const withPlaceholders = (columns: readonly string[], placeholders: readonly unknown[], from = 0): Values =>
  Object.fromEntries(columns.map((name, at) => [name, placeholders[from + at]]))

const insertOf =
  (table: string, columns: readonly string[], count: number): Form =>
  (tx, placeholders) =>
    tx.insertion(
      table,
      Array.from({ length: count }, (_, row) =>
        withPlaceholders(columns, placeholders, row * columns.length),
      ),
    )

const changeOf =
  (table: string, columns: readonly string[], keys: readonly string[]): Form =>
  (tx, placeholders) =>
    matching(
      tx.changing(table, withPlaceholders(columns, placeholders)),
      withPlaceholders(keys, placeholders, columns.length),
    )

/** The rows of one company, in a transaction that can change them. */
export class Tx extends Rows {
  constructor(
    db: Kysely<Tables>,
    companyId: string,
    private readonly commit: Commit,
  ) {
    super(db, companyId)
  }

  get locks(): boolean {
    return this.commit.locks
  }

  get afterCommit(): Commit['afterCommit'] {
    return this.commit.afterCommit
  }

  /** Runs a prepared statement. */
  run<Values extends object, Found>(
    statement: Prepared<Tx, Values, Found>,
    values: Values,
  ): Promise<QueryResult<Found>> {
    const rowsOf = (companyId: string) => new Tx(this.db, companyId, this.commit)
    return this.db.executeQuery(statement.compiled(this.locks, rowsOf, this.companyId, values))
  }

  /** Starts a statement over named common table expressions, each restricted to the company. */
  after<Found>(parts: { readonly [Name in keyof Found]: Compilable }): QueryCreator<Found>
  after(parts: Readonly<Record<string, Compilable>>): unknown {
    return Object.entries(parts).reduce<unknown>(
      (db, [name, part]) => (db as QueryCreator<Tables>).with(name, () => part as never),
      this.db,
    )
  }

  /** Selects from a common table expression of `after`. */
  part<Found, Name extends keyof Found & string>(name: Name): SelectQueryBuilder<Found, Name, object>
  part(name: string): unknown {
    return this.untyped.selectFrom(name)
  }

  /** Records a change of the counts. Call it for every row of `invoices` that is inserted, changed or deleted. */
  count(written: RowChange): void {
    this.commit.notes.add(this.companyId, written)
  }

  /**
   * Throws `needs_own_transaction` if the transaction is shared. Call it before slow work, so that other requests need
   * not wait.
   */
  requireOwnTransaction(): void {
    if (this.commit.isShared)
      throw new ConditionError('needs_own_transaction', 'this needs a transaction of its own')
  }

  /**
   * Sets the function that finds a row written only by this transaction. It is used if the response to COMMIT is lost.
   */
  setTrace(trace: (lost: Tx) => Promise<boolean>): void {
    this.commit.setTrace((db) => trace(new Tx(db, this.companyId, this.commit)))
  }

  /** Selects rows that have these values, and locks them until the end of the transaction. */
  lock<Table extends CompanyTable>(table: Table, values: Partial<CompanyRow<Table>> = {}): Select<Table> {
    const query = this.find(table, values)
    return this.locks ? query.forUpdate() : query
  }

  update<Table extends CompanyTable>(
    table: Table,
    changes: Changes<Table>,
  ): UpdateQueryBuilder<Of<Table>, Table, Table, UpdateResult>
  update(table: string, changes: Values): unknown {
    return this.changing(table, withDigests(table, changes))
  }

  /** Builds an update of a table given by its name. The values may be placeholders. It writes no digests. */
  changing(table: string, changes: Values) {
    return this.untyped.updateTable(table).set(changes).where('company_id', '=', this.companyId)
  }

  /** Deletes the rows that have these values. */
  delete<Table extends CompanyTable>(
    table: Table,
    values?: Partial<CompanyRow<Table>>,
  ): DeleteQueryBuilder<Of<Table>, Table, DeleteResult>
  delete(table: string, values: Values = {}): unknown {
    return matching(this.untyped.deleteFrom(table).where('company_id', '=', this.companyId), values)
  }

  /** Builds an insert that runs alone or as part of a larger statement. It writes no digests. */
  insertion(table: string, values: object | readonly object[]) {
    const rows = [values].flat().map((row) => ({ company_id: this.companyId, ...row }))
    return this.untyped.insertInto(table).values(rows)
  }

  /** Runs the prepared statement for these columns. Returns whether it wrote anything. */
  async #write(what: string, values: readonly unknown[], make: () => Form): Promise<boolean> {
    const statement = written.get(what, () => new Prepared(make()))
    const { numAffectedRows } = await this.run(statement, values)
    return numAffectedRows !== 0n
  }

  insert<Table extends CompanyTable>(
    table: Table,
    values: Insert<Table> | readonly Insert<Table>[],
  ): Promise<void>
  async insert(table: string, values: Values | readonly Values[]): Promise<void> {
    const rows = [values].flat().map((row) => withDigests(table, row))
    const columns = columnsIn(rows)
    const all = rows.flatMap((row) => valuesOf(columns, row))
    await this.#write(`insert ${rows.length} ${table} ${columns}`, all, () =>
      insertOf(table, columns, rows.length),
    )
  }

  /** Changes the rows that have these values. Returns whether there were any. */
  change<Table extends CompanyTable>(
    table: Table,
    changes: Changes<Table>,
    where: Partial<CompanyRow<Table>>,
  ): Promise<boolean>
  change(table: string, changes: Values, where: Values): Promise<boolean> {
    const row = withDigests(table, changes)
    const [columns, keys] = [columnsIn([row]), Object.keys(where)]
    const values = [...valuesOf(columns, row), ...valuesOf(keys, where)]
    return this.#write(`change ${table} ${columns} where ${keys}`, values, () =>
      changeOf(table, columns, keys),
    )
  }

  /** Inserts a row, or applies `update` if a row with the same key exists. Returns whether anything was written. */
  upsert<Table extends CompanyTable>(
    table: Table,
    values: Insert<Table> | readonly Insert<Table>[],
    update: (
      conflict: OnConflictBuilder<Of<Table>, Table>,
    ) => OnConflictUpdateBuilder<Of<Table>, Table> | OnConflictDoNothingBuilder<Of<Table>, Table>,
  ): Promise<boolean>
  async upsert(
    table: CompanyTable,
    values: object,
    update: (
      conflict: OnConflictBuilder<AnyTables, string>,
    ) => OnConflictUpdateBuilder<AnyTables, string> | OnConflictDoNothingBuilder<AnyTables, string>,
  ): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.insertion(table, values)
      .onConflict((on) => update(on.columns(keyOf(table))))
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows !== 0n
  }

  /** Inserts a row unless its key exists. Returns whether it was inserted. */
  insertNew<Table extends CompanyTable>(table: Table, values: Insert<Table>): Promise<boolean>
  insertNew(table: CompanyTable, values: Values): Promise<boolean> {
    const row = withDigests(table, values)
    const columns = columnsIn([row])
    return this.#write(
      `new ${table} ${columns}`,
      valuesOf(columns, row),
      () => (tx, placeholders) =>
        tx
          .insertion(table, withPlaceholders(columns, placeholders))
          .onConflict((on) => on.columns(keyOf(table)).doNothing()),
    )
  }

  /**
   * Inserts a row whose `counter` is one more than the highest counter with the same value of `group`. The statement
   * selects from the row of the company, because Citus sends only this form unchanged to the company's shard.
   */
  insertNext<Table extends CompanyTable, Counter extends keyof CompanyRow<Table> & string>(
    table: Table,
    values: Omit<Insert<Table>, Counter>,
    counter: Counter,
    group: keyof Insert<Table> & string,
  ): Promise<void>
  async insertNext(table: string, values: Values, counter: string, group: string): Promise<void> {
    const row = withDigests(table, values)
    const columns = columnsIn([row])
    const isThere = await this.#write(
      `next ${counter} ${table} ${columns}`,
      valuesOf(columns, row),
      () => (tx, placeholders) =>
        tx.insertionOfNext(table, withPlaceholders(columns, placeholders), counter, group),
    )
    if (!isThere) throw new Error(`There is no company ${this.companyId}.`)
  }

  /** Builds the insert of `insertNext`. */
  insertionOfNext(table: string, row: Values, counter: string, group: string) {
    return this.untyped
      .insertInto(table)
      .columns(['company_id', ...Object.keys(row), counter])
      .expression((eb) =>
        eb
          .selectFrom('companies as n')
          .leftJoin(`${table} as e`, (join) =>
            join.onRef('e.company_id', '=', 'n.company_id').on(`e.${group}`, '=', row[group]),
          )
          .select('n.company_id')
          .select(Object.entries(row).map(([name, value]) => sql`${value}`.as(name)))
          .select(sql`coalesce(max(${sql.ref(`e.${counter}`)}), 0) + 1`.as(counter))
          .where('n.company_id', '=', this.companyId)
          .groupBy('n.company_id'),
      )
  }
}

/** A transaction before a company is chosen. */
export class Transaction {
  constructor(
    private readonly db: Kysely<Tables>,
    private readonly commit: Commit,
  ) {}

  get locks(): boolean {
    return this.commit.locks
  }

  get shared(): Shared {
    return sharedIn(this.db)
  }

  of(companyId: string): Tx {
    return new Tx(this.db, companyId, this.commit)
  }

  /**
   * Gives access to the rows of all companies, for the few statements that concern more than one company. The argument
   * states the reason.
   */
  acrossCompanies(_why: string): Kysely<Tables> {
    return this.db.withPlugin(forAllCompanies)
  }
}
