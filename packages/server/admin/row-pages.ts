/** Reads any number of rows page by page, with limited memory. */
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Rows } from '../src/store/store.ts'
import type { Environment } from '../src/store/tables.ts'

const PAGE = 500

/** Yields the rows of a query in the order of a key. Each page starts after the last key of the previous one. */
export async function* rowsInKeyOrder<Database, Table extends keyof Database, Row extends object>(
  query: SelectQueryBuilder<Database, Table, Row>,
  ...key: readonly string[]
): AsyncGenerator<Row> {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  const page = query.orderBy(sql`${columns}`).limit(PAGE)
  const read = async (next: typeof page): Promise<readonly Row[]> => (await next.execute()) as Row[]
  for (let rows = await read(page); ; ) {
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    const values = new Map<string, unknown>(Object.entries(last))
    const after = sql.join(key.map((name) => values.get(name.replace(/^.*\./, ''))))
    rows = await read(page.where(sql<boolean>`(${columns}) > (${after})`))
  }
}

/** Yields the system events of a company in the order of their chain. */
export const systemEventsOf = (db: Rows, environment: Environment) =>
  rowsInKeyOrder(db.select('verifactu_events').selectAll().where('environment', '=', environment), 'sequence')
