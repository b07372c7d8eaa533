/** Removes frames and ruled lines from a picture, because OCR loses the text between them. */
import type { Raster } from './raster.ts'

/** Grey value (0 is black) below which a pixel is ink. */
const INK = 160
/** Minimum length and maximum thickness of a ruled line, in points. Strokes of letters are shorter. */
const LONG = 20
const THICK = 3
/** Maximum gap in a ruled line, in pixels, caused by the grain of a scan. */
const GAP = 2

/** Lines of pixels in one direction. `stride` is the index distance of two lines, `step` of two pixels in a line. */
interface Direction {
  readonly lines: number
  readonly length: number
  readonly stride: number
  readonly step: number
}

function fill(pixels: Uint8Array, value: 0 | 1, first: number, last: number, step: number): void {
  for (let at = first; at <= last; at += step) pixels[at] = value
}

/** Finds runs of ones along a direction, with gaps of up to `gap`, and fills those of at least `least` pixels. */
function fillRuns(
  from: Uint8Array,
  into: Uint8Array,
  value: 0 | 1,
  { lines, length, stride, step }: Direction,
  least: number,
  gap: number,
): void {
  for (let line = 0; line < lines; line++) {
    const start = line * stride
    let first = Number.POSITIVE_INFINITY
    let last = -1
    for (let at = 0; at <= length + gap; at++) {
      if (at < length && from[start + at * step] === 1) {
        first = Math.min(first, at)
        last = at
      } else if (at - last > gap) {
        if (last - first + 1 >= least) fill(into, value, start + first * step, start + last * step, step)
        first = Number.POSITIVE_INFINITY
      }
    }
  }
}

export function withoutRules(raster: Raster): Raster {
  const { width, height, scale } = raster
  const ink = raster.grey.map((shade) => (shade < INK ? 1 : 0))
  const grey = raster.grey.slice()
  const [least, most] = [Math.round(LONG * scale), Math.round(THICK * scale)]
  const across = { lines: height, length: width, stride: width, step: 1 }
  const down = { lines: width, length: height, stride: 1, step: width }
  for (const [along, against] of [
    [across, down],
    [down, across],
  ] as const) {
    const marks = new Uint8Array(grey.length)
    fillRuns(ink, marks, 1, along, least, GAP)
    // Thicker marks are kept: they are bars or pictures, which may contain letters.
    fillRuns(marks, marks, 0, against, most + 1, 0)
    for (let at = 0; at < marks.length; at++) {
      if (marks[at] !== 1) continue
      // Also clears the soft edge of a line, which is lighter than ink but visible.
      grey[at] = 255
      for (const beside of [at - along.stride, at + along.stride])
        if (beside >= 0 && beside < grey.length && ink[beside] === 0) grey[beside] = 255
    }
  }
  return { ...raster, grey }
}
