/** Converts a sheet of the corpus to recognised material without a PDF, which is fast enough for property tests. */
import type { Material, Page, Row, Word } from '../../src/recognition/index.ts'
import type { Sheet, TextMark } from './corpus/sheet.ts'

/** Average width of a letter, as a share of its height. */
const WIDTH = 0.5

function wordsOf({ text, x, y, size, align }: TextMark): Word[] {
  const step = size * WIDTH
  const start = align === 'left' ? x : x - text.length * step
  let at = 0
  return text.split(' ').flatMap((word) => {
    const left = start + at * step
    at += word.length + 1
    return word === ''
      ? []
      : [{ text: word, left, top: y - size * 0.8, right: left + word.length * step, bottom: y + size * 0.2 }]
  })
}

const rowOf = (words: readonly Word[]): Row => ({ words, text: words.map(({ text }) => text).join(' ') })

/** Groups the words of a line into a row, as the reader does. */
function rowsOf(texts: readonly TextMark[]): Row[] {
  const lines = new Map<number, TextMark[]>()
  for (const mark of texts) lines.set(mark.y, [...(lines.get(mark.y) ?? []), mark])
  return [...lines]
    .sort(([a], [b]) => a - b)
    .map(([, marks]) => rowOf(marks.flatMap(wordsOf).sort((a, b) => a.left - b.left)))
}

/** Returns the material for a sheet, with `misread` applied to each word. */
export function materialOf(
  { width, height, pages }: Sheet,
  source: Page['source'],
  codes: readonly string[] = [],
  misread: (text: string) => string = (text) => text,
): Material {
  return {
    kind: source === 'ocr' ? 'png' : 'pdf',
    pages: pages.map(({ texts }) => ({
      width,
      height,
      source,
      rows: rowsOf(texts).map(({ words }) =>
        rowOf(words.map((word) => ({ ...word, text: misread(word.text) }))),
      ),
    })),
    xml: null,
    codes,
  }
}
