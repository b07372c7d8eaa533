/** Evens out the light of photos and straightens them. */
import { cut, resized, rotated, scaled } from './image.ts'
import type { Raster } from './raster.ts'

/** Number of tiles along the long side of a picture, in each of which the light is measured. */
const TILES = 64
/** The share of pixels of a tile that are darker than its light. */
const DARKER = 0.9
/** The light (255 is white) that scanned paper has. */
const PAPER = 200
/** The least light of paper: darker places surround it. */
const DARKEST = 60
/** Share of the light from which a pixel is white, so that the grain of a table disappears. */
const WHITE = 0.94
/** Share of tiles that may be darker than paper in a scan: print in white on black. */
const MOST_DARK = 0.1

/** Returns the light of each tile. */
function lightOf({ width, height, grey, scale }: Raster): Raster {
  const side = Math.ceil(Math.max(width, height) / TILES)
  const [across, down] = [Math.ceil(width / side), Math.ceil(height / side)]
  const light = new Uint8Array(across * down)
  for (let tile = 0; tile < light.length; tile++) {
    const left = (tile % across) * side
    const top = Math.floor(tile / across) * side
    const [right, bottom] = [Math.min(width, left + side), Math.min(height, top + side)]
    const counts = new Uint32Array(256)
    for (let y = top; y < bottom; y++)
      for (let x = left; x < right; x++) {
        const shade = grey[y * width + x] as number
        counts[shade] = (counts[shade] as number) + 1
      }
    let darker = (right - left) * (bottom - top) * DARKER
    light[tile] = counts.findIndex((count) => {
      darker -= count
      return darker <= 0
    })
  }
  return { width: across, height: down, grey: light, scale }
}

/** Returns a photo as if evenly lit, with dark surroundings in white; a scan unchanged. */
export async function evened(raster: Raster): Promise<Raster> {
  const tiles = lightOf(raster)
  const dark = tiles.grey.filter((shade) => shade < PAPER).length
  if (dark <= MOST_DARK * tiles.grey.length) return raster
  const light = await resized(tiles, raster.width, raster.height)
  const even = (shade: number, at: number) => {
    const most = light.grey[at] as number
    return most < DARKEST ? 255 : Math.min(255, (255 * shade) / (most * WHITE))
  }
  return { ...raster, grey: raster.grey.map(even) }
}

/** Size to which a picture is reduced to find its print, in pixels. */
const SMALL = 1000
const INK = 150
/** The largest skew, and the least one that OCR does not straighten itself, in degrees. */
const MOST_SKEW = 45
const LEAST_SKEW = 2
const STEP = 0.5

type Points = readonly (readonly [x: number, y: number])[]

/** The lower edges of letters in a small copy of the picture, and the right ones turned so that they are the lower. */
interface Edges {
  readonly lower: Points
  readonly right: Points
  /** The size of the copy. */
  readonly by: number
}

async function edgesOf(raster: Raster): Promise<Edges> {
  const by = Math.min(1, SMALL / Math.max(raster.width, raster.height))
  const { width, height, grey } = await scaled(raster, by)
  const isInk = (at: number) => (grey[at] as number) < INK
  const lower: [number, number][] = []
  const right: [number, number][] = []
  for (let at = 0; at < width * (height - 1); at++) {
    if (!isInk(at)) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    if (!isInk(at + width)) lower.push([x, y])
    if (!isInk(at + 1)) right.push([-y, x])
  }
  return { lower, right, by }
}

/** Returns how much the number of points varies from one line to the next, if lines are skewed by an angle. */
function variation(points: Points, degrees: number): number {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)]
  const lines = new Float32Array(4 * SMALL)
  for (const [x, y] of points) {
    const line = y * cos - x * sin + 2 * SMALL
    const above = Math.floor(line)
    // A point between two lines counts in part for both.
    lines[above] = (lines[above] as number) + above + 1 - line
    lines[above + 1] = (lines[above + 1] as number) + line - above
  }
  return lines.reduce((sum, count, at) => sum + (count - (lines[at - 1] ?? 0)) ** 2, 0)
}

function skewOf({ lower, right }: Edges): number {
  let [skew, most] = [0, 0]
  for (let degrees = -MOST_SKEW; degrees <= MOST_SKEW; degrees += STEP) {
    const varies = Math.max(variation(lower, degrees), variation(right, degrees))
    if (varies > most) [skew, most] = [degrees, varies]
  }
  return skew
}

/** Returns a skewed picture straightened. */
export async function straightened(raster: Raster): Promise<Raster> {
  const skew = skewOf(await edgesOf(raster))
  return Math.abs(skew) < LEAST_SKEW ? raster : rotated(raster, -skew)
}

/** Share of the edges that may be outside the print at each side. */
const FEW = 0.002
/** Margin of the print in the small copy. */
const MARGIN = 25

/** Returns the ends of the print in one direction. */
function endsOf(places: readonly number[]): readonly [first: number, last: number] {
  const sorted = [...places].sort((a, b) => a - b)
  const few = Math.floor(sorted.length * FEW)
  return [(sorted[few] as number) - MARGIN, (sorted.at(-1 - few) as number) + MARGIN]
}

/** Returns the part of a picture that has print. */
export async function trimmed(raster: Raster): Promise<Raster> {
  const { lower, by } = await edgesOf(raster)
  if (lower.length === 0) return raster
  const [left, right] = endsOf(lower.map(([x]) => x))
  const [top, bottom] = endsOf(lower.map(([, y]) => y))
  return cut(raster, { left: left / by, right: right / by, top: top / by, bottom: bottom / by })
}
