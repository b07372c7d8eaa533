/** Tables of a terminal. */
import { required } from '../errors/index.ts'
import { widthOf } from './printable.ts'

export type Align = 'left' | 'right'

/** Pads the cells of rows to columns, two spaces apart; no spaces at the end of a line. */
export function table(rows: readonly (readonly string[])[], aligns: readonly Align[]): string[] {
  const widths = aligns.map((_, column) =>
    rows.reduce((width, row) => Math.max(width, widthOf(row[column] ?? '')), 0),
  )
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat(Math.max(0, required(widths[column]) - widthOf(cell)))
        return aligns[column] === 'right' ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd(),
  )
}
