/** Finds each glyph of a PDF page, with its position, from the operators that draw the page. */
import { type getDocumentProxy, getResolvedPDFJS } from 'unpdf'

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>

export type Matrix = readonly number[]

/** Returns the product of two matrices, in the order of PDF. */
export const multiply = (m: Matrix, n: Matrix): number[] => {
  const [a, b, c, d, e, f] = m as [number, number, number, number, number, number]
  const [g, h, i, j, k, l] = n as [number, number, number, number, number, number]
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** A glyph other than a blank. */
export interface Glyph {
  readonly text: string
  readonly isAfterBlank: boolean
  /** The ends of the glyph on its baseline. Wrong in a font whose glyphs are drawings (Type 3). */
  readonly from: Point
  readonly to: Point
  readonly isHidden: boolean
}

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]
/** Text rendering mode for invisible text. */
const INVISIBLE = 3

/** Returns the glyphs in the order in which they are drawn. */
export async function glyphsOf(page: PdfPage): Promise<Glyph[]> {
  const { OPS } = await getResolvedPDFJS()
  const { fnArray, argsArray } = await page.getOperatorList()
  const glyphs: Glyph[] = []
  const state = { matrix: IDENTITY, size: 0, stretch: 1, spacing: 0, wordSpacing: 0, leading: 0, mode: 0 }
  const saved: (typeof state)[] = []
  const change = (changes: Partial<typeof state>) => Object.assign(state, changes)
  const save = () => saved.push({ ...state })
  const restore = () => change(saved.pop() ?? {})
  const transform = (by: Matrix) => change({ matrix: multiply(state.matrix, by) })
  const text = { matrix: IDENTITY, x: 0, y: 0, lineX: 0, lineY: 0 }
  const startText = (matrix: Matrix) => Object.assign(text, { matrix, x: 0, y: 0, lineX: 0, lineY: 0 })
  const move = (x: number, y: number) => {
    text.x = text.lineX += x
    text.y = text.lineY += y
  }
  let isAfterBlank = false
  const show = (shown: readonly (number | { unicode: string; width: number; isSpace: boolean })[]) => {
    const { size, stretch, spacing, wordSpacing, mode } = state
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = multiply(state.matrix, text.matrix)
    const point = (x: number): Point => ({ x: a * x + c * text.y + e, y: b * x + d * text.y + f })
    for (const one of shown) {
      if (typeof one === 'number') {
        text.x -= (one * size * stretch) / 1000
        continue
      }
      const end = text.x + (one.width * size * stretch) / 1000
      const isBlank = one.unicode.trim() === ''
      if (!isBlank)
        glyphs.push({
          text: one.unicode,
          isAfterBlank,
          from: point(text.x),
          to: point(end),
          isHidden: mode === INVISIBLE,
        })
      isAfterBlank = isBlank
      text.x = end + (spacing + (one.isSpace ? wordSpacing : 0)) * stretch
    }
  }
  // biome-ignore lint/suspicious/noExplicitAny: each operator has other values
  const handlers: Record<number, (...values: any[]) => void> = {
    [OPS.save]: save,
    [OPS.restore]: restore,
    [OPS.transform]: (...matrix) => transform(matrix),
    [OPS.paintFormXObjectBegin]: (matrix) => {
      save()
      if (matrix) transform(matrix)
    },
    [OPS.paintFormXObjectEnd]: restore,
    [OPS.setFont]: (_, size) => change({ size }),
    [OPS.setHScale]: (percent) => change({ stretch: percent / 100 }),
    [OPS.setCharSpacing]: (spacing) => change({ spacing }),
    [OPS.setWordSpacing]: (wordSpacing) => change({ wordSpacing }),
    [OPS.setTextRenderingMode]: (mode) => change({ mode }),
    [OPS.setLeading]: (leading) => change({ leading }),
    [OPS.beginText]: () => startText(IDENTITY),
    [OPS.setTextMatrix]: startText,
    [OPS.moveText]: move,
    [OPS.setLeadingMoveText]: (x, y) => {
      change({ leading: -y })
      move(x, y)
    },
    [OPS.nextLine]: () => move(0, -state.leading),
    [OPS.showText]: show,
  }
  fnArray.forEach((operator, at) => {
    handlers[operator]?.(...(argsArray[at] ?? []))
  })
  return glyphs
}
