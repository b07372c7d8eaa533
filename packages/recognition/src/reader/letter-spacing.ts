/** Finds the words of text that is printed with space between all letters. */
import type { Glyph, Point } from './glyphs.ts'
import { WORD_GAP } from './text-rows.ts'

/** A text of the PDF library, which takes wide gaps between letters for blanks. */
export interface TextItem {
  readonly str: string
  readonly transform: readonly number[]
  readonly width: number
}

/** Minimum gap between spaced letters, as a share of the font size. */
const LEAST_GAP = 0.03
/** Minimum number of letters of a spaced text on a page whose other text is not spaced. */
const LEAST_LETTERS = 4
/** Maximum number of letters between two texts that the library omits or returns in another order. */
const WINDOW = 500

const compact = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '')

/** Whether more than this share of the words have one or two letters. */
const isMostlyShort = (text: string, share: number): boolean => {
  const words = text.split(/\s+/).filter(Boolean)
  return words.filter(({ length }) => length <= 2).length > share * words.length
}

/** Returns the words of a text by the gaps between its glyphs; the text itself if its letters are not spaced. */
function wordsOf(item: TextItem, glyphs: readonly Glyph[], isSpacedPage: boolean): TextItem[] {
  const [a = 0, b = 0, c = 0, d = 0] = item.transform
  const along = (from: Point, to: Point) => ((to.x - from.x) * a + (to.y - from.y) * b) / Math.hypot(a, b)
  const gaps = glyphs.map(({ from }, at) => along(glyphs[at - 1]?.to ?? from, from) / Math.hypot(c, d))
  // If there are blanks between all letters, each letter is a word, and `rowsOf` joins them.
  const inside = gaps.filter((_, at) => at > 0 && !glyphs[at]?.isAfterBlank).sort((one, other) => one - other)
  const usual = inside[inside.length >> 1] ?? 0
  if (!isSpacedPage && inside.length > 0 && usual <= LEAST_GAP) return [item]
  const starts = gaps.flatMap((gap, at) =>
    at === 0 || glyphs[at]?.isAfterBlank || gap > usual + WORD_GAP ? [at] : [],
  )
  return starts.map((start, at) => {
    const word = glyphs.slice(start, starts[at + 1])
    const [from, to] = [word[0]?.from ?? { x: 0, y: 0 }, word.at(-1)?.to ?? { x: 0, y: 0 }]
    const str = word.map(({ text }) => text).join('')
    return { str, transform: [a, b, c, d, from.x, from.y], width: along(from, to) }
  })
}

/** Returns the texts of a page, with one text for each word whose letters are spaced. */
export function withoutLetterSpacing(items: readonly TextItem[], glyphs: readonly Glyph[]): TextItem[] {
  const isSpacedPage = isMostlyShort(items.map(({ str }) => str).join(' '), 0.5)
  const drawn = glyphs.map(({ text }) => compact(text))
  const all = drawn.join('')
  /** For each character of `all`, its glyph. */
  const owners = drawn.flatMap((text, at) => Array.from(text, () => at))
  let position = 0
  return items.flatMap((item) => {
    const text = compact(item.str)
    const at = text ? all.slice(position, position + WINDOW + text.length).indexOf(text) : -1
    if (at < 0) return [item]
    const start = position + at
    position = start + text.length
    const isSpaced =
      isMostlyShort(item.str, 0.75) && (item.str.match(/\p{L}/gu)?.length ?? 0) >= LEAST_LETTERS
    return isSpacedPage || isSpaced
      ? wordsOf(item, glyphs.slice(owners[start], (owners[position - 1] ?? 0) + 1), isSpacedPage)
      : [item]
  })
}
