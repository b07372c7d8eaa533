/** Reads the text layer of a PDF page. */
import './fixed-length.ts'
import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf'
import type { Page, Word } from '../material.ts'
import { rowsOf, type TextFragment } from './text-rows.ts'

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>

type Matrix = readonly number[]

/** Returns the product of two matrices, in the order of PDF. */
const multiply = (m: Matrix, n: Matrix): number[] => {
  const [a, b, c, d, e, f] = m as [number, number, number, number, number, number]
  const [g, h, i, j, k, l] = n as [number, number, number, number, number, number]
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Returns the position of a point on a sheet of this size after undoing its clockwise quarter turns. */
function rotatedPoint({ x, y }: Point, turns: number, width: number, height: number): Point {
  if (turns === 1) return { x: y, y: width - x }
  if (turns === 2) return { x: width - x, y: height - y }
  if (turns === 3) return { x: height - y, y: x }
  return { x, y }
}

interface Run {
  readonly text: string
  /** Start of the baseline, on the page as displayed. */
  readonly at: Point
  readonly width: number
  readonly size: number
  /** Direction of the text, in clockwise quarter turns. */
  readonly turns: number
}

/** Maximum angle of text, in radians. Text at a larger angle is a watermark. */
const LEANING = Math.PI / 36

function runsOf(items: readonly unknown[], transform: Matrix): Run[] {
  const runs: Run[] = []
  for (const item of items as { str?: string; transform: Matrix; width: number }[]) {
    if (!item.str?.trim()) continue
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = multiply(transform, item.transform)
    const angle = Math.atan2(b, a)
    const quarter = Math.round(angle / (Math.PI / 2))
    if (Math.abs(angle - (quarter * Math.PI) / 2) > LEANING) continue
    const size = Math.hypot(c, d)
    runs.push({ text: item.str, at: { x, y }, width: item.width, size, turns: (quarter + 4) % 4 })
  }
  return runs
}

/** Yields the words of a run. Estimates their positions from the number of characters before them. */
function* fragmentsOf({ text, width, size }: Run, { x, y }: Point): Generator<TextFragment> {
  const each = width / text.length
  for (const { 0: word, index } of text.matchAll(/\S+/g))
    yield {
      text: word,
      left: x + index * each,
      right: x + (index + word.length) * each,
      baseline: y,
      size,
      opens: index === 0,
      closes: index + word.length === text.length,
    }
}

const lettersOf = (runs: readonly Run[]): number =>
  runs.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0)

/** Minimum number of letters in the text layer of a page. With fewer, the page is a scan with a stamp. */
export const LEAST_LETTERS = 30

/** Text rendering mode for invisible text. */
const INVISIBLE = 3

/**
 * Whether most letters of a page are invisible, because a scanner added its OCR text under the picture. That text is as
 * uncertain as any OCR.
 */
async function isTextHidden(page: PdfPage): Promise<boolean> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const ways: number[] = []
  let way = 0
  const shown = { seen: 0, hidden: 0 }
  fnArray.forEach((operator, at) => {
    const [argument] = argsArray[at] ?? []
    if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) ways.push(way)
    if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) way = ways.pop() ?? 0
    if (operator === OPS.setTextRenderingMode) way = argument
    if (operator === OPS.showText) shown[way === INVISIBLE ? 'hidden' : 'seen'] += argument.length
  })
  return shown.hidden > shown.seen
}

/**
 * Returns the rows of a page, upright in the direction of most of its text. Text in other directions, such as the
 * company register entry in the margin, comes last. Null if the page is a picture.
 */
export async function pageOfTextLayer(page: PdfPage): Promise<Page | null> {
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  const runs = runsOf(items, transform)
  if (lettersOf(runs) < LEAST_LETTERS || (await isTextHidden(page))) return null
  const ways = [0, 1, 2, 3].map((turns) => runs.filter((run) => run.turns === turns))
  const main = ways.reduce(
    (most, way, turns) => (lettersOf(way) > lettersOf(ways[most] ?? []) ? turns : most),
    0,
  )
  const rowsOfWay = (turns: number) =>
    rowsOf(
      (ways[turns] ?? []).flatMap((run) => [...fragmentsOf(run, rotatedPoint(run.at, turns, width, height))]),
    )
  const sideways = (main & 1) === 1
  const asDisplayed = (word: Word, turns: number): Word => {
    const [w, h] = (turns & 1) === 1 ? [height, width] : [width, height]
    const shown = (place: Point) =>
      rotatedPoint(rotatedPoint(place, (4 - turns) % 4, w, h), main, width, height)
    const one = shown({ x: word.left, y: word.top })
    const other = shown({ x: word.right, y: word.bottom })
    return {
      text: word.text,
      left: Math.min(one.x, other.x),
      right: Math.max(one.x, other.x),
      top: Math.min(one.y, other.y),
      bottom: Math.max(one.y, other.y),
    }
  }
  const others = [0, 1, 2, 3]
    .filter((turns) => turns !== main)
    .flatMap((turns) =>
      rowsOfWay(turns).map(({ text, words }) => ({
        text,
        words: words.map((word) => asDisplayed(word, turns)),
      })),
    )
  return {
    width: sideways ? height : width,
    height: sideways ? width : height,
    rows: [...rowsOfWay(main), ...others],
    source: 'text',
  }
}
