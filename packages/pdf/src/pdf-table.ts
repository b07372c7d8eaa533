/** Tables: column labels, and rows. A row taller than a page can be split between its text lines. */
import { required } from '#core/errors/index.ts'
import type { ColumnView } from '#view/index.ts'
import {
  type Box,
  boxWithOffsets,
  type PlacedBox,
  rectangle,
  type StructureElement,
  stack,
  structureElement,
} from './box.ts'
import { cellLines, columnWidthRangesOf, type Grid, type GridColumn, gridOf } from './grid.ts'
import { type LayoutContext, labelBox, labelWidth, styleOf } from './layout-context.ts'
import { figureWidth, naturalWidth, type TextStyle } from './measure.ts'

export interface Row {
  /** Number of lines of text. */
  readonly lines: number
  readonly height: number
  /** Returns the height of a slice. */
  readonly heightOf: (from: number, to: number) => number
  /** Returns the lines `from` (inclusive) to `to` (exclusive), with background and rules. */
  readonly slice: (from: number, to: number) => Box
}

export interface Table {
  readonly width: number
  readonly grid: readonly GridColumn[]
  readonly style: TextStyle
  /** Returns the column labels; repeated labels are not part of the document structure. */
  readonly head: (repeated: boolean) => Box
  readonly part: StructureElement
  /** Space above and below the text of a row. */
  readonly padding: number
}

/** Distance between columns. */
const GAP = 12
const HEAD_RULE = 0.8
const HAIRLINE = 0.4
/** Padding of rows in smaller tables, as a share of the padding of invoice lines. */
const DENSE = 0.72

export interface Content {
  readonly columns: readonly ColumnView[]
  readonly rows: readonly (readonly string[])[]
  readonly width: number
  /** Index of the column that takes the remaining width. */
  readonly flexible: number
  /** Texts below each row, in the column `flexible`. */
  readonly notes?: readonly (readonly string[])[]
  /** Whether rows are closer together, as in smaller tables. */
  readonly dense?: boolean
}

/** Font sizes to try, relative to the design, until every figure fits in its column. */
const SIZES = [1, 0.94, 0.88, 0.82, 0.76, 0.7] as const
/** Minimum of `SIZES` at which a table is still easy to read. */
const READABLE_SIZE = 0.88

const scaled = (style: TextStyle, by: number): TextStyle => ({
  ...style,
  size: style.size * by,
  leading: style.leading * by,
})

/** A table with the column widths and font sizes at which its texts fit. */
export interface Fitted {
  readonly content: Content
  readonly grid: Grid
  readonly style: TextStyle
  readonly label: TextStyle
  /** Whether every figure fits in its column at a readable size. */
  readonly isReadable: boolean
}

/** Returns a table with the largest of `SIZES` at which no figure is broken, or else the smallest. */
export function fittedTable(context: LayoutContext, content: Content): Fitted {
  const { columns, rows, width, flexible, notes = [] } = content
  const { design, view } = context
  const small = styleOf(context, 'small', 'soft', true)
  const noteWidth = notes.flat().reduce((most, note) => Math.max(most, figureWidth(note, small)), 0)
  const body = styleOf(context, 'body', 'ink', true)
  const ranges = columnWidthRangesOf(columns, rows, body, view.language)
  const at = (by: number): Fitted => {
    const label = scaled(styleOf(context, 'label', design.table.head === 'band' ? 'paper' : 'accent'), by)
    const labelWidths = columns.map(({ label: named }) => {
      const texts = [named.text, named.second ?? '']
      return {
        whole: labelWidth(context, named, label),
        word: Math.max(...texts.map((text) => naturalWidth(text, label).word)),
      }
    })
    const { inset } = design.table
    const grid = gridOf({ columns, ranges, by, width, gap: GAP, inset, flexible, labelWidths, noteWidth })
    return { content, grid, style: scaled(body, by), label, isReadable: !grid.isTight && by >= READABLE_SIZE }
  }
  let found = at(1)
  for (const by of SIZES.slice(1)) {
    if (!found.grid.isTight) break
    found = at(by)
  }
  return found
}

