/** Rows as a table. Columns that do not fit are listed below each row. */
import { required } from '#core/errors/index.ts'
import { widthOf, wrap } from './printable.ts'
import { type Align, table } from './terminal-table.ts'

export interface Rows {
  readonly fields: readonly string[]
  readonly cells: readonly (readonly string[])[]
  readonly aligns: readonly Align[]
}

/** Returns how many columns fit side by side, from the left. */
function fitting({ fields, cells }: Rows, width: number): number {
  let used = -2
  for (const [column, field] of fields.entries()) {
    used += 2 + cells.reduce((most, row) => Math.max(most, widthOf(row[column] ?? '')), widthOf(field))
    if (used > width) return Math.max(1, column)
  }
  return fields.length
}

/**
 * Returns the lines of a table. Columns that do not fit follow their row as indented `field: value` lines; nothing is
 * cut.
 */
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
