/** Checks and measures the logo of a company: PNG or JPEG, read by pdfkit. */
import { crc32, inflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'
import { CuadraError, required } from '#core/errors/index.ts'
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
    readonly colorType: number
    readonly palette: readonly number[]
    readonly colors: number
    readonly hasAlphaChannel: boolean
    readonly interlaceMethod: number
  }
  readonly imgData?: Uint8Array
}

/** Maximum number of pixels of a logo, to bound memory and time. */
const MAX_RENDERED_PIXELS = 4_000_000

const PNG = [0x89, 0x50, 0x4e, 0x47]
const JPEG = [0xff, 0xd8]
const startsWith = (bytes: Uint8Array, mark: readonly number[]): boolean =>
  mark.every((byte, index) => bytes[index] === byte)

/** Checks lengths and checksums of the chunks of a PNG, because pdfkit does not check them. */
function checkChunks(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 8, name = ''; name !== 'IEND'; ) {
    const end = at + 8 + (at + 12 <= bytes.length ? view.getUint32(at) : bytes.length)
    if (end + 4 > bytes.length) throw new Error('it is truncated')
    if (crc32(bytes.subarray(at + 4, end)) !== view.getUint32(end)) throw new Error('it is damaged')
    name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    at = end + 4
  }
}

/** Markers of lossless JPEG frames and of frames with arithmetic coding. */
const UNSUPPORTED_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]
const END = 0xd9
/** Whether a marker has no length: a zero after 0xff in the data of a scan, or a restart marker. */
const isBare = (marker: number): boolean => marker === 0 || (marker & 0xf8) === 0xd0

/** Checks that a JPEG is complete, and that PDF supports its coding (ISO 32000-1, 7.4.8). */
function checkSegments(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 2, marker = 0; marker !== END; ) {
    at = bytes.indexOf(0xff, at)
    if (at < 0 || at + 2 > bytes.length) throw new Error('it is truncated')
    marker = required(bytes[at + 1])
    if (UNSUPPORTED_FRAMES.includes(marker)) throw new Error('it is an unusual JPEG')
    if (marker === 0xff) at++
    else at += isBare(marker) || at + 4 > bytes.length ? 2 : 2 + view.getUint16(at + 2)
  }
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
  if (!(bits > 0) || (image.colorType === 3) !== image.palette.length > 0)
    throw new Error('it has an unknown colour type')
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

/** Reads a logo, and checks it completely. Throws a `CuadraError` if it cannot be printed. */
export function logoOf(bytes: Uint8Array): Logo {
  try {
    if (startsWith(bytes, PNG)) checkChunks(bytes)
    if (startsWith(bytes, JPEG)) checkSegments(bytes)
    const doc = new PDFDocument({ autoFirstPage: false, font: '' })
    const image = (doc as unknown as { openImage: (bytes: Uint8Array) => Image }).openImage(bytes)
    const { width, height, orientation = 1 } = image
    if (!(width > 0 && height > 0)) throw new Error('it has no size')
    if (width * height > MAX_RENDERED_PIXELS)
      throw new Error(`it has ${width} x ${height} pixels, more than ${MAX_RENDERED_PIXELS}`)
    checkRows(image)
    return orientation > 4 ? { bytes, width: height, height: width } : { bytes, width, height }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CuadraError(
      `The logo cannot be read: ${reason}. Use a PNG or JPEG of a few hundred pixels, saved again by a graphics program.`,
    )
  }
}
