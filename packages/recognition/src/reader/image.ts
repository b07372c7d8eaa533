/** Reads picture files: JPEG, PNG and TIFF. */
import sharp, { type Metadata, type Sharp } from 'sharp'
import { MAX_PAGES, MAX_PIXELS } from '../recognition-limits.ts'
import type { Box, Raster } from './raster.ts'
import { unreadable } from './unreadable.ts'

// Blocks the decoders of all other formats, which a malicious file could otherwise reach.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadTiff'],
})
sharp.cache(false)
sharp.concurrency(1)

/** Number of pixels to which larger pictures are reduced. A4 at 300 dots per inch, enough for OCR, has 8.7 million. */
export const MOST_PIXELS = 9_000_000
/** The long side of A4, in points. */
const SHEET = 842

const optionsFor = (page: number) =>
  ({ limitInputPixels: MAX_PIXELS, failOn: 'error', page, pages: 1 }) as const

/** Returns the pixels per point from the density in the file; if it is 72 (a common default), from the size of A4. */
function scaleOf({ density = 72, width, height }: Metadata): number {
  return density > 72 && density <= 2400 ? density / 72 : Math.max(width, height) / SHEET
}

async function pageOf(bytes: Uint8Array, page: number, metadata: Metadata): Promise<Raster> {
  const by = Math.min(1, Math.sqrt(MOST_PIXELS / (metadata.width * metadata.height)))
  const upright = sharp(bytes, optionsFor(page)).autoOrient().flatten({ background: 'white' })
  const { autoOrient } = metadata
  const sized = by === 1 ? upright : upright.resize({ width: Math.round(autoOrient.width * by) })
  const { data, info } = await sized.greyscale().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, grey: data, scale: scaleOf(metadata) * by }
}

/** Returns the headers of the pages. Throws if the picture has too many pages or pixels. */
async function headersOf(bytes: Uint8Array): Promise<Metadata[]> {
  const { pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (pages > MAX_PAGES) throw unreadable('too_many_pages')
  const headers: Metadata[] = []
  for (let page = 0; page < pages; page++)
    headers.push(await sharp(bytes, { limitInputPixels: false, page }).metadata())
  if (headers.some(({ width, height }) => width * height > MAX_PIXELS)) throw unreadable('too_many_pixels')
  return headers
}

/** Throws if the headers of a picture show that it must be refused. Reads no pixels. */
export async function requireReadable(bytes: Uint8Array): Promise<void> {
  await headersOf(bytes)
}

/** Yields the pages of a picture one by one, so that only one is in memory. */
export async function* rastersOf(bytes: Uint8Array): AsyncGenerator<Raster> {
  for (const [page, metadata] of (await headersOf(bytes)).entries()) yield await pageOf(bytes, page, metadata)
}

/** Applies an operation to a grey picture. */
async function transformed(from: Raster, make: (picture: Sharp) => Sharp): Promise<Raster> {
  const { width, height, grey } = from
  const { data, info } = await make(sharp(grey, { raw: { width, height, channels: 1 } }))
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, grey: data, scale: from.scale }
}

/** Returns the picture rotated clockwise, with white corners. */
export const rotated = (raster: Raster, degrees: number): Promise<Raster> =>
  transformed(raster, (picture) => picture.rotate(degrees, { background: 'white' }))

export const resized = (raster: Raster, width: number, height: number): Promise<Raster> =>
  transformed(raster, (picture) => picture.resize({ width, height, fit: 'fill', kernel: 'cubic' }))

/** Enlarges or reduces a picture by a factor. */
export async function scaled(raster: Raster, by: number): Promise<Raster> {
  const sizeOf = (side: number) => Math.max(1, Math.round(side * by))
  const other = await resized(raster, sizeOf(raster.width), sizeOf(raster.height))
  return { ...other, scale: raster.scale * by }
}

/** Returns the part of a picture that is in a box. */
export function cut(raster: Raster, box: Box): Promise<Raster> {
  const left = Math.max(0, Math.floor(box.left))
  const top = Math.max(0, Math.floor(box.top))
  const width = Math.min(raster.width, Math.ceil(box.right)) - left
  const height = Math.min(raster.height, Math.ceil(box.bottom)) - top
  return transformed(raster, (picture) => picture.extract({ left, top, width, height }))
}

/** Returns the picture rotated back by quarter turns. */
export const rotatedBack = async (raster: Raster, turns: number): Promise<Raster> =>
  turns === 0 ? raster : transformed(raster, (picture) => picture.rotate(-90 * turns))

/** Enlarges a picture to `dpi` dots per inch if it has fewer, but at most to twice its size. */
export function enlarged(raster: Raster, dpi: number): Promise<Raster> | Raster {
  const by = Math.min(2, dpi / 72 / raster.scale)
  return by <= 1 ? raster : scaled(raster, by)
}
