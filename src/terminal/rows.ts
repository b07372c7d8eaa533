/** Rows for people: a table where it fits, else what does not fit below each row. */
import { required } from '../errors/index.ts'
import { widthOf, wrap } from './printable.ts'
import { type Align, table } from './table.ts'

export interface Rows {
  readonly fields: readonly string[]
  readonly cells: readonly (readonly string[])[]
  readonly aligns: readonly Align[]
}

/** How many columns fit side by side, from the left. */
function fitting({ fields, cells }: Rows, width: number): number {
  let used = -2
  for (const [column, field] of fields.entries()) {
    used += 2 + cells.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), widthOf(field))
    if (used > width) return Math.max(1, column)
  }
  return fields.length
}

/** Columns that do not fit follow their row, as `field: value`, indented. Nothing is cut. */
export function rowLines(rows: Rows, width: number): string[] {
  const { fields, cells, aligns } = rows
  const fit = fitting(rows, width)
  const [head = '', ...body] = table(
    [fields, ...cells].map((row) => row.slice(0, fit)),
    aligns.slice(0, fit),
  )
  const below = (row: readonly string[]): string[] =>
    row.flatMap((cell, column) =>
      column < fit || cell === ''
        ? []
        : wrap(`${fields[column]}: ${cell}`, width - 4).map(
            (line, at) => `${at === 0 ? '  ' : '    '}${line}`,
          ),
    )
  return [head, ...body.flatMap((line, at) => [...wrap(line, width), ...below(required(cells[at]))])]
}
