/** Reads a PDF: attachments, text, QR codes, and the letters of scanned pages. */
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'
import { getDocumentProxy } from 'unpdf'
import { attachedInvoice } from '#core/xml/embedded-xml.ts'
import { MAX_PAGES, MAX_PIXELS } from '../recognition-limits.ts'
import type { ReadingRequest, ReadingResult } from '../recognition-messages.ts'
import { codesOn } from './image-codes.ts'
import type { Raster } from './raster.ts'
import { readScan, type Scan } from './scan-image.ts'
import { type TextLayer, textLayerOf } from './text-layer.ts'
import { unreadable } from './unreadable.ts'

const DPI = 200
const FINE_DPI = 300
/** Maximum number of pixels of a rendered page, enough for two sheets of A3. Larger pages get a lower resolution. */
const MAX_RENDERED_PIXELS = 16_000_000

/** Disables scripts, generated code, forms, system fonts, pictures and log output. */
const SAFE_OPTIONS = {
  isEvalSupported: false,
  enableXfa: false,
  useSystemFonts: false,
  disableFontFace: true,
  stopAtErrors: false,
  // Excludes pictures, because another library renders them.
  maxImageSize: 1,
  verbosity: 0,
} as const

async function open(bytes: Uint8Array) {
  try {
    // The library receives a copy, because it takes ownership of the bytes.
    return await getDocumentProxy(bytes.slice(), SAFE_OPTIONS)
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw unreadable(isLocked ? 'encrypted' : 'broken')
  }
}

/**
 * Refuses pictures inside a PDF that are too large to render. Pictures are streams, whose dictionaries are not
 * compressed. If a dictionary states the size by reference, only the memory limit stops a large picture.
 */
function refuseLargePictures(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  for (const { index } of text.matchAll(/\/Subtype\s*\/Image\b/g)) {
    const around = text.slice(Math.max(0, index - 400), index + 400)
    const before = around.slice(0, Math.min(index, 400))
    const dictionary = around.slice(before.lastIndexOf('obj') + 1).split('stream')[0] ?? ''
    const side = (name: string) =>
      Number(new RegExp(`/${name}\\s+(\\d+)(?!\\s+\\d+\\s+R)`).exec(dictionary)?.[1] ?? 0)
    if (side('Width') * side('Height') > MAX_PIXELS) throw unreadable('too_many_pixels')
  }
}

let library: Promise<PDFiumLibrary> | undefined

/** Returns the scale at which a page that is one scanned picture is rendered with exactly the pixels of the picture. */
async function pictureScale(page: PDFiumPage): Promise<number | undefined> {
  const [only, ...others] = page.objects()
  if (only?.type !== 'image' || others.length > 0) return undefined
  const picture = await only.getImageDataRaw().catch(() => undefined)
  if (!picture) return undefined
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const sides = [picture.width, picture.height].sort((a, b) => a - b)
  const [short, long] = [originalWidth, originalHeight].sort((a, b) => a - b) as [number, number]
  const scales = [(sides[0] ?? 0) / short, (sides[1] ?? 0) / long] as const
  const isWhole = Math.abs(scales[0] / scales[1] - 1) < 0.02
  return isWhole && scales[1] <= FINE_DPI / 72 ? scales[1] : undefined
}

/** Renders a page in grey. A scanned picture keeps its pixels, because resampling blurs letters. */
async function draw(document: PDFiumDocument, at: number, dpi: number): Promise<Raster> {
  const page = document.getPage(at)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const area = Math.max(1, originalWidth * originalHeight)
  const scale = Math.min((await pictureScale(page)) ?? dpi / 72, Math.sqrt(MAX_RENDERED_PIXELS / area))
  // The size is given in pixels: with a scale, the library would first round the page size down to points.
  const { width, height, data } = await page.render({
    scale: 1,
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
    colorSpace: 'Gray',
    render: 'bitmap',
  })
  return { width, height, grey: data, scale }
}

/** Reads the pages: the text layer if there is one, otherwise the pixels. */
async function readPages(
  document: PDFiumDocument,
  textLayers: readonly TextLayer[],
  isFine: boolean,
): Promise<Scan[]> {
  const scans: Scan[] = []
  for (const [at, { page: text, marks }] of textLayers.entries()) {
    const raster = await draw(document, at, isFine && !text ? FINE_DPI : DPI)
    const { page, codes } = text
      ? { page: text, codes: (await codesOn(raster)).map(({ text }) => text) }
      : await readScan(raster, isFine)
    scans.push({ page: marks.length > 0 ? { ...page, marks } : page, codes })
  }
  return scans
}

export async function readPdf({ bytes, need, isFine }: ReadingRequest): Promise<ReadingResult> {
  const text = await open(bytes)
  try {
    if (text.numPages > MAX_PAGES) throw unreadable('too_many_pages')
    refuseLargePictures(bytes)
    const xml = attachedInvoice(await text.getAttachments())
    const textLayers: TextLayer[] = []
    for (let at = 1; at <= text.numPages; at++) textLayers.push(await textLayerOf(await text.getPage(at)))
    if (need === 'text' && textLayers.some(({ page }) => !page)) return { needs: 'pixels' }
    library ??= PDFiumLibrary.init()
    const pictures = await (await library).loadDocument(bytes)
    try {
      const scans = await readPages(pictures, textLayers, isFine)
      const pages = scans.map(({ page }) => page)
      return { material: { kind: 'pdf', pages, xml, codes: scans.flatMap(({ codes }) => codes) } }
    } finally {
      pictures.destroy()
    }
  } finally {
    await text.destroy()
  }
}
