/** Assignment: the pairs of the least total cost. */

/** Above every sum of costs that an assignment weighs: such a pair is made only where nothing else is left. */
export const FORBIDDEN = 1e14

/**
 * The column of each row in an assignment of least total cost (Hungarian method, in at most rows² x columns
 * steps); -1 where a row gets none, because there are more rows than columns or no pair of it is allowed. As many
 * pairs are made as can be. Costs are whole, and small enough for their sum to stay below `FORBIDDEN`.
 *
 * @example
 * assign([[4, 1], [1, 9]]) // => [1, 0]
 */
export function assign(costs: readonly (readonly number[])[]): number[] {
  const rows = costs.length
  const columns = costs[0]?.length ?? 0
  if (rows > columns) {
    const turned = Array.from({ length: columns }, (_, column) => costs.map((row) => row[column]!))
    const found = new Array<number>(rows).fill(-1)
    assign(turned).forEach((row, column) => {
      if (row >= 0) found[row] = column
    })
    return found
  }
  const rowOf = rowsOf(costs, rows, columns)
  const found = new Array<number>(rows).fill(-1)
  for (let column = 1; column <= columns; column++) {
    const row = rowOf[column]! - 1
    if (row >= 0 && costs[row]![column - 1]! < FORBIDDEN) found[row] = column - 1
  }
  return found
}

/** Row of each column, counted from 1; 0 is none. There are no more rows than columns. */
function rowsOf(costs: readonly (readonly number[])[], rows: number, columns: number): readonly number[] {
  const rowPrice = new Array<number>(rows + 1).fill(0)
  const columnPrice = new Array<number>(columns + 1).fill(0)
  /** Column 0 is the row that is being placed. */
  const rowOf = new Array<number>(columns + 1).fill(0)
  for (let row = 1; row <= rows; row++) {
    const slack = new Array<number>(columns + 1).fill(Number.POSITIVE_INFINITY)
    const from = new Array<number>(columns + 1).fill(0)
    const seen = new Array<boolean>(columns + 1).fill(false)
    rowOf[0] = row
    /** The column not seen yet that is nearest to those that were, after `column` has joined them. */
    const nearest = (column: number): number => {
      const current = rowOf[column]!
      // Nothing is ever nearer than infinity to column 0.
      let next = 0
      for (let other = 1; other <= columns; other++) {
        if (seen[other]) continue
        const cost = costs[current - 1]![other - 1]! - rowPrice[current]! - columnPrice[other]!
        if (cost < slack[other]!) {
          slack[other] = cost
          from[other] = column
        }
        if (slack[other]! < slack[next]!) next = other
      }
      return next
    }
    /** Changes the prices so that a step costs nothing more. */
    const reprice = (step: number): void => {
      for (let other = 0; other <= columns; other++)
        if (seen[other]) {
          rowPrice[rowOf[other]!]! += step
          columnPrice[other]! -= step
        } else slack[other]! -= step
    }
    let column = 0
    do {
      seen[column] = true
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
