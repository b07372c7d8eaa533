/** Pictures as files: JPEG, PNG and TIFF. */
import sharp, { type Metadata } from 'sharp'
import { MAX_PAGES, MAX_PIXELS } from '../limits.ts'
import type { Raster } from './raster.ts'
import { UnreadableError } from './unreadable-error.ts'

// Nothing else is decoded, whatever a file pretends to be.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadTiff'],
})
sharp.cache(false)
sharp.concurrency(1)

/** A sheet of A4 has 8.7 million at 300 dots per inch, 3.9 million at 200: more say nothing more. */
const MOST_PIXELS = 9_000_000
/** Fewer than this, and letters of the usual size are too small to be read. */
const LEAST_PIXELS = 1_600_000
/** The long side of a sheet of A4, in points. */
const SHEET = 842

const optionsFor = (page: number) =>
  ({ limitInputPixels: MAX_PIXELS, failOn: 'error', page, pages: 1 }) as const

/** Points are known where the file says how dense its pixels are. 72 is what programs write who do not know. */
function scaleOf({ density = 72, width, height }: Metadata): number {
  return density > 72 && density <= 2400 ? density / 72 : Math.max(width, height) / SHEET
}

async function pageOf(bytes: Uint8Array, page: number, metadata: Metadata): Promise<Raster> {
  const pixels = metadata.width * metadata.height
  const by = pixels > MOST_PIXELS ? Math.sqrt(MOST_PIXELS / pixels) : pixels < LEAST_PIXELS ? 1.5 : 1
  const upright = sharp(bytes, optionsFor(page)).autoOrient().flatten({ background: 'white' })
  const { autoOrient } = metadata
  const sized = by === 1 ? upright : upright.resize({ width: Math.round(autoOrient.width * by) })
  const { data, info } = await sized.greyscale().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, grey: data, scale: scaleOf(metadata) * by }
}

/** The pages of a picture, one after the other: only one is in memory. */
export async function* rastersOf(bytes: Uint8Array): AsyncGenerator<Raster> {
  const { pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (pages > MAX_PAGES) throw new UnreadableError('too_many_pages')
  for (let page = 0; page < pages; page++) {
    const metadata = await sharp(bytes, { limitInputPixels: false, page }).metadata()
    if (metadata.width * metadata.height > MAX_PIXELS) throw new UnreadableError('too_many_pixels')
    yield await pageOf(bytes, page, metadata)
  }
}

/** The picture turned back by so many quarters of a turn. */
export async function turned(raster: Raster, turns: number): Promise<Raster> {
  if (turns === 0) return raster
  const { width, height, grey, scale } = raster
  const { data, info } = await sharp(grey, { raw: { width, height, channels: 1 } })
    .rotate(-90 * turns)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, grey: data, scale }
}
