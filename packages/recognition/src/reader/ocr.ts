/** Recognises letters (OCR). */
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { createWorker, type Line, OEM, type Page as Recognised, type Worker } from 'tesseract.js'
import type { Page } from '../material.ts'
import { netpbmOf, type Raster } from './raster.ts'
import { rowsOf, type TextFragment } from './text-rows.ts'

/** The smallest language data of the package. The larger data gives the same results. */
const DATA = '@tesseract.js-data/spa/4.0.0_best_int/spa.traineddata.gz'

let workerPromise: Promise<Worker> | undefined

/**
 * Starts a worker that loads everything from disk and writes nothing. By default the library uses the network and a
 * file in the current folder.
 */
const startWorker = (): Promise<Worker> =>
  createWorker('spa', OEM.LSTM_ONLY, {
    langPath: dirname(createRequire(import.meta.url).resolve(DATA)),
    gzip: true,
    cacheMethod: 'none',
  })

/** Minimum confidence of a text line. Ruled lines and stains have less; the worst print has 50. */
const NOISE = 45

const linesOf = ({ blocks }: Recognised): Line[] =>
  (blocks ?? []).flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))

/** Matches remnants of frames and dots, but not signs such as %, € or a minus, which have a meaning beside a number. */
const REMNANT = /^[^\p{L}\p{N}%€$£&@#()/+\-−]*$/u

const medianOf = (values: readonly number[]): number | undefined =>
  [...values].sort((a, b) => a - b)[values.length >> 1]

/** Returns the median slope of the longer text lines. */
function slopeOf(lines: readonly Line[]): number {
  const slopes = lines
    .filter(({ words, baseline }) => words.length > 1 && baseline.x1 - baseline.x0 > 100)
    .map(({ baseline: { x0, x1, y0, y1 } }) => (y1 - y0) / (x1 - x0))
  return medianOf(slopes) ?? 0
}

/** Returns the words of a text line, with positions corrected for the slope of the page. */
function fragmentsOf({ words, baseline, rowAttributes }: Line, slope: number, scale: number): TextFragment[] {
  const { x0, x1, y0, y1 } = baseline
  const rise = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0
  return words
    .map(({ text, bbox }) => ({ text: text.trim(), bbox }))
    .filter(({ text }) => !REMNANT.test(text))
    .map(({ text, bbox }) => {
      const middle = (bbox.x0 + bbox.x1) / 2
      const line = y0 + rise * (middle - x0)
      const shift = slope * line
      return {
        text,
        left: (bbox.x0 + shift) / scale,
        right: (bbox.x1 + shift) / scale,
        baseline: (line - slope * middle) / scale,
        size: rowAttributes.rowHeight / scale,
        opens: false,
        closes: false,
      }
    })
}

export interface OcrResult {
  readonly page: Page
  /** Confidence of the library, from 0 to 100. It only separates print from noise. */
  readonly confidence: number
  /** Number of letters in text lines above the noise limit. */
  readonly letters: number
  /** Median height of the text lines, in pixels. */
  readonly height: number
}

/** Recognises the text of an upright picture. */
export async function recognise(raster: Raster): Promise<OcrResult> {
  workerPromise ??= startWorker()
  const worker = await workerPromise
  const { data } = await worker.recognize(netpbmOf(raster), {}, { blocks: true, text: false })
  const lines = linesOf(data)
  const print = lines.filter(({ confidence }) => confidence >= NOISE)
  const lettersOf = (some: readonly Line[]) => some.reduce((sum, { text }) => sum + text.length, 0)
  const weightedConfidence = lines.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0)
  const slope = slopeOf(print)
  const { width, height, scale } = raster
  return {
    page: {
      width: width / scale,
      height: height / scale,
      rows: rowsOf(print.flatMap((line) => fragmentsOf(line, slope, scale))),
      source: 'ocr',
    },
    confidence: weightedConfidence / Math.max(1, lettersOf(lines)),
    letters: lettersOf(print),
    height: medianOf(print.map(({ rowAttributes }) => rowAttributes.rowHeight)) ?? 0,
  }
}
