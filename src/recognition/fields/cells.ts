/**
 * A page as somebody looks at it: rows of cells, a cell being words that stand together. A label has its value in its
 * own cell, in the next one, or in the one below.
 */
import type { Page, Row, Word } from '../material.ts'

export interface Cell {
  readonly text: string
  /** Lower case without accents, letter by letter: a place in one is the same place in the other. */
  readonly plain: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly page: number
  /** Number of its row, counted over all pages. */
  readonly row: number
  /** Number of its cell in the row. */
  readonly column: number
  readonly source: Page['source']
}

export interface Sheet {
  readonly rows: readonly (readonly Cell[])[]
  readonly cells: readonly Cell[]
  /** Everything, plain, row by row. */
  readonly plain: string
  readonly source: Page['source']
}

const MARKS = /[\u0300-\u036f]/g

const plainLetter = (letter: string): string => {
  const plain = letter.normalize('NFD').replace(MARKS, '').toLowerCase()
  return plain.length === letter.length ? plain : letter
}

/** Lower case without accents, of the same length. */
export const plainOf = (text: string): string => text.replace(/[^ -~]|[A-Z]/g, plainLetter)

/** Words further apart than this part of their height belong to different cells. */
const GAP = 0.9

const heightOf = ({ top, bottom }: Pick<Word, 'top' | 'bottom'>): number => Math.max(1, bottom - top)

/** Words of a row that stand together. */
function groupsOf({ words }: Row): Word[][] {
  const groups: Word[][] = []
  for (const word of words) {
    const last = groups.at(-1)?.at(-1)
    const isApart = !last || word.left - last.right > GAP * Math.min(heightOf(last), heightOf(word))
    if (isApart) groups.push([word])
    else groups.at(-1)?.push(word)
  }
  return groups
}

/** What a cell is made of. */
function cellOf(words: readonly Word[], place: Pick<Cell, 'page' | 'row' | 'column' | 'source'>): Cell {
  const text = words.map((word) => word.text).join(' ')
  return {
    text,
    plain: plainOf(text),
    left: Math.min(...words.map(({ left }) => left)),
    right: Math.max(...words.map(({ right }) => right)),
    top: Math.min(...words.map(({ top }) => top)),
    bottom: Math.max(...words.map(({ bottom }) => bottom)),
    ...place,
  }
}

/** The cells of all pages. */
export function sheetOf(pages: readonly Page[]): Sheet {
  const rows: Cell[][] = []
  for (const [page, { rows: printed, source }] of pages.entries())
    for (const one of printed) {
      const row = rows.length
      const cells = groupsOf(one).map((words, column) => cellOf(words, { page, row, column, source }))
      if (cells.length > 0) rows.push(cells)
    }
  return {
    rows,
    cells: rows.flat(),
    plain: rows.map((cells) => cells.map(({ plain }) => plain).join('  ')).join('\n'),
    // Pages of both kinds are believed as the worse of them.
    source: pages.some(({ source }) => source === 'ocr') ? 'ocr' : 'text',
  }
}

/** Whether two cells stand in one column. */
export const overlaps = (a: Cell, b: Cell): boolean => a.left < b.right && b.left < a.right

/** At most so many rows below a label its value is looked for. */
const ROWS_BELOW = 2

/** The cells below one, the next first: as far down as nothing else stands between. */
export function cellsBelow({ rows }: Sheet, cell: Cell, most = ROWS_BELOW): Cell[] {
  const found: Cell[] = []
  for (let row = cell.row + 1; row <= cell.row + most && row < rows.length; row++) {
    const below = rows[row]?.filter((other) => other.page === cell.page && overlaps(other, cell)) ?? []
    found.push(...below)
  }
  return found
}

/** The cells above one, the next first, while they are close. */
export function cellsAbove({ rows }: Sheet, cell: Cell, most: number): Cell[] {
  const found: Cell[] = []
  let under = cell
  for (let row = cell.row - 1; row >= 0 && found.length < most; row--) {
    const above = rows[row]?.find((other) => other.page === cell.page && overlaps(other, cell))
    if (rows[row]?.[0]?.page !== cell.page) break
    if (!above) continue
    if (under.top - above.bottom > 2.5 * heightOf(under)) break
    found.push(above)
    under = above
  }
  return found
}

export interface Hit<T> {
  readonly value: T
  readonly cell: Cell
}

/** What stands behind a label: the rest of its cell, else the next cell, else the cell below. */
function* readingsOf(sheet: Sheet, cell: Cell, end: number): Generator<{ text: string; cell: Cell }> {
  const rest = cell.text.slice(end).replace(/^[\s:.#>–-]+/, '')
  if (rest !== '') yield { text: rest, cell }
  const next = sheet.rows[cell.row]?.[cell.column + 1]
  if (next && rest === '') yield { text: next.text, cell: next }
  if (rest === '') for (const below of cellsBelow(sheet, cell)) yield { text: below.text, cell: below }
}

/** The values that stand behind a label wherever it is printed, each as `parse` understands it. */
export function labelled<T>(sheet: Sheet, label: RegExp, parse: (text: string) => T | undefined): Hit<T>[] {
  const found: Hit<T>[] = []
  for (const cell of sheet.cells)
    for (const match of cell.plain.matchAll(new RegExp(label, 'g'))) {
      for (const reading of readingsOf(sheet, cell, match.index + match[0].length)) {
        const value = parse(reading.text)
        if (value === undefined) continue
        found.push({ value, cell: reading.cell })
        break
      }
    }
  return found
}
