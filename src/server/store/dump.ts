/**
 * Every row of a table, in the order of its key, out and in again: the same on both databases, so that what one wrote
 * the other takes. Read in pages of a bounded size, whatever is in a row.
 */
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { COMPANY_TABLES, columnsOf, keyOf, REFERENCE_TABLES, type TableName, type Tables } from './tables.ts'

/** A row as a list of its values, in the order of the columns. */
export type Values = readonly (string | number | null)[]

/** All tables; the one that says which version they have is made with them. */
export const DUMPED: readonly TableName[] = [...REFERENCE_TABLES, ...COMPANY_TABLES].filter(
  (table) => table !== 'schema_migrations',
)

/** Columns of a table by their names. */
export const namesOf = (table: TableName): readonly string[] =>
  columnsOf(table).map((column) => column.replace('?', ''))

/** Texts that may have megabytes each: how long they are is asked before they are. */
const LONG: Partial<Record<TableName, readonly string[]>> = {
  invoice_documents: ['sent', 'canonical', 'errors'],
  mail_contents: ['content'],
  company_logos: ['content'],
  idempotency_keys: ['body'],
  verifactu_records: ['record', 'xml_sent', 'xml_response'],
  verifactu_submissions: ['xml', 'xml_response'],
  sii_submissions: ['xml', 'xml_response'],
}

const ROWS = 500
const MOST_BYTES = 4 * 1024 * 1024

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

type Row = Readonly<Record<string, string | number | null>>

class Pages {
  readonly #key: readonly string[]
  readonly #all: readonly string[]
  readonly #isPostgres: boolean
  readonly #db: Kysely<Tables>
  readonly #table: TableName

  constructor(db: Kysely<Tables>, table: TableName, isPostgres: boolean) {
    this.#db = db
    this.#table = table
    this.#isPostgres = isPostgres
    this.#key = keyOf(table)
    this.#all = namesOf(table)
  }

  async #ask(what: string, after: Values | null, until: Values | null): Promise<readonly Row[]> {
    const values: (string | number | null)[] = []
    const place = (value: string | number | null): string => {
      values.push(value)
      return this.#isPostgres ? `$${values.length}` : '?'
    }
    const bound = (sign: string, key: Values): string =>
      `(${quoted(this.#key)}) ${sign} (${key.map(place).join(', ')})`
    const bounds = [after && bound('>', after), until && bound('<=', until)].filter(Boolean)
    const where = bounds.length > 0 ? ` where ${bounds.join(' and ')}` : ''
    const text = `select ${what} from "${this.#table}"${where} order by ${quoted(this.#key)} limit ${ROWS}`
    const { rows } = await this.#db.executeQuery<Row>(CompiledQuery.raw(text, values))
    return rows
  }

  #keyIn(row: Row): Values {
    return this.#key.map((name) => row[name] ?? null)
  }

  /** The last key of the next page, where rows are long; null: a whole page of short ones. */
  async #cut(after: Values | null): Promise<Values | null> {
    const long = LONG[this.#table]
    if (!long) return null
    const bytes = long.map((name) => `coalesce(length("${name}"), 0)`).join(' + ')
    const rows = await this.#ask(`${quoted(this.#key)}, ${bytes} as "bytes"`, after, null)
    let sum = 0
    const over = rows.findIndex((row) => {
      sum += Number(row.bytes)
      return sum > MOST_BYTES
    })
    const last = rows[over < 0 ? rows.length - 1 : Math.max(0, over - 1)]
    return last ? this.#keyIn(last) : null
  }

  async *read(): AsyncGenerator<readonly Values[]> {
    for (let after: Values | null = null; ; ) {
      const until: Values | null = await this.#cut(after)
      const rows: readonly Row[] = await this.#ask(quoted(this.#all), after, until)
      if (rows.length > 0) yield rows.map((row) => this.#all.map((name) => row[name] ?? null))
      const last = rows.at(-1)
      if (!last || (until === null && rows.length < ROWS)) return
      after = this.#keyIn(last)
    }
  }
}

/** Pages of rows of a table. */
export const pagesOf = (
  db: Kysely<Tables>,
  table: TableName,
  isPostgres: boolean,
): AsyncGenerator<readonly Values[]> => new Pages(db, table, isPostgres).read()

/** A statement has at most so many values in SQLite; PostgreSQL takes twice as many. */
const MOST_VALUES = 30_000

/** Puts rows into a table of the same version, some hundred in a statement. */
export class Filler {
  readonly #rows: Values[] = []
  readonly #most: number
  readonly #columns: readonly string[]
  readonly #db: Kysely<Tables>
  readonly #table: string
  readonly #isPostgres: boolean
  #bytes = 0

  constructor(db: Kysely<Tables>, table: string, columns: readonly string[], isPostgres: boolean) {
    this.#db = db
    this.#table = table
    this.#columns = columns
    this.#isPostgres = isPostgres
    this.#most = Math.max(1, Math.min(250, Math.floor(MOST_VALUES / columns.length)))
  }

  async add(row: Values, bytes: number): Promise<void> {
    this.#rows.push(row)
    this.#bytes += bytes
    if (this.#rows.length >= this.#most || this.#bytes >= MOST_BYTES) await this.flush()
  }

  async flush(): Promise<void> {
    const rows = this.#rows.splice(0)
    this.#bytes = 0
    if (rows.length === 0) return
    let place = 0
    const one = () => `(${this.#columns.map(() => (this.#isPostgres ? `$${++place}` : '?')).join(', ')})`
    const text = `insert into "${this.#table}" (${quoted(this.#columns)}) values ${rows.map(one).join(', ')}`
    await this.#db.executeQuery(CompiledQuery.raw(text, rows.flat()))
  }
}

/** Names of the tables that a database has, with their columns: nothing else is written to. */
export async function tablesThere(
  db: Kysely<Tables>,
  isPostgres: boolean,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await (isPostgres
    ? sql<{ table: string; column: string }>`
        select table_name as "table", column_name as "column" from information_schema.columns
        where table_schema = current_schema() order by 1, ordinal_position`
    : sql<{ table: string; column: string }>`
        select t.name as "table", c.name as "column" from sqlite_master t, pragma_table_info(t.name) c
        where t.type = 'table' and t.name not like 'sqlite_%' order by 1, c.cid`
  ).execute(db)
  const tables = new Map<string, string[]>()
  for (const { table, column } of rows) tables.set(table, [...(tables.get(table) ?? []), column])
  return tables
}
