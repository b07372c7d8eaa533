/** Returns the rows of a table whose columns are named once. An empty text is an absent value; a row ends at its last value. */
export const table = <T>(columns: readonly string[], rows: readonly (readonly unknown[])[]): T[] =>
  rows.map(
    (values) =>
      Object.fromEntries(
        values.map((value, at) => [columns[at], value]).filter(([, value]) => value !== ''),
      ) as T,
  )
