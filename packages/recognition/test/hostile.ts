/** Makes hostile files, and files of other types than they claim. */
import { once } from 'node:events'
import { deflateSync } from 'node:zlib'
import { PDFDocument, StandardFonts, setTextRenderingMode, TextRenderingMode } from 'pdf-lib'
import PDFKit from 'pdfkit'
import sharp from 'sharp'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([latin(type), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length)
  body.copy(framed, 4)
  framed.writeUInt32BE(checksum(body), body.length + 4)
  return framed
}

/** Returns the CRC-32 of a PNG chunk. */
function checksum(bytes: Buffer): number {
  let state = 0xffffffff
  for (const byte of bytes) {
    state ^= byte
    for (let bit = 0; bit < 8; bit++) state = (state >>> 1) ^ (state & 1 ? 0xedb88320 : 0)
  }
  return (state ^ 0xffffffff) >>> 0
}

/** Returns a valid white PNG in two colours: a few kilobytes for any number of pixels. */
export function hugePng(side: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header[8] = 1
  const row = Buffer.alloc(1 + Math.ceil(side / 8), 0)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(row.length * side), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a small JPEG whose header claims a large size. */
export async function hugeJpeg(side: number): Promise<Uint8Array> {
  const bytes = await sharp({ create: { width: 16, height: 16, channels: 3, background: 'white' } })
    .jpeg()
    .toBuffer()
  const at = bytes.indexOf(Buffer.from([0xff, 0xc0]))
  bytes.writeUInt16BE(side, at + 5)
  bytes.writeUInt16BE(side, at + 7)
  return bytes
}

/** Returns a TIFF of one strip whose header claims a large size. */
export function hugeTiff(side: number): Uint8Array {
  const fields: [number, number, number][] = [
    [256, 4, side],
    [257, 4, side],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 4, side],
    [279, 4, 4],
  ]
  const bytes = Buffer.alloc(12 + 2 + fields.length * 12 + 4)
  bytes.write('II*\0', 'latin1')
  bytes.writeUInt32LE(12, 4)
  bytes.writeUInt16LE(fields.length, 12)
  fields.forEach(([tag, type, value], index) => {
    const at = 14 + index * 12
    bytes.writeUInt16LE(tag, at)
    bytes.writeUInt16LE(type, at + 2)
    bytes.writeUInt32LE(1, at + 4)
    bytes.writeUInt32LE(value, at + 8)
  })
  return bytes
}

/** Returns a PDF with these objects, numbered from 1. The first object is the catalog. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [latin('%PDF-1.7\n')]
  const offsets: number[] = []
  let size = parts[0]?.length ?? 0
  objects.forEach((object, index) => {
    const bytes = Buffer.concat([
      latin(`${index + 1} 0 obj\n`),
      typeof object === 'string' ? latin(object) : object,
      latin('\nendobj\n'),
    ])
    offsets.push(size)
    size += bytes.length
    parts.push(bytes)
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  parts.push(
    latin(
      `${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${size}\n%%EOF\n`,
    ),
  )
  return Buffer.concat(parts)
}

const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([latin(`<< ${dictionary} /Length ${data.length} >>\nstream\n`), data, latin('\nendstream')])

const packed = (dictionary: string, data: Buffer): Buffer =>
  stream(`${dictionary} /Filter /FlateDecode`, deflateSync(data, { level: 1 }))

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const page = (resources: string, box = '0 0 595 842', more = '') =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << ${resources} >> ${more}>>`

/** Returns a page with one large image. `hidden` stores its size in other objects. */
export function pdfWithHugePicture(side: number, hidden = false): Uint8Array {
  const size = hidden ? '6 0 R' : String(side)
  return pdfOf([
    CATALOG,
    PAGES,
    page('/XObject << /I 5 0 R >>'),
    stream('', latin('q 500 0 0 500 40 40 cm /I Do Q')),
    packed(
      `/Type /XObject /Subtype /Image /Width ${size} /Height ${size} /ColorSpace /DeviceGray /BitsPerComponent 1`,
      Buffer.alloc(Math.ceil(side / 8) * side),
    ),
    String(side),
  ])
}

/** Returns a PDF with a huge page. */
export const pdfWithHugePage = (): Uint8Array =>
  pdfOf([
    CATALOG,
    PAGES,
    page('/Font << /F 5 0 R >>', '0 0 14400 14400', '/UserUnit 75 '),
    stream(
      '',
      latin('BT /F 400 Tf 400 9000 Td (FACTURA 2026/1 con un texto de mas de treinta letras) Tj ET'),
    ),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ])

/** Returns a PDF with a nested compressed content stream that expands to a quarter of a gigabyte. */
export function pdfWithBomb(): Uint8Array {
  const once = deflateSync(Buffer.alloc(256 * 1024 * 1024, 0x20), { level: 1 })
  const twice = deflateSync(once, { level: 9 })
  return pdfOf([CATALOG, PAGES, page(''), stream('/Filter [/FlateDecode /FlateDecode]', twice)])
}

