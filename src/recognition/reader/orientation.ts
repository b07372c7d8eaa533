/** Detects print that runs up or down a picture. */
import type { Raster } from './raster.ts'

/** Width in pixels of a strip in which the lines of a skewed sheet stay in one row. */
const STRIP = 128

/**
 * Returns how much the ink varies between lines of pixels, in strips. It is high across lines of print and their gaps.
 */
function inkVariation(grey: Uint8Array, along: number, across: number, step: number, stride: number): number {
  let sum = 0
  for (let strip = 0; strip + STRIP <= along; strip += STRIP) {
    let before = 0
    for (let line = 0; line < across; line++) {
      let ink = 0
      const start = strip * step + line * stride
      // Every other pixel is enough.
      for (let at = 0; at < STRIP; at += 2) ink += grey[start + at * step] ?? 0
      if (line > 0) sum += (ink - before) ** 2
      before = ink
    }
  }
  return sum
}

export function isSideways({ grey, width, height }: Raster): boolean {
  return inkVariation(grey, height, width, width, 1) > inkVariation(grey, width, height, 1, width)
}
