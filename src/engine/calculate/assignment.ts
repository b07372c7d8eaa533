/** Solves the assignment problem: finds the pairs with the least total cost. */

/** Cost of a pair that is not allowed. It exceeds every sum of allowed costs. */
export const FORBIDDEN = 1e14

/**
 * Returns the column of each row in an assignment of least total cost (Hungarian method, at most rows² x columns
 * steps). A row without a column gets -1: there are too few columns, or none of its pairs is allowed. The assignment
 * has as many pairs as possible. Costs are integers whose sum stays below `FORBIDDEN`.
 *
 * @example
 * leastCostAssignment([[4, 1], [1, 9]]) // => [1, 0]
 */
export function leastCostAssignment(costs: readonly (readonly number[])[]): number[] {
  const rows = costs.length
  // The method needs at least as many columns as rows.
  const columns = Math.max(rows, costs[0]?.length ?? 0)
  const padded = costs.map((row) => Array.from({ length: columns }, (_, column) => row[column] ?? FORBIDDEN))
  const rowOf = rowsOf(padded, rows, columns)
  const found = new Array<number>(rows).fill(-1)
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column]! - 1
    if (row >= 0 && padded[row]![column - 1]! < FORBIDDEN) found[row] = column - 1
  }
  return found
}

/**
 * Returns the row of each column, counted from 1, or 0 for a column without a row. Requires at most as many rows as
 * columns.
 */
function rowsOf(costs: readonly (readonly number[])[], rows: number, columns: number): readonly number[] {
  const rowPrice = new Array<number>(rows + 1).fill(0)
  const columnPrice = new Array<number>(columns + 1).fill(0)
  /** Column 0 holds the row that is being assigned. */
  const rowOf = new Array<number>(columns + 1).fill(0)
  for (let row = 1; row <= rows; row++) {
    const slack = new Array<number>(columns + 1).fill(Number.POSITIVE_INFINITY)
    const from = new Array<number>(columns + 1).fill(0)
    const visited = new Array<boolean>(columns + 1).fill(false)
    rowOf[0] = row
    /** Updates the slack of the unvisited columns from `column`, and returns the nearest unvisited column. */
    const nearest = (column: number): number => {
      const current = rowOf[column]!
      // The slack of column 0 is infinite, so every other column is nearer.
      let next = 0
      for (let other = 1; other <= columns; other++) {
        if (visited[other]) continue
        const cost = costs[current - 1]![other - 1]! - rowPrice[current]! - columnPrice[other]!
        if (cost < slack[other]!) {
          slack[other] = cost
          from[other] = column
        }
        if (slack[other]! < slack[next]!) next = other
      }
      return next
    }
    /** Adjusts the row and column prices by the slack of the next column, so that it becomes 0. */
    const reprice = (step: number): void => {
      for (let other = 0; other <= columns; other++)
        if (visited[other]) {
          rowPrice[rowOf[other]!]! += step
          columnPrice[other]! -= step
        } else slack[other]! -= step
    }
    let column = 0
    do {
      visited[column] = true
      const next = nearest(column)
      reprice(slack[next]!)
      column = next
    } while (rowOf[column] !== 0)
    while (column !== 0) {
      rowOf[column] = rowOf[from[column]!]!
      column = from[column]!
    }
  }
  return rowOf
}
