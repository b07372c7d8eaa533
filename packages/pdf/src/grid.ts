/** Columns of a table: their widths, and the alignment of decimal signs. */
import { required } from '#core/errors/index.ts'
import type { ColumnView, ViewLanguage } from '#view/index.ts'
import { type Align, type Box, linesBox, type StructureElement } from './box.ts'
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

/** Splits a figure at its decimal sign; the sign is in `tail`. Returns null for a text that is not a figure. */
export function splitFigure(text: string, language: ViewLanguage): { head: string; tail: string } | null {
  const match = FIGURE[language === 'en' ? 'en' : 'es'].exec(inOneLine(text))
  return match ? { head: required(match[1]), tail: required(match[2]) } : null
}

/** Widths that the texts of a column need, at the font size of its text style. */
export interface WidthRange {
  /** Width of the longest text in one line (`whole`), and of the longest word (`word`). */
  readonly whole: number
  readonly word: number
  /** Width below which figures or account numbers in a text would be broken. */
  readonly unbroken: number
  /** Widths before and after the decimal sign, for a column of figures. */
  readonly head: number
  readonly tail: number
}

/** Maximum share of the table for each text column other than `flexible`, if `flexible` needs the space. */
const MAX_TEXT_SHARE = 0.2
/** Share of the table at which the text of the column `flexible` is still easy to read. */
const READABLE_SHARE = 0.34
/** Maximum share of the table reserved for the longest word of the column `flexible`. */
const MAX_WORD_SHARE = 0.3

/** Maximum share of the table reserved for figures in the text of the column `flexible`. */
const MAX_FIGURE_SHARE = 0.6

export interface Grid {
  readonly columns: readonly GridColumn[]
  /** Whether figures do not fit, so that they are broken over several lines. */
  readonly isTight: boolean
}

/** Returns the widths that each column needs for its cells. */
export const columnWidthRangesOf = (
  columns: readonly ColumnView[],
  rows: readonly (readonly string[])[],
  style: TextStyle,
  language: ViewLanguage,
): WidthRange[] =>
  columns.map(({ align }, index) => {
    const range = { whole: 0, word: 0, unbroken: 0, head: 0, tail: 0 }
    for (const cell of new Set(rows.map((row) => row[index] ?? ''))) {
      const natural = naturalWidth(cell, style)
      range.whole = Math.max(range.whole, natural.whole)
      range.word = Math.max(range.word, natural.word)
      if (align === 'start') range.unbroken = Math.max(range.unbroken, figureWidth(cell, style))
      const figure = align === 'end' ? splitFigure(cell, language) : null
      if (!figure) continue
      range.head = Math.max(range.head, textWidth(figure.head, style))
      range.tail = Math.max(range.tail, textWidth(figure.tail, style))
    }
    return range
  })

/**
 * Returns the columns of a table of `width`. Columns of figures are as wide as their figures, and the column `flexible`
 * gets the remaining width. If too little remains, columns of text shrink and wrap. A label is in one line if the
 * remaining width allows it.
 */
export function gridOf({
  columns,
  ranges,
  by,
  width,
  gap,
  inset,
  flexible,
  labelWidths,
  noteWidth,
}: {
  readonly columns: readonly ColumnView[]
  readonly ranges: readonly WidthRange[]
  /** Factor for `ranges`: the font size relative to the size at which they were measured. */
  readonly by: number
  readonly width: number
  readonly gap: number
  readonly inset: number
  readonly flexible: number
  readonly labelWidths: readonly { whole: number; word: number }[]
  /** Width that the figures of notes below the column `flexible` need. */
  readonly noteWidth: number
}): Grid {
  const inner = width - 2 * inset - gap * (columns.length - 1)
  const needs = ranges.map(({ whole, word, unbroken, head, tail }, index) => {
    const label = required(labelWidths[index]).word
    const wanted = Math.max(label, by * Math.max(whole, head + tail))
    const isFigure = required(columns[index]).align === 'end'
    return isFigure
      ? { wanted, least: wanted, unbroken: wanted, tail: head > 0 ? by * tail : null }
      : { wanted, least: Math.max(label, by * word), unbroken: by * unbroken, tail: null }
  })
  const others = <T>(values: readonly T[]): T[] => values.filter((_, index) => index !== flexible)
  const { wanted, least, unbroken } = required(needs[flexible])
  const readable = Math.min(wanted, inner * READABLE_SHARE)
  const isShort = total(others(needs).map((range) => range.wanted)) + readable > inner
  const natural = needs.map((range, index) =>
    required(columns[index]).align === 'start' && isShort
      ? Math.min(range.wanted, Math.max(range.least, inner * MAX_TEXT_SHARE))
      : range.wanted,
  )
  const figures = Math.min(Math.max(unbroken, noteWidth), inner * MAX_FIGURE_SHARE)
  const most = inner - Math.max(figures, Math.min(least, inner * MAX_WORD_SHARE))
  let free = inner - total(natural)
  natural.forEach((each, index) => {
    const more = required(labelWidths[index]).whole - each
    if (index === flexible || more <= 0 || more > free) return
    natural[index] = each + more
    free -= more
  })
  const taken = total(others(natural))
  const scale = taken > most ? most / taken : 1
  let x = inset
  const placed = columns.map(({ align }, index) => {
    const wide = index === flexible ? inner - taken * scale : required(natural[index]) * scale
    const column = { x, width: wide, align, tail: scale < 1 ? null : required(needs[index]).tail }
    x += wide + gap
    return column
  })
  return { columns: placed, isTight: scale < 1 }
}

const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0)

/** Returns a box for each text line of a cell. Decimal signs are aligned. */
export function cellLines(
  text: string,
  { width, align, tail }: GridColumn,
  style: TextStyle,
  language: ViewLanguage,
  of: StructureElement | null,
): Box[] {
  const one = (line: TextLine, wide: number): Box => linesBox([line], style, wide, { part: of, align })
  const figure = tail === null ? null : splitFigure(text, language)
  if (!figure) return wrapText(text, style, width).map((line) => one(line, width))
  const line = inOneLine(text)
  const over = Math.max(0, required(tail) - textWidth(figure.tail, style))
  const wide = textWidth(line, style)
  return [one({ text: line, width: wide }, Math.max(wide, width - over))]
}
