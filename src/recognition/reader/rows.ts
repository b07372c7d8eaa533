/** Groups words into lines of print. */
import type { Row, Word } from '../material.ts'

/** A piece of text without blanks. Lengths are in points, from the top left corner of the page. */
export interface Piece {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  /** Font size. */
  readonly size: number
  /** Whether it may continue in the piece to its left or right: a change of font or of spacing splits words. */
  readonly opens: boolean
  readonly closes: boolean
}

/** Shares of the font size above and below the baseline. */
const ABOVE = 0.8
const BELOW = 0.2
/** Shares of the font size: distance of baselines in one row, of pieces of one word, and of duplicates. */
const SAME_ROW = 1 / 3
const SAME_WORD = 0.15
const SAME_PLACE = 0.12

const boxOf = ({ text, left, right, baseline, size }: Piece): Word => ({
  text,
  left,
  right,
  top: baseline - ABOVE * size,
  bottom: baseline + BELOW * size,
})

const joined = (one: Piece, other: Piece): Piece => ({
  ...one,
  text: one.text + other.text,
  right: Math.max(one.right, other.right),
  size: Math.max(one.size, other.size),
  closes: other.closes,
})

/** Whether one piece duplicates the other with a tiny shift, as some programs imitate bold text. */
const isShadow = (one: Piece, other: Piece): boolean =>
  one.text === other.text &&
  Math.abs(one.left - other.left) < SAME_PLACE * one.size &&
  Math.abs(one.baseline - other.baseline) < SAME_PLACE * one.size

function wordsOf(pieces: readonly Piece[]): Word[] {
  const words: Piece[] = []
  for (const piece of [...pieces].sort((a, b) => a.left - b.left)) {
    const last = words.at(-1)
    if (last && isShadow(last, piece)) continue
    const near = last && piece.left - last.right < SAME_WORD * Math.min(last.size, piece.size)
    if (last?.closes && piece.opens && near) words[words.length - 1] = joined(last, piece)
    else words.push(piece)
  }
  return words.map(boxOf)
}

/** Returns the rows from top to bottom. Pieces may be in any order. */
export function rowsOf(pieces: readonly Piece[]): Row[] {
  const groups: { baseline: number; size: number; pieces: Piece[] }[] = []
  for (const piece of [...pieces].sort((a, b) => a.baseline - b.baseline)) {
    const group = groups.at(-1)
    const isNear = group && piece.baseline - group.baseline < SAME_ROW * Math.min(group.size, piece.size)
    if (!isNear) {
      groups.push({ baseline: piece.baseline, size: piece.size, pieces: [piece] })
      continue
    }
    group.pieces.push(piece)
    // The largest letters determine the baseline.
    if (piece.size > group.size) Object.assign(group, { baseline: piece.baseline, size: piece.size })
  }
  return groups.map((group) => {
    const words = wordsOf(group.pieces)
    return { words, text: words.map(({ text }) => text).join(' ') }
  })
}
