/** Frames and ruled lines taken off a picture: the reader of letters loses what stands between them. */
import type { Raster } from './raster.ts'

/** Darker than this is ink. */
const INK = 160
/** In points: no stroke of a letter is as long, and no rule is as thick. */
const LONG = 20
const THICK = 3
/** Pixels by which grain may break a line. */
const GAP = 2

/** Marks the long runs of ink among lines of pixels that lie `stride` apart, each pixel `step` from the next. */
function markRuns(
  ink: Uint8Array,
  marks: Uint8Array,
  lines: number,
  length: number,
  stride: number,
  step: number,
  least: number,
): void {
  for (let line = 0; line < lines; line++) {
    const start = line * stride
    let from = -1
    let last = -1
    for (let at = 0; at <= length + GAP; at++) {
      if (at < length && ink[start + at * step] === 1) {
        if (from < 0) from = at
        last = at
      } else if (from >= 0 && at - last > GAP) {
        if (last - from + 1 >= least)
          for (let dark = from; dark <= last; dark++) marks[start + dark * step] = 1
        from = -1
      }
    }
  }
}

/** Takes back the marks that lie side by side in more than so many pixels: bars and pictures, with letters in them. */
function keepThick(
  marks: Uint8Array,
  lines: number,
  length: number,
  stride: number,
  step: number,
  most: number,
): void {
  for (let at = 0; at < length; at++) {
    let from = -1
    for (let line = 0; line <= lines; line++) {
      const isMarked = line < lines && marks[line * stride + at * step] === 1
      if (isMarked && from < 0) from = line
      if (isMarked || from < 0) continue
      if (line - from > most) for (let kept = from; kept < line; kept++) marks[kept * stride + at * step] = 0
      from = -1
    }
  }
}

export function withoutRules(raster: Raster): Raster {
  const { width, height, scale } = raster
  const ink = raster.grey.map((shade) => (shade < INK ? 1 : 0))
  const grey = raster.grey.slice()
  const [least, most] = [Math.round(LONG * scale), Math.round(THICK * scale)]
  for (const [lines, length, stride, step] of [
    [height, width, width, 1],
    [width, height, 1, width],
  ] as const) {
    const marks = new Uint8Array(grey.length)
    markRuns(ink, marks, lines, length, stride, step, least)
    keepThick(marks, lines, length, stride, step, most)
    for (let at = 0; at < marks.length; at++) {
      if (marks[at] !== 1) continue
      // The soft edge of a line is lighter than ink, and dark enough to be seen.
      grey[at] = 255
      for (const beside of [at - stride, at + stride])
        if (beside >= 0 && beside < grey.length && ink[beside] === 0) grey[beside] = 255
    }
  }
  return { ...raster, grey }
}
