/** Reads a scanned page: finds its orientation, its QR codes and its text. */
import type { Page } from '../material.ts'
import { enlarged, MOST_PIXELS, rotatedBack, scaled } from './image.ts'
import { type Code, codesOn } from './image-codes.ts'
import { type OcrResult, recognise } from './ocr.ts'
import { isSideways } from './orientation.ts'
import { evened, straightened, trimmed } from './photo.ts'
import { masked, type Raster } from './raster.ts'
import { withoutRules } from './ruled.ts'
import { withoutSpecks } from './specks.ts'

/** Resolution for OCR of usual letter sizes, in dots per inch. A higher one is slower and helps only poor print. */
const DPI = 250
const FINE_DPI = 350

/** Minimum confidence to accept an orientation. Upright print has more than 70 even if poor, rotated print below 60. */
const SURE = 65

/** Confidence of good print. */
const CLEAR = 85
/** Height of text lines that OCR reads best, in pixels per dot per inch of the resolution. */
const LINE = 0.13
/** Factor by which lines may be larger or smaller before they are read again. */
const TOLERANCE = 1.5
/** Ratio of the confidence in upright print, however poor, to that in the same print rotated. */
const UPRIGHT = 1.5

/** Ratio of the sides of a sheet above which it is a ticket, which has lines across. */
const TICKET = 1.5

function runsSideways(raster: Raster): boolean {
  const { width, height } = raster
  return Math.max(width, height) > TICKET * Math.min(width, height) ? width > height : isSideways(raster)
}

/** Returns the quarter turns to try, the likeliest first. */
function candidates(raster: Raster, codes: readonly Code[]): number[] {
  const likely = runsSideways(raster) ? [1, 3, 0, 2] : [0, 2, 1, 3]
  // QR codes have the same orientation as the page.
  const known = codes[0]?.turns
  return known === undefined ? likely : [known, ...likely.filter((turns) => turns !== known)]
}

/** Rotated print can have more letters than upright print, but with less confidence. */
const sureOf = ({ letters, confidence }: OcrResult): number => letters * confidence

export interface Scan {
  readonly page: Page
  readonly codes: readonly string[]
}

export async function readScan(raster: Raster, isFine: boolean): Promise<Scan> {
  const codes = await codesOn(raster)
  const masks = codes.map(({ box }) => box)
  const given = masked(withoutSpecks(raster), masks)
  const even = await evened(given)
  const straight = await straightened(even)
  const bare = even === given ? straight : await trimmed(straight)
  const dpi = isFine ? FINE_DPI : DPI
  const clean = await enlarged(withoutRules(bare), dpi)
  let best: OcrResult | undefined
  let upright = clean
  for (const turns of candidates(bare, codes)) {
    const turned = await rotatedBack(clean, turns)
    const found = await recognise(turned)
    if (!best || sureOf(found) > sureOf(best)) [best, upright] = [found, turned]
    if (best.confidence >= SURE || best.confidence > UPRIGHT * found.confidence) break
  }
  const first = best as OcrResult
  const by = Math.min((LINE * dpi) / first.height, Math.sqrt(MOST_PIXELS / (upright.width * upright.height)))
  const isPoor = first.letters > 0 && first.confidence < CLEAR && (by > TOLERANCE || by < 1 / TOLERANCE)
  const again = isPoor ? await recognise(await scaled(upright, by)) : first
  const { page } = sureOf(again) > sureOf(first) ? again : first
  return { page, codes: codes.map(({ text }) => text) }
}
