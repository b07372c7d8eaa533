/** Problems of a spreadsheet, as data. The command line turns them into items with messages. */
import type { Text } from '#core/invoice/index.ts'
import type { Position } from '#core/json/index.ts'

/** A range of the text of a CSV file. */
export interface CellPosition extends Position {
  /** Number of characters of the cell, quotes included. */
  readonly length: number
}

export interface Problem {
  readonly code: string
  /** Pointer to the field in the invoice; empty for problems of the file. */
  readonly path: string
  readonly extra: Readonly<Record<string, unknown>>
  readonly position: CellPosition
}

/** The type of a cell's value. */
export type Scalar = string | number | boolean

/** A problem of a mapping file: its location and message. */
export interface MappingProblem extends Text {
  /** Pointer into the mapping file. */
  readonly path: string
}

export const FIRST_CELL_POSITION: CellPosition = { line: 1, column: 1, length: 1 }
