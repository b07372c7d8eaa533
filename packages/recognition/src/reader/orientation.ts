/** Detects print that runs up or down a picture. */
import type { Raster } from './raster.ts'

/** Width of a strip, in pixels. Within it, text lines of a skewed sheet are nearly straight. */
const STRIP = 128

/**
 * Returns how much the ink varies from one line of pixels to the next, summed over strips. The variation is high if the
 * lines of pixels are parallel to the text, because rows of ink and gaps alternate.
 */
function inkVariation(grey: Uint8Array, along: number, across: number, step: number, stride: number): number {
  let sum = 0
  for (let strip = 0; strip + STRIP <= along; strip += STRIP) {
    let before = 0
    for (let line = 0; line < across; line++) {
      let ink = 0
      const start = strip * step + line * stride
      // Every second pixel is sufficient.
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
