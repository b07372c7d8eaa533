/** Addresses of cells, as spreadsheets show them. */

/** Returns the letters of a column, as spreadsheets show them: A to Z, AA and so on. */
function lettersOf(column: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return letters
}

/** A cell: its row as spreadsheets number it, from 1, and its column from 0. */
export interface CellReference {
  readonly row: number
  readonly column: number
}

/** Returns the address of a cell, as spreadsheets show it: `F12`. */
export const addressOf = ({ row, column }: CellReference): string => `${lettersOf(column)}${row}`
