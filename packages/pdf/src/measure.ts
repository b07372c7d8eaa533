/** Measures words, and breaks text into lines. */
import { required } from '#core/errors/index.ts'
import { type FontStyle, inOneLine, linesIn, textRunsOf, textRunWidth } from './runs.ts'

/** Style of a text; lengths in points. */
export interface TextStyle extends FontStyle {
  readonly size: number
  /** Distance between baselines. */
  readonly leading: number
  readonly color: string
}

export interface TextLine {
  readonly text: string
  readonly width: number
}

const MAX_CACHED_WIDTHS = 20_000
const MAX_CACHED_LENGTH = 40
const widths = new Map<string, number>()

/** Returns the width of a word at a size of one point. */
function wordWidth(word: string, fontStyle: FontStyle): number {
  const key = `${fontStyle.family} ${fontStyle.weight} ${fontStyle.figures} ${word}`
  const known = widths.get(key)
  if (known !== undefined) return known
  const width = textRunsOf(word, fontStyle).reduce((sum, run) => sum + textRunWidth(run, fontStyle), 0)
  if (word.length > MAX_CACHED_LENGTH) return width
  if (widths.size >= MAX_CACHED_WIDTHS) widths.clear()
  widths.set(key, width)
  return width
}

/** Returns the width of a text in one line. */
export function textWidth(text: string, style: TextStyle): number {
  let width = 0
  for (const part of text.match(/ +|[^ ]+/g) ?? []) width += wordWidth(part, style)
  return width * style.size
}

/** Tolerated rounding difference of sums of widths. */
const TOLERANCE = 0.01

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' })
/** Characters after which a long word is preferably broken. */
const BREAK_AFTER = /[-/\\_.,:;@&=+]$/

/** Cuts a word that is wider than the line into pieces that fit. */
function piecesOf(word: string, width: number, style: TextStyle): string[] {
  const pieces: string[] = []
  let letters: string[] = []
  let filled = 0
  let seam = 0
  for (const { segment } of graphemes.segment(word)) {
    const wide = wordWidth(segment, style) * style.size
    if (letters.length > 0 && filled + wide > width) {
      // Cuts after a separator only if the line is then at least half full.
      const cut = seam * 2 > letters.length ? seam : letters.length
      pieces.push(letters.slice(0, cut).join(''))
      letters = letters.slice(cut)
      filled = letters.reduce((sum, letter) => sum + wordWidth(letter, style) * style.size, 0)
      seam = 0
    }
    letters.push(segment)
    filled += wide
    if (BREAK_AFTER.test(segment)) seam = letters.length
  }
  return [...pieces, letters.join('')]
}

/** Maximum number of characters of a word that is measured. A longer word is cut without measuring it. */
const MAX_MEASURED_WORD = 400

/** Matches an IBAN in groups or a figure with its unit as one word, and any other word. */
const WORD =
  /[A-Z]{2}\d{2}(?: [A-Z\d]{4}){2,7}(?: [A-Z\d]{1,4})?(?![^ ])|[^ ]*\d [€%](?![^ )\].,:;])[^ ]*|[^ ]+/g

const wordsIn = (line: string): readonly string[] => line.match(WORD) ?? []

function wordsOf(line: string, width: number, style: TextStyle): string[] {
  return wordsIn(line).flatMap((word) =>
    word.length > MAX_MEASURED_WORD || textWidth(word, style) > width ? piecesOf(word, width, style) : [word],
  )
}

/** Breaks text into lines no wider than `maxWidth`; at least one line. */
export function wrapText(text: string, style: TextStyle, maxWidth: number): TextLine[] {
  const width = maxWidth + TOLERANCE
  const lines: TextLine[] = []
  const blank = textWidth(' ', style)
  for (const line of linesIn(text)) {
    let current: { text: string; width: number } | null = null
    for (const word of wordsOf(line, width, style)) {
      const wide = textWidth(word, style)
      if (current && current.width + blank + wide <= width) {
        current.text += ` ${word}`
        current.width += blank + wide
      } else {
        current = { text: word, width: wide }
        lines.push(current)
      }
    }
    // Empty lines between lines of a note are kept.
    if (!current && lines.length > 0) lines.push({ text: '', width: 0 })
  }
  while (lines.length > 1 && required(lines.at(-1)).text === '') lines.pop()
  return lines.length > 0 ? lines : [{ text: '', width: 0 }]
}

/** Breaks text into as many lines as `wrapText`, but with similar lengths. */
export function wrapEvenly(text: string, style: TextStyle, maxWidth: number): TextLine[] {
  let lines = wrapText(text, style, maxWidth)
  const count = lines.length
  for (let narrower = maxWidth - style.size / 2; narrower > maxWidth / 2; narrower -= style.size / 2) {
    const next = wrapText(text, style, narrower)
    if (next.length > count) break
    lines = next
  }
  return lines
}

/** Returns the width of a text in one line, and of its widest word. */
export function naturalWidth(text: string, style: TextStyle): { whole: number; word: number } {
  const line = inOneLine(text)
  return {
    whole: textWidth(line, style),
    word: Math.max(0, ...wordsIn(line).map((word) => textWidth(word, style))),
  }
}

/** Matches a word that contains an amount, a percentage, a date or an account number. */
const FIGURE_WORD = /\d[.,/]\d|\d [€%A-Z\d]/

/** Returns the width of the widest figure in a text. */
export const figureWidth = (text: string, style: TextStyle): number =>
  Math.max(
    0,
    ...wordsIn(inOneLine(text))
      .filter((word) => FIGURE_WORD.test(word))
      .map((word) => textWidth(word, style)),
  )
