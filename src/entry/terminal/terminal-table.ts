/** Tables for terminals. */
import { required } from '#core/errors/index.ts'
import { widthOf } from './printable.ts'

export type Align = 'left' | 'right'

/** Aligns the cells of rows in columns, two spaces apart, without trailing spaces. */
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
