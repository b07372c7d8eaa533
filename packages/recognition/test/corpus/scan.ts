/** Renders printed pages as a scanner or a phone captures them. */

import { PDFiumLibrary } from '@hyzyla/pdfium'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'
import { required } from '#core/errors/index.ts'
import { setMissing } from '#test/needs.ts'
import type { FileKind } from '../../src/index.ts'
import type { Document } from './document.ts'
import { named } from './named.ts'

export interface Quality {
  readonly dpi: number
  /** Degrees by which the scanned sheet is skewed. */
  readonly skew: number
  /** Standard deviation of the grain, in shades of grey. */
  readonly noise: number
  readonly blur: number
  /** JPEG quality; `null` for PNG. */
  readonly jpeg: number | null
}

export const QUALITIES = {
  clean: { dpi: 200, skew: 0, noise: 0, blur: 0, jpeg: null },
  fair: { dpi: 200, skew: 0.7, noise: 10, blur: 0.5, jpeg: 60 },
  poor: { dpi: 150, skew: -1.2, noise: 16, blur: 0.5, jpeg: 45 },
  fine: { dpi: 300, skew: 0.3, noise: 4, blur: 0, jpeg: 80 },
  office: { dpi: 200, skew: -0.5, noise: 8, blur: 0.4, jpeg: 65 },
  'office, sharper': { dpi: 240, skew: -0.4, noise: 6, blur: 0.4, jpeg: 70 },
  copier: { dpi: 180, skew: 1, noise: 10, blur: 0.4, jpeg: 55 },
  fax: { dpi: 150, skew: 0.9, noise: 12, blur: 0.4, jpeg: 55 },
  coarse: { dpi: 110, skew: 0.2, noise: 3, blur: 0, jpeg: 75 },
} satisfies Readonly<Record<string, Quality>>

/** Returns reproducible noise with an approximate bell curve: the sum of four numbers of a Lehmer generator. */
function grain(count: number, deviation: number): Float32Array {
  const noise = new Float32Array(count)
  let state = 20_261
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  for (let at = 0; at < count; at++) noise[at] = (next() + next() + next() + next() - 2) * deviation * 1.732
  return noise
}

interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
}

const raw = ({ data, width, height }: Pixels) => sharp(data, { raw: { width, height, channels: 1 } })

async function grey(image: ReturnType<typeof sharp>): Promise<Pixels> {
  const { data, info } = await image.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

let library: Promise<PDFiumLibrary> | undefined

/** Renders the pages of a PDF. */
async function rendered(pdf: Uint8Array, dpi: number): Promise<Pixels[]> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(pdf)
  try {
    const pages: Pixels[] = []
    for (const page of document.pages())
      pages.push(await page.render({ scale: dpi / 72, colorSpace: 'Gray', render: 'bitmap' }))
    return pages
  } finally {
    document.destroy()
  }
}

/** Renders the pages and degrades them to the given quality. */
async function degraded(pdf: Uint8Array, { dpi, skew, noise, blur }: Quality): Promise<Pixels[]> {
  return Promise.all(
    (await rendered(pdf, dpi)).map(async (page) => {
      let pixels = page
      if (skew !== 0) pixels = await grey(raw(pixels).rotate(skew, { background: 'white' }))
      if (blur > 0) pixels = await grey(raw(pixels).blur(blur))
      if (noise === 0) return pixels
      const grains = grain(pixels.data.length, noise)
      // Scanned paper is not pure white, and ink is not pure black.
      return {
        ...pixels,
        data: pixels.data.map((shade, at) =>
          Math.max(0, Math.min(255, 18 + shade * 0.9 + (grains[at] ?? 0))),
        ),
      }
    }),
  )
}

export interface ScanOptions {
  /** Clockwise quarter turns of the sheet in the scanner. */
  readonly turns?: number
  /** Whether the orientation is stored only in the EXIF data. */
  readonly exif?: boolean
}

/** Returns the first page as a scanned file: PNG if the quality is lossless, otherwise JPEG. */
export async function scanned(
  pdf: Uint8Array,
  quality: Quality,
  options: ScanOptions = {},
): Promise<Uint8Array> {
  const { turns = 0, exif = false } = options
  const [page] = await degraded(pdf, quality)
  if (!page) throw new Error('a document without pages')
  const rotated = turns === 0 ? raw(page) : raw(await grey(raw(page).rotate(90 * turns)))
  const marked = rotated.withMetadata({
    density: quality.dpi,
    ...(exif ? { orientation: required([1, 8, 3, 6][turns]) } : {}),
  })
  const { jpeg } = quality
  return new Uint8Array(await (jpeg === null ? marked.png() : marked.jpeg({ quality: jpeg })).toBuffer())
}

