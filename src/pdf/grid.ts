/** Columns of a table: their widths, and the alignment of decimal signs. */
import { required } from '../errors/index.ts'
import type { ColumnView, ViewLanguage } from '../view/model.ts'
import { type Align, type Box, linesBox, type Part } from './box.ts'
import { naturalWidth, type TextLine, type TextStyle, textWidth, wrapText } from './measure.ts'
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
  /** Width for everything in one line, and minimum width. */
  readonly wanted: number
  readonly least: number
  readonly tail: number | null
}

/** Maximum share of the table for a text column other than the widest. */
const MAX_TEXT_SHARE = 0.2
/** Minimum share of the widest column. */
const MIN_FLEXIBLE_SHARE = 0.34

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
  const seen = new Set<string>()
  for (const cell of cells) {
    if (seen.has(cell)) continue
    seen.add(cell)
    const natural = naturalWidth(cell, style)
    whole = Math.max(whole, natural.whole)
    word = Math.max(word, natural.word)
    const figure = align === 'end' ? splitFigure(cell, language) : null
    if (!figure) continue
    head = Math.max(head, textWidth(figure.head, style))
    tail = Math.max(tail, textWidth(figure.tail, style))
  }
  const wanted = Math.max(whole, head + tail)
  return { wanted, least: align === 'end' ? wanted : word, tail: align === 'end' && head > 0 ? tail : null }
}

/**
 * Returns the columns of a table of `width`. The column `flexible` takes the remaining width. If too little remains,
 * the other columns shrink and their texts wrap.
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
  readonly language: ViewLanguage
}): GridColumn[] {
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
  const wanted = ranges.reduce((sum, each) => sum + each.wanted, 0)
  const others = ranges.map((range, index) => {
    if (index === flexible) return 0
    // Text columns wrap only if the widest column needs the space.
    const isText = required(columns[index]).align === 'start' && wanted > inner
    return isText ? Math.min(range.wanted, Math.max(range.least, inner * MAX_TEXT_SHARE)) : range.wanted
  })
  const taken = others.reduce((sum, each) => sum + each, 0)
  const most = inner * (1 - MIN_FLEXIBLE_SHARE)
  const scale = taken > most ? most / taken : 1
  const widths = others.map((each, index) =>
    index === flexible ? inner - Math.min(taken, most) : each * scale,
  )
  let x = inset
  return columns.map(({ align }, index) => {
    const column = {
      x,
      width: required(widths[index]),
      align,
      tail: scale < 1 ? null : required(ranges[index]).tail,
    }
    x += required(widths[index]) + gap
    return column
  })
}

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
