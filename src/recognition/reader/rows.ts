/** Words put together to lines of print. */
import type { Row, Word } from '../material.ts'

/** A piece of text without blanks. All lengths are in points, from the upper left corner of the page. */
export interface Piece {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  /** Of the font. */
  readonly size: number
  /** Whether it may go on in the piece beside it: a change of font or a correction of distance divides words. */
  readonly opens: boolean
  readonly closes: boolean
}

/** How much of the font's size lies above and below its line. */
const ABOVE = 0.8
const BELOW = 0.2
/** Parts of the font's size: how far lines of one row differ, and how near pieces of one word are. */
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

/** Printed twice with a tiny shift, as some programs imitate bold letters. */
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

/** Rows from top to bottom. Pieces come in any order. */
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
    // The largest letters say where the line is.
    if (piece.size > group.size) Object.assign(group, { baseline: piece.baseline, size: piece.size })
  }
  return groups.map((group) => {
    const words = wordsOf(group.pieces)
    return { words, text: words.map(({ text }) => text).join(' ') }
  })
}
