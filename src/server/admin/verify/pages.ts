/** Rows of any number, page by page: what is looked through does not have to fit into memory. */

export const PAGE = 500

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
