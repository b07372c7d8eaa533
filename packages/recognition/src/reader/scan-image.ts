/** Reads a scanned page: finds its orientation, its QR codes and its text. */
import type { Page } from '../material.ts'
import { enlarged, rotatedBack } from './image.ts'
import { type Code, codesOn } from './image-codes.ts'
import { type OcrResult, recognise } from './ocr.ts'
import { isSideways } from './orientation.ts'
import { masked, type Raster } from './raster.ts'
import { withoutRules } from './ruled.ts'
import { withoutSpecks } from './specks.ts'

/** Resolution for OCR of usual letter sizes, in dots per inch. A higher one is slower and helps only poor print. */
const DPI = 250
const FINE_DPI = 350

/** Minimum confidence to accept an orientation. Upright print has more than 70 even if poor, rotated print below 60. */
const SURE = 65

/** Returns the quarter turns to try, the likeliest first. */
function candidates(raster: Raster, codes: readonly Code[]): number[] {
  const likely = isSideways(raster) ? [1, 3, 0, 2] : [0, 2, 1, 3]
  // QR codes have the same orientation as the page.
  const known = codes[0]?.turns
  return known === undefined ? likely : [known, ...likely.filter((turns) => turns !== known)]
}

export interface Scan {
  readonly page: Page
  readonly codes: readonly string[]
}

export async function readScan(raster: Raster, isFine: boolean): Promise<Scan> {
  const codes = await codesOn(raster)
  const bare = masked(
    withoutSpecks(raster),
    codes.map(({ box }) => box),
  )
  const clean = await enlarged(withoutRules(bare), isFine ? FINE_DPI : DPI)
  let best: OcrResult | undefined
  for (const turns of candidates(bare, codes)) {
    const found = await recognise(await rotatedBack(clean, turns))
    if (!best || found.letters > best.letters) best = found
    if (found.confidence >= SURE) break
  }
  return { page: (best as OcrResult).page, codes: codes.map(({ text }) => text) }
}
