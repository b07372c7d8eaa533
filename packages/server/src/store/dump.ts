/**
 * Reads and writes all rows of a table in key order, in a format that both databases share. The size of a page is
 * limited, even if its rows are long.
 */
import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import {
  COMPANY_TABLES,
  columnNamesOf,
  keyOf,
  REFERENCE_TABLES,
  type TableName,
  type Tables,
} from './tables.ts'

/** The values of a row in column order. */
export type Values = readonly (string | number | null)[]

/** All tables except `schema_migrations`, which the migration fills. */
export const BACKED_UP_TABLES: readonly TableName[] = [...REFERENCE_TABLES, ...COMPANY_TABLES].filter(
  (table) => table !== 'schema_migrations',
)

/** Columns whose values may be megabytes long. Their length is queried before their content. */
const LONG: Partial<Record<TableName, readonly string[]>> = {
  invoice_documents: ['sent', 'canonical', 'errors'],
  mail_contents: ['content'],
  company_logos: ['content'],
  idempotency_keys: ['body'],
  verifactu_records: ['record', 'xml_sent', 'xml_response'],
  verifactu_submissions: ['xml', 'xml_response'],
  sii_submissions: ['xml', 'xml_response'],
}

const PAGE_ROWS = 500
const MAX_BYTES = 4 * 1024 * 1024

const listed = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

type Row = Readonly<Record<string, string | number | null>>

/** Yields the rows of a table in pages. */
export async function* pagesOf(db: Kysely<Tables>, table: TableName): AsyncGenerator<readonly Values[]> {
  const [key, columns, long] = [keyOf(table), columnNamesOf(table), LONG[table]]
  const ask = async (what: RawBuilder<unknown>, after: Values | null, until: Values | null) => {
    const bounds = [
      ...(after ? [sql`(${listed(key)}) > (${sql.join(after)})`] : []),
      ...(until ? [sql`(${listed(key)}) <= (${sql.join(until)})`] : []),
    ]
    const where = bounds.length > 0 ? sql`where ${sql.join(bounds, sql` and `)}` : sql``
    const { rows } = await sql<Row>`select ${what} from ${sql.table(table)} ${where}
      order by ${listed(key)} limit ${sql.lit(PAGE_ROWS)}`.execute(db)
    return rows
  }
  const keyIn = (row: Row): Values => key.map((name) => row[name] ?? null)
  /** Returns the key of the last row of the next page, if rows may be long; null if the page has `PAGE_ROWS` rows. */
  const cut = async (after: Values | null): Promise<Values | null> => {
    if (!long) return null
    const bytes = sql.join(
      long.map((name) => sql`coalesce(length(${sql.ref(name)}), 0)`),
      sql` + `,
    )
    const rows = await ask(sql`${listed(key)}, ${bytes} as "bytes"`, after, null)
    let sum = 0
    const over = rows.findIndex((row) => {
      sum += Number(row.bytes)
      return sum > MAX_BYTES
    })
    const last = rows[over < 0 ? rows.length - 1 : Math.max(0, over - 1)]
    return last ? keyIn(last) : null
  }
  for (let after: Values | null = null; ; ) {
    const until: Values | null = await cut(after)
    const rows: readonly Row[] = await ask(listed(columns), after, until)
    if (rows.length > 0) yield rows.map((row) => columns.map((name) => row[name] ?? null))
    const last = rows.at(-1)
    if (!last || (until === null && rows.length < PAGE_ROWS)) return
    after = keyIn(last)
  }
}

/** A row to insert, with the length of its text. */
export interface RowToInsert {
  readonly values: readonly unknown[]
  readonly length: number
}

/** Approximate maximum number of values per statement in SQLite. PostgreSQL allows twice as many. */
const MAX_VALUES = 30_000

/** Inserts rows into a table with the same columns, up to 250 rows per statement. Returns the number of rows. */
export async function insertAll(
  db: Kysely<Tables>,
  isPostgres: boolean,
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  rows: AsyncIterable<RowToInsert>,
): Promise<number> {
  const most = Math.max(1, Math.min(250, Math.floor(MAX_VALUES / columns.length)))
  let [waiting, length, count]: [(readonly unknown[])[], number, number] = [[], 0, 0]
  const flush = async () => {
    let place = 0
    const one = () => `(${columns.map(() => (isPostgres ? `$${++place}` : '?')).join(', ')})`
    const into = `"${table}" (${columns.map((name) => `"${name}"`).join(', ')})`
    const text = `insert into ${into} values ${waiting.map(one).join(', ')}`
    if (waiting.length > 0) await db.executeQuery(CompiledQuery.raw(text, waiting.flat()))
    count += waiting.length
    waiting = []
    length = 0
  }
  for await (const row of rows) {
    waiting.push(row.values)
    length += row.length
    if (waiting.length >= most || length >= MAX_BYTES) await flush()
  }
  await flush()
  return count
}

/** Returns the tables of a database with their columns. */
export async function readTableColumns(
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
