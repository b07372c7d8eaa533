/**
 * Returns the rows of a table as objects with the column names as members. An empty text means an absent value. A row
 * may end before the last column.
 */
export const table = <T>(columns: readonly string[], rows: readonly (readonly unknown[])[]): T[] =>
  rows.map(
    (values) =>
      Object.fromEntries(
        values.map((value, at) => [columns[at], value]).filter(([, value]) => value !== ''),
      ) as T,
  )
