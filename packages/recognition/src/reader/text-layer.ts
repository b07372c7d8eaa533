/** Reads the text layer of a PDF page. */
import './fixed-length.ts'
import type { Page, Word } from '../material.ts'
import { glyphsOf, type Matrix, multiply, type PdfPage, type Point } from './glyphs.ts'
import { type TextItem, withoutLetterSpacing } from './letter-spacing.ts'
import { rowsOf, type TextFragment } from './text-rows.ts'

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
  /** Clockwise angle of the text, in radians. */
  readonly angle: number
  /** The angle in quarter turns; `null` if it is another one. */
  readonly turns: number | null
}

/** Maximum angle between text and a quarter turn, in radians. Text at a larger angle is a mark. */
const LEANING = Math.PI / 36

function runsOf(items: readonly TextItem[], transform: Matrix): Run[] {
  const runs: Run[] = []
  for (const item of items) {
    if (!item.str.trim()) continue
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = multiply(transform, item.transform)
    const angle = Math.atan2(b, a)
    const quarter = Math.round(angle / (Math.PI / 2))
    const isSlanted = Math.abs(angle - (quarter * Math.PI) / 2) > LEANING
    const turns = isSlanted ? null : (quarter + 4) % 4
    runs.push({ text: item.str, at: { x, y }, width: item.width, size: Math.hypot(c, d), angle, turns })
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

/** Returns the lines of text at other angles than quarter turns. */
function marksOf(runs: readonly Run[]): string[] {
  const angles = new Map<number, TextFragment[]>()
  for (const run of runs.filter(({ turns }) => turns === null)) {
    const [cos, sin] = [Math.cos(run.angle), Math.sin(run.angle)]
    const { x, y } = run.at
    const degrees = Math.round((run.angle * 180) / Math.PI)
    const fragments = angles.get(degrees) ?? []
    fragments.push(...fragmentsOf(run, { x: x * cos + y * sin, y: y * cos - x * sin }))
    angles.set(degrees, fragments)
  }
  return [...angles.values()]
    .flatMap((fragments) => rowsOf(fragments))
    .map(({ text }) => (/^\S( \S)+$/.test(text) ? text.replaceAll(' ', '') : text))
}

const lettersOf = (runs: readonly Run[]): number =>
  runs.reduce((sum, { text }) => sum + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0)

/** Minimum number of letters in the text layer of a page. With fewer, the page is a scan with a stamp. */
export const LEAST_LETTERS = 30

export interface TextLayer {
  /** `null` if the page is a picture. */
  readonly page: Page | null
  readonly marks: readonly string[]
}

export async function textLayerOf(page: PdfPage): Promise<TextLayer> {
  const viewport = page.getViewport({ scale: 1 })
  const { items } = (await page.getTextContent()) as { items: TextItem[] }
  const runs = runsOf(items, viewport.transform)
  if (lettersOf(runs.filter(({ turns }) => turns !== null)) < LEAST_LETTERS)
    return { page: null, marks: marksOf(runs) }
  const glyphs = await glyphsOf(page)
  // Invisible text is that of a scanner, which added its OCR under the picture. It is as uncertain as any OCR.
  if (glyphs.filter(({ isHidden }) => isHidden).length > glyphs.length / 2) return { page: null, marks: [] }
  const words = runsOf(withoutLetterSpacing(items, glyphs), viewport.transform)
  return { page: pageOf(words, viewport), marks: marksOf(words) }
}

/**
 * Returns the rows of a page, upright in the direction of most of its text. Text in other directions, such as the
 * company register entry in the margin, comes last.
 */
function pageOf(runs: readonly Run[], { width, height }: { width: number; height: number }): Page {
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