/** Returns a PDF with a form XObject that draws itself ten times, recursively. */
export const pdfThatDrawsItself = (): Uint8Array =>
  pdfOf([
    CATALOG,
    PAGES,
    page('/XObject << /X 5 0 R >>'),
    stream('', latin('/X Do')),
    stream(
      '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X 5 0 R >> >>',
      latin('/X Do '.repeat(10)),
    ),
  ])

/** Returns a PDF with a chain of form XObjects. Each draws the next one twenty times: 20 to the power of 12. */
export function pdfOfManyLaughs(): Uint8Array {
  const depth = 12
  const form = (next: number) =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /X ${next} 0 R >> >>`,
      latin('/X Do '.repeat(20)),
    )
  return pdfOf([
    CATALOG,
    PAGES,
    page('/XObject << /X 5 0 R >>'),
    stream('', latin('/X Do')),
    ...Array.from({ length: depth }, (_, index) => form(index + 6)),
    stream('/Type /XObject /Subtype /Form /BBox [0 0 595 842]', latin('0 0 10 10 re f')),
  ])
}

/** Returns a PDF whose pages contain themselves. */
export const pdfWithoutEnd = (): Uint8Array =>
  pdfOf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 /Parent 2 0 R >>'])

/** Returns a PDF whose object table refers to itself. */
export function pdfWithCircle(): Uint8Array {
  const bytes = pdfOf([CATALOG, PAGES, page(''), stream('', latin(' '))])
  const start = bytes.lastIndexOf('xref\n0')
  return latin(bytes.toString('latin1').replace('/Root 1 0 R', `/Root 9 0 R /Prev ${start}`))
}

const SENTENCE = 'Factura 2026/77 de Papeles Hostiles, S.L. por un importe total de 121,00 euros'

export async function pdfOfPages(count: number): Promise<Uint8Array> {
  const document = new PDFKit({ autoFirstPage: false, margin: 0, size: [595, 842] })
  const pieces: Buffer[] = []
  document.on('data', (piece: Buffer) => pieces.push(piece))
  for (let at = 0; at < count; at++) document.addPage().font('Helvetica').fontSize(11).text(SENTENCE, 50, 140)
  const ended = once(document, 'end')
  document.end()
  await ended
  return Buffer.concat(pieces)
}

/** Returns a PDF with scripts that run on opening, on showing a page and on closing. */
export async function pdfWithScripts(): Promise<Uint8Array> {
  const document = await PDFDocument.load(await pdfOfPages(1))
  const script = 'while (true) { app.launchURL("http://127.0.0.1:9/"); this.exportDataObject("x") }'
  document.addJavaScript('opened', script)
  const action = document.context.obj({ Type: 'Action', S: 'JavaScript', JS: `(${script})` })
  document.catalog.set(document.context.obj('OpenAction'), action)
  document.getPage(0).node.set(document.context.obj('AA'), document.context.obj({ O: action, C: action }))
  return document.save({ useObjectStreams: false })
}

export async function tiffOfPages(count: number): Promise<Uint8Array> {
  const sheet = await sharp({ create: { width: 80, height: 100, channels: 3, background: 'white' } })
    .png()
    .toBuffer()
  return sharp(
    Array.from({ length: count }, () => sheet),
    { join: { animated: true } },
  )
    .tiff({ compression: 'lzw' })
    .toBuffer()
}

/** The first bytes of Windows and Linux programs, an archive, a web page and an SVG with scripts. */
export const OTHER_TYPES: Readonly<Record<string, Uint8Array>> = {
  'a program for Windows': Buffer.concat([latin('MZ\x90\0\x03\0\0\0'), Buffer.alloc(4000)]),
  'a program for Linux': Buffer.concat([latin('\x7fELF\x02\x01\x01\0'), Buffer.alloc(4000)]),
  'a program that says PDF further on': latin(`MZ\x90\0${' '.repeat(40)}%PDF-1.7\n`),
  'a script': latin('#!/bin/sh\nrm -rf /\n%PDF-1.4'),
  'an archive': latin('PK\x03\x04 factura.pdf'),
  'a web page': latin('<!doctype html><script>alert(1)</script>'),
  'a drawing': latin('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'),
  'a GIF': latin('GIF89a\x01\0\x01\0'),
  'a blank': latin(' '),
}

/** Returns an image of noise, which does not compress. */
export function picture(kind: 'png' | 'jpeg'): Promise<Uint8Array> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const image = sharp({ create: { width: 600, height: 800, channels: 3, background: 'white', noise } })
  return image.toFormat(kind).toBuffer()
}

/** Returns the image of a page with a different, invisible text under it. */
export async function withHiddenText(pdf: Uint8Array, text: string): Promise<Uint8Array> {
  const document = await PDFDocument.load(pdf)
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.getPage(0)
  page.pushOperators(setTextRenderingMode(TextRenderingMode.Invisible))
  page.drawText(text, { x: 50, y: 400, size: 11, font })
  return document.save()
}
