/**
 * Decompresses the font in a WOFF file (W3C, WOFF File Format 1.0).
 *
 * fontkit also reads WOFF, but decompresses all outlines again for every embedded glyph, which takes nine tenths of the
 * time to create a PDF.
 */
import { inflateSync } from 'node:zlib'

const WOFF_HEADER = 44
const WOFF_ENTRY = 20
const SFNT_HEADER = 12
const SFNT_ENTRY = 16

interface Table {
  readonly tag: number
  readonly checksum: number
  readonly bytes: Uint8Array
}

function tablesOf(woff: Uint8Array, view: DataView): Table[] {
  return Array.from({ length: view.getUint16(12) }, (_, index) => {
    const entry = WOFF_HEADER + index * WOFF_ENTRY
    const offset = view.getUint32(entry + 4)
    const packedLength = view.getUint32(entry + 8)
    const length = view.getUint32(entry + 12)
    const packed = woff.subarray(offset, offset + packedLength)
    return {
      tag: view.getUint32(entry),
      checksum: view.getUint32(entry + 16),
      bytes: packedLength < length ? inflateSync(packed) : packed,
    }
  })
}

const padded = (length: number): number => Math.ceil(length / 4) * 4

export function unpackWoff(woff: Uint8Array): Uint8Array {
  const view = new DataView(woff.buffer, woff.byteOffset, woff.byteLength)
  const tables = tablesOf(woff, view)
  const start = SFNT_HEADER + tables.length * SFNT_ENTRY
  const sfnt = Buffer.alloc(tables.reduce((sum, { bytes }) => sum + padded(bytes.length), start))
  sfnt.writeUInt32BE(view.getUint32(4), 0)
  sfnt.writeUInt16BE(tables.length, 4)
  const range = 2 ** Math.floor(Math.log2(tables.length)) * SFNT_ENTRY
  sfnt.writeUInt16BE(range, 6)
  sfnt.writeUInt16BE(Math.log2(range / SFNT_ENTRY), 8)
  sfnt.writeUInt16BE(tables.length * SFNT_ENTRY - range, 10)
  let offset = start
  tables.forEach(({ tag, checksum, bytes }, index) => {
    const entry = SFNT_HEADER + index * SFNT_ENTRY
    sfnt.writeUInt32BE(tag, entry)
    sfnt.writeUInt32BE(checksum, entry + 4)
    sfnt.writeUInt32BE(offset, entry + 8)
    sfnt.writeUInt32BE(bytes.length, entry + 12)
    sfnt.set(bytes, offset)
    offset += padded(bytes.length)
  })
  return sfnt
}
