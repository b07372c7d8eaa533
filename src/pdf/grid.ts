/** Columns of a table: their widths, and the alignment of decimal signs. */
import { required } from '../errors/index.ts'
import type { ColumnView, ViewLanguage } from '../view/model.ts'
import { type Align, type Box, linesBox, type Part } from './box.ts'
import { figureWidth, naturalWidth, type TextLine, type TextStyle, textWidth, wrapText } from './measure.ts'
import { inOneLine } from './runs.ts'

export interface GridColumn {
  readonly x: number
  readonly width: number
  readonly align: Align
  /** Distance from the decimal sign to the right edge; null if the column has no figures. */
  readonly tail: number | null
}

/** A figure with its unit: `1.234,56 €`, `-2,5 h`, `21 %`. */
const FIGURE: Readonly<Record<'es' | 'en', RegExp>> = {
  es: /^([-−+]?[\d.\s]*\d)((?:,\d+)?(?:[\s\u00A0]?[^\s\d]{1,6})?)$/u,
  en: /^([-−+]?[^\s\d]{0,3}[\d,\s]*\d)((?:\.\d+)?(?:[\s\u00A0]?[^\s\d]{1,6})?)$/u,
}

/** Splits a figure before its decimal sign. */
export function splitFigure(text: string, language: ViewLanguage): { head: string; tail: string } | null {
  const match = FIGURE[language === 'en' ? 'en' : 'es'].exec(inOneLine(text))
  return match ? { head: required(match[1]), tail: required(match[2]) } : null
}

interface WidthRange {
  /**
   * Width for everything in one line, minimum width, and width below which figures or account numbers would be broken.
   */
  readonly wanted: number
  readonly least: number
  readonly unbroken: number
  readonly tail: number | null
}

/** Maximum share of the table for each of the other text columns, if the widest column needs the space. */
const MAX_TEXT_SHARE = 0.2
/** Share of the widest column at which its text is still easy to read. */
const READABLE_SHARE = 0.34
/** Minimum share of the table for the widest column, if it has words that long. */
const MIN_FLEXIBLE_SHARE = 0.22

/** Maximum share of the table that figures in the text of the widest column claim. */
const MAX_FIGURE_SHARE = 0.6

export interface Grid {
  readonly columns: readonly GridColumn[]
  /** Whether figures do not fit and are therefore broken. */
  readonly isTight: boolean
}

function widthRangeOf(
  { align }: ColumnView,
  cells: readonly string[],
  label: { whole: number; word: number },
  style: TextStyle,
  language: ViewLanguage,
): WidthRange {
  let head = 0
  let tail = 0
  let whole = label.word
  let word = label.word
  let unbroken = 0
  const seen = new Set<string>()
  for (const cell of cells) {
    if (seen.has(cell)) continue
    seen.add(cell)
    const natural = naturalWidth(cell, style)
    whole = Math.max(whole, natural.whole)
    word = Math.max(word, natural.word)
    if (align === 'start') unbroken = Math.max(unbroken, figureWidth(cell, style))
    const figure = align === 'end' ? splitFigure(cell, language) : null
    if (!figure) continue
    head = Math.max(head, textWidth(figure.head, style))
    tail = Math.max(tail, textWidth(figure.tail, style))
  }
  const wanted = Math.max(whole, head + tail)
  return align === 'end'
    ? { wanted, least: wanted, unbroken: wanted, tail: head > 0 ? tail : null }
    : { wanted, least: word, unbroken, tail: null }
}

/**
 * Returns the columns of a table of `width`. Columns of figures take the width that their figures need, and the column
 * `flexible` takes the remaining width. If too little remains, columns of text shrink and wrap.
 */
export function gridOf({
  columns,
  rows,
  width,
  gap,
  inset,
  flexible,
  style,
  labelWidths,
  noteWidth,
  language,
}: {
  readonly columns: readonly ColumnView[]
  /** Texts of each row, by column. */
  readonly rows: readonly (readonly string[])[]
  readonly width: number
  readonly gap: number
  readonly inset: number
  readonly flexible: number
  readonly style: TextStyle
  readonly labelWidths: readonly { whole: number; word: number }[]
  /** Width that the figures of notes below the column `flexible` need. */
  readonly noteWidth: number
  readonly language: ViewLanguage
}): Grid {
  const inner = width - 2 * inset - gap * (columns.length - 1)
  const ranges = columns.map((column, index) =>
    widthRangeOf(
      column,
      rows.map((row) => row[index] ?? ''),
      required(labelWidths[index]),
      style,
      language,
    ),
  )
  const others = ranges.filter((_, index) => index !== flexible)
  const { wanted, least, unbroken } = required(ranges[flexible])
  const readable = Math.min(wanted, inner * READABLE_SHARE)
  const isShort = total(others.map((range) => range.wanted)) + readable > inner
  const natural = ranges.map((range, index) => {
    const isText = required(columns[index]).align === 'start'
    return isText && isShort
      ? Math.min(range.wanted, Math.max(range.least, inner * MAX_TEXT_SHARE))
      : range.wanted
  })
  const taken = total(natural.filter((_, index) => index !== flexible))
  const figures = Math.min(Math.max(unbroken, noteWidth), inner * MAX_FIGURE_SHARE)
  const most = inner - Math.max(figures, Math.min(least, inner * MIN_FLEXIBLE_SHARE))
  const scale = taken > most ? most / taken : 1
  let x = inset
  const placed = columns.map(({ align }, index) => {
    const wide = index === flexible ? inner - taken * scale : required(natural[index]) * scale
    const column = { x, width: wide, align, tail: scale < 1 ? null : required(ranges[index]).tail }
    x += wide + gap
    return column
  })
  return { columns: placed, isTight: scale < 1 }
}

const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)

/** Returns a box for each line of a text in its column; decimal signs are aligned. */
export function cellLines(
  text: string,
  { width, align, tail }: GridColumn,
  style: TextStyle,
  language: ViewLanguage,
  of: Part | null,
): Box[] {
  const one = (line: TextLine, wide: number): Box => linesBox([line], style, wide, { part: of, align })
  const figure = tail === null ? null : splitFigure(text, language)
  if (!figure) return wrapText(text, style, width).map((line) => one(line, width))
  const line = inOneLine(text)
  const over = Math.max(0, required(tail) - textWidth(figure.tail, style))
  const wide = textWidth(line, style)
  return [one({ text: line, width: wide }, Math.max(wide, width - over))]
}
