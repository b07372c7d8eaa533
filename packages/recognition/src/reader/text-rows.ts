/** Groups words into lines of print. */
import type { Row, Word } from '../material.ts'

/** A fragment of text without blanks. Positions are in points, from the top left corner of the page. */
export interface TextFragment {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  /** Font size. */
  readonly size: number
  /** Whether the fragment may be part of the same word as the fragment to its left (`opens`), or right (`closes`). */
  readonly opens: boolean
  readonly closes: boolean
}

/** Shares of the font size above and below the baseline. */
const ABOVE = 0.8
const BELOW = 0.2
/** Maximum distances, as shares of the font size: between baselines of a row, fragments of a word, and duplicates. */
const SAME_ROW = 1 / 3
const SAME_WORD = 0.15
const SAME_PLACE = 0.12
/** Maximum gap between spaced letters, as a share of the font size. */
const MOST_GAP = 1
/** How much larger the gap between words of spaced letters is, as a share of the font size. */
export const WORD_GAP = 0.2

const boxOf = ({ text, left, right, baseline, size }: TextFragment): Word => ({
  text,
  left,
  right,
  top: baseline - ABOVE * size,
  bottom: baseline + BELOW * size,
})

const joined = (one: TextFragment, other: TextFragment): TextFragment => ({
  ...one,
  text: one.text + other.text,
  right: Math.max(one.right, other.right),
  size: Math.max(one.size, other.size),
  closes: other.closes,
})

/** Whether one fragment duplicates the other with a tiny shift, as some programs imitate bold text. */
const isShadow = (one: TextFragment, other: TextFragment): boolean =>
  one.text === other.text &&
  Math.abs(one.left - other.left) < SAME_PLACE * one.size &&
  Math.abs(one.baseline - other.baseline) < SAME_PLACE * one.size

/** Joins single letters if four or more follow one another, as in T O T A L. */
function withJoinedLetters(words: readonly TextFragment[]): TextFragment[] {
  const isLetter = (word: TextFragment | undefined) => /^\p{L}$/u.test(word?.text ?? '')
  /** Distances of each letter from the letter to its left: the gap, and that of their left edges. */
  const distances = words.map((word, at) => {
    const last = words[at - 1]
    if (!last || !isLetter(last) || !isLetter(word)) return [Number.POSITIVE_INFINITY, 0] as const
    const size = Math.min(last.size, word.size)
    return [(word.left - last.right) / size, (word.left - last.left) / size] as const
  })
  const letters = distances.filter(([gap]) => gap < MOST_GAP)
  const least = ([0, 1] as const).map((side) => Math.min(...letters.map((one) => one[side])) + WORD_GAP)
  const isInWord = (distance: readonly number[]) => distance.some((one, side) => one < (least[side] ?? 0))
  const marks = distances.map((one) => (one[0] >= MOST_GAP ? '|' : isInWord(one) ? '+' : '-')).join('')
  const sequences = [...marks.matchAll(/\|[+-]*/g)].flatMap(({ 0: found, index }) =>
    found.includes('+++')
      ? [...found.matchAll(/.\+*/g)].map(({ 0: word, index: at }) => [index + at, word.length] as const)
      : Array.from(found, (_, at) => [index + at, 1] as const),
  )
  return sequences.map(([start, length]) =>
    words.slice(start, start + length).reduce((one, other) => joined(one, other)),
  )
}

function wordsOf(fragments: readonly TextFragment[]): Word[] {
  const words: TextFragment[] = []
  for (const fragment of [...fragments].sort((a, b) => a.left - b.left)) {
    const last = words.at(-1)
    if (last && isShadow(last, fragment)) continue
    const near = last && fragment.left - last.right < SAME_WORD * Math.min(last.size, fragment.size)
    if (last?.closes && fragment.opens && near) words[words.length - 1] = joined(last, fragment)
    else words.push(fragment)
  }
  return withJoinedLetters(words).map(boxOf)
}

/** Returns the rows from top to bottom. Fragments may be in any order. */
export function rowsOf(fragments: readonly TextFragment[]): Row[] {
  const groups: { baseline: number; size: number; fragments: TextFragment[] }[] = []
  for (const fragment of [...fragments].sort((a, b) => a.baseline - b.baseline)) {
    const group = groups.at(-1)
    const isNear =
      group && fragment.baseline - group.baseline < SAME_ROW * Math.min(group.size, fragment.size)
    if (!isNear) {
      groups.push({ baseline: fragment.baseline, size: fragment.size, fragments: [fragment] })
      continue
    }
    group.fragments.push(fragment)
    // The largest letters determine the baseline.
    if (fragment.size > group.size) Object.assign(group, { baseline: fragment.baseline, size: fragment.size })
  }
  return groups.map((group) => {
    const words = wordsOf(group.fragments)
    return { words, text: words.map(({ text }) => text).join(' ') }
  })
}
