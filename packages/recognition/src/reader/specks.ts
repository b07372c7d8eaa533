/** Removes the specks of a fax, which OCR takes for letters. A median filter would also blur the letters. */
import type { Raster } from './raster.ts'

/** Maximum size of a speck at 200 dots per inch, in pixels. */
const SPECK = 3
/** Minimum number of specks per pixel. A clean picture has fewer, such as the points of small print. */
const LEAST_SPECKS = 1 / 2000

/** Returns the connected pixels of one shade; `null` if they are more than `most`. */
function spotAt(grey: Uint8Array, start: number, around: readonly number[], most: number): number[] | null {
  const spot = [start]
  for (const at of spot)
    for (const step of around)
      if (grey[at + step] === grey[start] && !spot.includes(at + step) && spot.push(at + step) > most)
        return null
  return spot
}

/** Returns a picture in black and white without its specks; other pictures unchanged. */
export function withoutSpecks(raster: Raster): Raster {
  const { grey, width, scale } = raster
  if (!grey.every((shade) => shade === 0 || shade === 255)) return raster
  const before = [-width - 1, -width, 1 - width, -1]
  const around = [...before, 1, width - 1, width, width + 1]
  const most = Math.max(1, Math.floor(SPECK * (scale / (200 / 72)) ** 2))
  const clean = grey.slice()
  let specks = 0
  for (let at = width + 1; at < grey.length - width - 1; at++) {
    // Each spot is examined at its first pixel.
    if (before.some((step) => grey[at + step] === grey[at])) continue
    const spot = spotAt(grey, at, around, most)
    if (spot) specks++
    for (const one of spot ?? []) clean[one] = 255 - (grey[at] ?? 0)
  }
  return specks < grey.length * LEAST_SPECKS ? raster : { ...raster, grey: clean }
}
