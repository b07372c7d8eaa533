/** Prints lines and tables for people, or one JSON value for programs. */
import { type Align, printable, table } from '#entry/terminal/index.ts'
import type { Io } from './io.ts'

export type Cell = string | number | boolean | null | undefined

const cellOf = (cell: Cell): string => {
  if (cell === null || cell === undefined || cell === '') return '-'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return printable(String(cell))
}

/** Returns a table with column titles. Columns of numbers are aligned to the right. */
export function tableText(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const aligns = titles.map(
    (_, column): Align =>
      rows.length > 0 && rows.every((row) => typeof row[column] === 'number') ? 'right' : 'left',
  )
  const lines = table(
    [titles.map((title) => title.toUpperCase()), ...rows.map((row) => row.map(cellOf))],
    aligns,
  )
  return `${lines.join('\n')}\n`
}

/** Returns one line per name and value. */
export const labelledLines = (facts: readonly (readonly [string, Cell])[]): string =>
  `${table(
    facts.map(([name, value]) => [name, cellOf(value)]),
    ['left', 'left'],
  ).join('\n')}\n`

export const printText = ({ out }: Io, text: string): void => out(text.endsWith('\n') ? text : `${text}\n`)

/** Prints a value as JSON, or as text for people. */
export function print(io: Io, json: boolean | undefined, value: unknown, people: () => string): void {
  printText(io, json ? JSON.stringify(value, null, 2) : people())
}