/** Returns all pages in one TIFF with LZW compression. */
async function tiffOf(pdf: Uint8Array, quality: Quality): Promise<Uint8Array> {
  const pages = await degraded(pdf, quality)
  const buffers = await Promise.all(pages.map((page) => raw(page).png().toBuffer()))
  return new Uint8Array(
    await sharp(buffers, { join: { animated: true } })
      .withMetadata({ density: quality.dpi })
      .tiff({ compression: 'lzw' })
      .toBuffer(),
  )
}

/** Returns a PDF whose pages are images, as copiers send them. */
async function pdfOfScans(pdf: Uint8Array, quality: Quality): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.setCreationDate(new Date('2026-01-01T00:00:00Z'))
  document.setModificationDate(new Date('2026-01-01T00:00:00Z'))
  for (const page of await degraded(pdf, quality)) {
    const jpeg = await raw(page)
      .jpeg({ quality: quality.jpeg ?? 90 })
      .toBuffer()
    const picture = await document.embedJpg(jpeg)
    const width = (page.width * 72) / quality.dpi
    const height = (page.height * 72) / quality.dpi
    document.addPage([width, height]).drawImage(picture, { x: 0, y: 0, width, height })
  }
  return document.save()
}

export interface Photo {
  readonly dpi: number
  /** Degrees by which the photographed sheet is rotated. */
  readonly turn: number
  /** Perspective distortion of the sides, as a share of the size. */
  readonly lean: number
  /** Brightness of the table, and of the darkest corner. */
  readonly table: number
  readonly shadow: number
}

/** Renders the first page as a phone photo: on a table, lit from one side, with perspective distortion. */
async function photographed(pdf: Uint8Array, { dpi, turn, lean, table, shadow }: Photo): Promise<Uint8Array> {
  const background = { r: table, g: Math.round(table * 0.85), b: Math.round(table * 0.7) }
  const margin = Math.round(dpi * 0.5)
  const page = await sharp(await scanned(pdf, { ...QUALITIES.clean, dpi }))
    .toColourspace('srgb')
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background })
    .png()
    .toBuffer()
  const turned = await sharp(page)
    .rotate(turn, { background })
    .affine([1, lean, lean / 2, 1], { background })
    .png()
    .toBuffer()
  const { width = 0, height = 0 } = await sharp(turned).metadata()
  const light = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><linearGradient id="l" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="rgb(252,248,240)"/><stop offset="1" stop-color="rgb(${shadow},${shadow},${shadow})"/></linearGradient><rect width="100%" height="100%" fill="url(#l)"/></svg>`
  return new Uint8Array(
    await sharp(turned)
      .composite([{ input: Buffer.from(light), blend: 'multiply' }])
      .blur(0.5)
      .jpeg({ quality: 78 })
      .toBuffer(),
  )
}

/** How a printed document is captured: as a photo, or with one of `QUALITIES`. */
export interface Capture extends ScanOptions {
  readonly quality?: string
  readonly photo?: Photo
  /** A file with all pages, instead of an image of the first one. */
  readonly into?: 'pdf' | 'tiff'
}

const qualityOf = ({ quality = 'fair' }: Capture): Quality => named(QUALITIES, quality)

const kindOf = (capture: Capture): FileKind =>
  capture.into ?? (qualityOf(capture).jpeg === null ? 'png' : 'jpeg')

function captured(pdf: Uint8Array, capture: Capture): Promise<Uint8Array> {
  const { photo, into } = capture
  if (photo) return photographed(pdf, photo)
  const quality = qualityOf(capture)
  if (into) return (into === 'pdf' ? pdfOfScans : tiffOf)(pdf, quality)
  return scanned(pdf, quality, capture)
}

/** Returns the scan of a printed document. */
export function scanOf(printed: Document, name: string, capture: Capture): Document {
  return {
    ...printed,
    name,
    kind: kindOf(capture),
    source: 'scan',
    pages: capture.into ? printed.pages : 1,
    missing: printed.missing ?? (capture.into === 'pdf' ? setMissing('peers') : undefined),
    make: async () => captured(await printed.make(), capture),
  }
}
