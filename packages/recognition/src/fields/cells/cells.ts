/**
 * Represents pages as rows of cells. A cell is a group of adjacent words. The value of a label is in the same cell, in
 * the next cell, or in a cell below.
 */
import type { Page, Row, Word } from '../../material.ts'
import { plainOf } from '../labels/plain-text.ts'
import { restoreDecimalComma, thousandsNormaliser } from './figures.ts'

export interface Cell {
  readonly text: string
  /** Lower case without accents, with the same length as `text`, so that indexes match. */
  readonly plain: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly page: number
  /** Index of the row, counted over all pages. */
  readonly row: number
  /** Index of the cell in its row. */
  readonly column: number
  readonly source: Page['source']
}

export interface DocumentCells {
  readonly rows: readonly (readonly Cell[])[]
  readonly cells: readonly Cell[]
  /** All text in plain form, row by row. */
  readonly plain: string
  /** Texts printed at an angle, in plain form. */
  readonly marks: readonly string[]
  readonly source: Page['source']
}

/** Words are in different cells if their distance exceeds this share of their height and this number of characters. */
const GAP = 0.9
const GAP_CHARACTERS = 1.6

const heightOf = ({ top, bottom }: Pick<Word, 'top' | 'bottom'>): number => Math.max(1, bottom - top)

/** Returns the maximum distance between two words of one cell. Typewriter fonts have wide spaces. */
function gapOf(one: Word, other: Word): number {
  const width = one.right - one.left + other.right - other.left
  const character = width / Math.max(1, one.text.length + other.text.length)
  return Math.max(GAP * Math.min(heightOf(one), heightOf(other)), GAP_CHARACTERS * character)
}

/** Matches the vertical rules of a table that is printed in letters. */
const RULE = /^[|¦]+$/

/** Groups adjacent words of a row. */
function groupsOf({ words }: Row): Word[][] {
  const groups: Word[][] = []
  let isCut = false
  for (const word of words) {
    const last = groups.at(-1)?.at(-1)
    if (RULE.test(word.text)) isCut = true
    else if (!last || isCut || word.left - last.right > gapOf(last, word)) {
      groups.push([word])
      isCut = false
    } else groups.at(-1)?.push(word)
  }
  return groups
}

/** Matches the leader dots between a label and its value. */
const LEADER = /(?:(?<!\s)\s+)?(?:[.…_]\s?){3,}(?=\s*\S)/g