/** Returns a function that builds the labels with their background. */
function headBox(context: LayoutContext, { content: { columns, width }, grid, label: style }: Fitted) {
  const { design, palette } = context
  const kind = design.table.head
  const padding = kind === 'rules' ? 3.4 : 4.4
  return (row: StructureElement | null): Box => {
    const cells = columns.map(({ label }, index) => {
      const { x, width: wide, align } = required(grid.columns[index])
      const of = row && structureElement(row, 'TH', { scope: 'Column' })
      return { box: labelBox(context, label, style, wide, { part: of, align }), x, y: 0 }
    })
    const inner = Math.max(...cells.map(({ box }) => box.height))
    const height = inner + 2 * padding
    const aligned = cells.map(({ box, x }) => ({ box, x, y: padding + inner - box.height }))
    const ground = { band: palette.accent, tint: palette.tint, rules: null }[kind]
    const under =
      ground === null
        ? [
            { box: rectangle(width, HEAD_RULE, palette.accent), x: 0, y: 0 },
            { box: rectangle(width, HAIRLINE, palette.accent), x: 0, y: height - HAIRLINE },
          ]
        : [{ box: rectangle(width, height, ground), x: 0, y: 0 }]
    return boxWithOffsets(width, height, [...under, ...aligned])
  }
}

function tableOf(context: LayoutContext, found: Fitted): Table {
  const { design, document } = context
  const { width, dense = false } = found.content
  const of = structureElement(document, 'Table')
  const head = headBox(context, found)
  const first = structureElement(of, 'TR')
  const padding = design.table.padding * (dense ? DENSE : 1)
  return {
    width,
    grid: found.grid.columns,
    style: found.style,
    part: of,
    padding,
    head: (repeated) => head(repeated ? null : first),
  }
}

/** Returns a row: a text for each column, and notes below the text of the column `below`. */
function rowOf(
  context: LayoutContext,
  table: Table,
  cells: readonly string[],
  index: number,
  { notes = [], below, isLast }: { notes: readonly string[] | undefined; below: number; isLast: boolean },
): Row {
  const { design, palette, view } = context
  const row = structureElement(table.part, 'TR')
  const parts = cells.map(() => structureElement(row, 'TD'))
  const lines = cells.map((text, column) =>
    cellLines(text, required(table.grid[column]), table.style, view.language, required(parts[column])),
  )
  const count = Math.max(...lines.map(({ length }) => length))
  const small = styleOf(context, 'small', 'soft', true)
  const noted = { ...required(table.grid[below]), tail: null }
  const remarks = notes.flatMap((note) =>
    cellLines(note, noted, small, view.language, required(parts[below])),
  )
  /** Offset of each text line, and at the end the height of all text lines. */
  const tops = [0]
  for (let line = 0; line < count; line++) tops.push(required(tops.at(-1)) + table.style.leading)
  for (const { height } of remarks) tops.push(required(tops.at(-1)) + height)
  const heightOf = (from: number, to: number): number =>
    required(tops[to]) - required(tops[from]) + 2 * table.padding
  /** Returns the text lines of a slice column by column, so that copied text is not interleaved. */
  const contentOf = (from: number, to: number): PlacedBox[] =>
    lines.flatMap((cell, column) => {
      const at = (box: Box, line: number): PlacedBox => ({
        box,
        x: required(table.grid[column]).x,
        y: table.padding + required(tops[line]) - required(tops[from]),
      })
      const under = column === below ? remarks.slice(Math.max(0, from - count), Math.max(0, to - count)) : []
      return [
        ...cell.slice(from, to).map((box, index) => at(box, from + index)),
        ...under.map((box, index) => at(box, Math.max(from, count) + index)),
      ]
    })
  const { rows } = design.table
  const slice = (from: number, to: number): Box => {
    const height = heightOf(from, to)
    const ground = rectangle(table.width, height, palette.tint)
    const rule = rectangle(table.width, HAIRLINE, isLast ? palette.accent : palette.line)
    return boxWithOffsets(table.width, height, [
      ...(rows === 'zebra' && index % 2 === 1 ? [{ box: ground, x: 0, y: 0 }] : []),
      ...(rows === 'hairlines' || isLast ? [{ box: rule, x: 0, y: height - HAIRLINE }] : []),
      ...contentOf(from, to),
    ])
  }
  const last = tops.length - 1
  return { lines: last, height: heightOf(0, last), heightOf, slice }
}

export const wholeRowBox = (row: Row): Box => row.slice(0, row.lines)

/** A table with its rows. */
export interface FilledTable {
  readonly table: Table
  readonly rows: readonly Row[]
}

/** Returns the table filled with its texts. */
export function filledTable(context: LayoutContext, found: Fitted): FilledTable {
  const { rows, flexible: below, notes = [] } = found.content
  const table = tableOf(context, found)
  const rowAt = (cells: readonly string[], index: number): Row =>
    rowOf(context, table, cells, index, { notes: notes[index], below, isLast: index === rows.length - 1 })
  return { table, rows: rows.map(rowAt) }
}

/** Returns the whole table as one box. */
export const tableBox = ({ table, rows }: FilledTable): Box =>
  stack([table.head(false), ...rows.map(wholeRowBox)])
