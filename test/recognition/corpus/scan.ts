/** Renders printed pages as a scanner or a phone captures them. */
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { PDFDocument } from 'pdf-lib'
import sharp from 'sharp'

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
} satisfies Record<string, Quality>

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
    ...(exif ? { orientation: [1, 8, 3, 6][turns] as number } : {}),
  })
  const { jpeg } = quality
  return new Uint8Array(await (jpeg === null ? marked.png() : marked.jpeg({ quality: jpeg })).toBuffer())
}

/** Returns all pages in one TIFF with LZW compression. */
export async function tiffOf(pdf: Uint8Array, quality: Quality): Promise<Uint8Array> {
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
export async function pdfOfScans(pdf: Uint8Array, quality: Quality): Promise<Uint8Array> {
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