/** Returns the cell of a group of words. */
function cellOf(
  words: readonly Word[],
  place: Pick<Cell, 'page' | 'row' | 'column' | 'source'>,
  marked: (text: string) => string,
): Cell {
  const text = marked(words.map((word) => word.text).join(' ')).replaceAll(LEADER, ': ')
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

/** Returns the cells of all pages. */
export function documentCellsOf(pages: readonly Page[]): DocumentCells {
  const rows: Cell[][] = []
  const marked = thousandsNormaliser(pages.flatMap((page) => page.rows.map(({ text }) => text)).join('\n'))
  for (const [page, { rows: printed, source }] of pages.entries())
    for (const one of printed) {
      const row = rows.length
      const read = source === 'ocr' ? (text: string) => restoreDecimalComma(marked(text)) : marked
      const cells = groupsOf(one).map((words, column) => cellOf(words, { page, row, column, source }, read))
      if (cells.length > 0) rows.push(cells)
    }
  return {
    rows,
    cells: rows.flat(),
    plain: rows.map((cells) => cells.map(({ plain }) => plain).join('  ')).join('\n'),
    marks: pages.flatMap(({ marks = [] }) => marks.map(plainOf)),
    // A document with both sources counts as OCR, which is the less reliable source.
    source: pages.some(({ source }) => source === 'ocr') ? 'ocr' : 'text',
  }
}

/** Whether two cells overlap horizontally, and so are in one column. */
export const overlaps = (a: Cell, b: Cell): boolean => a.left < b.right && b.left < a.right

/** Maximum number of rows from a label down to its value. */
const ROWS_BELOW = 2

/** Returns the cells below a cell that share its column, the nearest first. */
export function cellsBelow({ rows }: DocumentCells, cell: Cell, most = ROWS_BELOW): Cell[] {
  const found: Cell[] = []
  for (let row = cell.row + 1; row <= cell.row + most && row < rows.length; row++) {
    const below = rows[row]?.filter((other) => other.page === cell.page && overlaps(other, cell)) ?? []
    found.push(...below)
  }
  return found
}

/** Returns the cells above a cell in its column, the nearest first, up to the first large vertical gap. */
export function cellsAbove({ rows }: DocumentCells, cell: Cell, most: number): Cell[] {
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

/** Capital letters and digits of a text. */
export const compact = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

export interface LabelledValue<T> {
  readonly value: T
  readonly cell: Cell
  /** Plain text of the cell up to the end of the label. */
  readonly label: string
  /** Plain text of the cell before the label in its row, if the label begins its cell and the value is in the row. */
  readonly before: string
  /** Text after the label in its cell, if the value is in another cell. */
  readonly rest: string
  readonly labelCell: Cell
}

/** Returns the value of a text, which is in the cell of the label or in a cell of its own. */
type Parse<T> = (text: string, isBehindLabel: boolean) => T | undefined

/** Number of cells to the right of a label in which its value is looked for. */
const CELLS_BESIDE = 2

/**
 * Yields texts that may be the value of a label: the rest of its cell or, if that has no digit, the next cells and the
 * cells below. Signs between cells are skipped.
 */
function* readingsOf(sheet: DocumentCells, cell: Cell, end: number): Generator<{ text: string; cell: Cell }> {
  const rest = cell.text.slice(end).replace(/^[\s:.#>–·|-]+/, '')
  if (rest !== '') yield { text: rest, cell }
  if (/\d/.test(rest)) {
    // The value may go on in the line below.
    const [below] = cellsBelow(sheet, cell, 1)
    if (below) yield { text: `${rest} ${below.text}`, cell }
    return
  }
  const row = sheet.rows[cell.row] ?? []
  const beside = row.slice(cell.column + 1).filter(({ plain }) => /[\p{L}\d]/u.test(plain))
  for (const next of beside.slice(0, rest === '' ? CELLS_BESIDE : 1)) {
    yield { text: next.text, cell: next }
    // A text without digits is another label, so that the cells after it belong to that label.
    if (!/\d/.test(next.text)) break
  }
  for (const below of cellsBelow(sheet, cell)) yield { text: below.text, cell: below }
}

/** Returns the value that `parse` finds after one occurrence of a label. */
function valueAfter<T>(
  sheet: DocumentCells,
  labelCell: Cell,
  { index, 0: { length } }: RegExpExecArray,
  parse: Parse<T>,
): LabelledValue<T> | undefined {
  const { plain, row, column } = labelCell
  const end = index + length
  for (const { text, cell } of readingsOf(sheet, labelCell, end)) {
    const value = parse(text, cell === labelCell)
    if (value === undefined) continue
    const isFirst = index === 0 && cell.row === row
    return {
      value,
      cell,
      label: plain.slice(0, end),
      before: (isFirst && sheet.rows[row]?.[column - 1]?.plain) || '',
      rest: cell === labelCell ? '' : plain.slice(end),
      labelCell,
    }
  }
  return undefined
}

/** Returns the values that `parse` finds after the occurrences of a label. */
export function labelledValues<T>(sheet: DocumentCells, label: RegExp, parse: Parse<T>): LabelledValue<T>[] {
  const pattern = new RegExp(label, 'g')
  return sheet.cells.flatMap((cell) =>
    [...cell.plain.matchAll(pattern)].flatMap((match) => valueAfter(sheet, cell, match, parse) ?? []),
  )
}

/** Returns the values printed directly above a label that fills its cell, as in a box with its caption below. */
export function captionedValues<T>(sheet: DocumentCells, label: RegExp, parse: Parse<T>): LabelledValue<T>[] {
  return sheet.cells.flatMap((labelCell) => {
    const { plain, row, page } = labelCell
    const match = new RegExp(label).exec(plain)
    if (match?.index !== 0 || /[\p{L}\d]/u.test(plain.slice(match[0].length))) return []
    const cell = sheet.rows[row - 1]?.find((other) => other.page === page && overlaps(other, labelCell))
    const value = cell && parse(cell.text, false)
    return cell && value !== undefined ? [{ value, cell, label: plain, before: '', rest: '', labelCell }] : []
  })
}
