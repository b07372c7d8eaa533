/** Any number of rows, page by page, so that they need not fit into memory. */
import type { Rows } from '../server/store/store.ts'
import type { Environment } from '../server/store/tables.ts'

const PAGE = 500

/** Rows in the order of a key, each page after the key of the last row of the page before. */
export async function* inPages<Row, Key>(
  start: Key,
  keyOf: (row: Row) => Key,
  page: (after: Key, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let after = start; ; ) {
    const rows = await page(after, PAGE)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = keyOf(last)
  }
}

/** The system events of a company in the order of their chain. */
export function systemEventsOf(db: Rows, environment: Environment) {
  const page = (after: number, limit: number) =>
    db
      .select('verifactu_events')
      .selectAll()
      .where('environment', '=', environment)
      .where('sequence', '>', after)
      .orderBy('sequence')
      .limit(limit)
      .execute()
  return inPages(0, ({ sequence }) => sequence, page)
}
