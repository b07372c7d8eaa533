/** Converts a sheet of the corpus to recognised material without a PDF, which is fast enough for property tests. */
import type { FileContent, Page, Row, Word } from '../src/index.ts'
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
): FileContent {
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

const [ROW, LETTER, COLUMN] = [14, 5, 170]

/** Returns a page of rows whose cells are separated by `|`. A row that begins with `#` is a title in large type. */
export function printed(lines: readonly string[], codes: readonly string[] = []): FileContent {
  const rows = lines.map((line, row) => {
    const words = line.split('|').flatMap((cell, column): Word[] => {
      let left = 40 + column * COLUMN
      const [top, height] = [40 + row * ROW, cell.startsWith('#') ? 18 : 10]
      return cell
        .replace('#', '')
        .split(' ')
        .filter(Boolean)
        .map((text) => {
          const right = left + text.length * LETTER
          const word = { text, left, right, top, bottom: top + height }
          left = right + 3
          return word
        })
    })
    return { words, text: words.map(({ text }) => text).join(' ') }
  })
  return { kind: 'pdf', pages: [{ width: 595, height: 842, rows, source: 'text' }], xml: null, codes }
}
