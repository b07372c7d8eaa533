/** A page that is a picture: its codes, then its letters, the right way up. */
import type { Page } from '../material.ts'
import { type Code, codesOn } from './codes.ts'
import { turned } from './image.ts'
import { type Guess, guess } from './ocr.ts'
import { masked, type Raster } from './raster.ts'

/** Print that stands upright is read with more than 75; sideways or upside down with less than 50. */
const SURE = 65

/** By which quarters of a turn to try, the likeliest first. */
function candidates(codes: readonly Code[]): number[] {
  // Codes are printed as the page is.
  const first = codes[0]?.turns ?? 0
  return [first, ...[0, 3, 1, 2].filter((turns) => turns !== first)]
}

export interface Scan {
  readonly page: Page
  readonly codes: readonly string[]
}

export async function readScan(raster: Raster): Promise<Scan> {
  const codes = await codesOn(raster)
  const clean = masked(
    raster,
    codes.map(({ box }) => box),
  )
  let best: Guess | undefined
  for (const turns of candidates(codes)) {
    const found = await guess(await turned(clean, turns))
    if (!best || found.confidence > best.confidence) best = found
    if (best.confidence >= SURE) break
  }
  return { page: (best as Guess).page, codes: codes.map(({ text }) => text) }
}
