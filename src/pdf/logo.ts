/** Checks and measures the logo of a company: PNG or JPEG, read by pdfkit. */
import { inflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { required } from '../errors/index.ts'
import type { Logo } from './layout-context.ts'

/** Members that pdfkit's types lack. */
interface Image {
  readonly width: number
  readonly height: number
  /** EXIF orientation of a JPEG. */
  readonly orientation?: number
  /** Header and compressed data of a PNG. */
  readonly image?: {
    readonly bits: number
    readonly colors: number
    readonly hasAlphaChannel: boolean
    readonly interlaceMethod: number
  }
  readonly imgData?: Uint8Array
}

/** Larger pictures would take too much memory and time. */
const MAX_RENDERED_PIXELS = 4_000_000

const PNG = [0x89, 0x50, 0x4e, 0x47]

/** Checks the chunks of a PNG: pdfkit follows their lengths without checks, even backwards. */
function checkChunks(bytes: Uint8Array): void {
  if (!PNG.every((byte, index) => bytes[index] === byte)) return
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ended = (at: number): boolean => String.fromCharCode(...bytes.subarray(at + 4, at + 8)) === 'IEND'
  let at = 8
  while (at + 12 <= bytes.length && !ended(at)) at += 12 + view.getUint32(at)
  if (at + 12 > bytes.length) throw new Error('it is truncated')
}

/** Start and step of the passes of an interlaced PNG (ISO/IEC 15948, 8.2). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

const HIGHEST_FILTER = 4

function checkRow(rows: Uint8Array, at: number, length: number): void {
  if (at + length > rows.length) throw new Error('it is truncated')
  if (required(rows[at]) > HIGHEST_FILTER) throw new Error('a row has an unknown filter')
}

/**
 * Checks the rows of a PNG. pdfkit would notice missing rows and unknown filters only while unpacking, in a callback
 * whose error cannot be caught.
 */
function checkRows({ width, height, image, imgData }: Image): void {
  if (!image || !imgData) return
  const bits = image.bits * (image.colors + (image.hasAlphaChannel ? 1 : 0))
  if (!(bits > 0)) throw new Error('it has an unknown colour type')
  const passes = image.interlaceMethod === 1 ? PASSES : ([[0, 0, 1, 1]] as const)
  const most = passes.length * height * (2 + (width * bits) / 8)
  const rows = inflateSync(imgData, { maxOutputLength: Math.ceil(most) })
  let at = 0
  for (const [x, y, right, down] of passes) {
    const wide = Math.ceil((width - x) / right)
    if (wide <= 0) continue
    const length = 1 + Math.ceil((wide * bits) / 8)
    const end = at + length * Math.max(0, Math.ceil((height - y) / down))
    for (; at < end; at += length) checkRow(rows, at, length)
  }
}

/** Returns the size of a logo in pixels. Throws a `RangeError` if it cannot be read. */
export function logoOf(bytes: Uint8Array): Logo {
  try {
    checkChunks(bytes)
    const doc = new PDFDocument({ autoFirstPage: false, font: '' })
    const image = (doc as unknown as { openImage: (bytes: Uint8Array) => Image }).openImage(bytes)
    const { width, height, orientation = 1 } = image
    if (!(width > 0 && height > 0)) throw new Error('it has no size')
    if (width * height > MAX_RENDERED_PIXELS)
      throw new Error(`it has ${width} x ${height} pixels, more than ${MAX_RENDERED_PIXELS}`)
    checkRows(image)
    return orientation > 4 ? { width: height, height: width } : { width, height }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new RangeError(`The logo cannot be read: ${reason}. Pass a PNG or JPEG of a few hundred pixels.`)
  }
}
