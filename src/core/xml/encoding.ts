/** Decodes the bytes of an XML document. The byte order mark and the XML declaration determine the encoding. */
import { required } from '../errors/index.ts'

export type EncodingProblemKind =
  /** The document is empty. */
  | 'empty'
  /** The document has more bytes than `max_bytes`. */
  | 'size'
  /** The encoding is not supported. */
  | 'unknown'
  /** The byte order mark contradicts the declaration, or UTF-16 has no byte order mark. */
  | 'mark'
  /** A byte is invalid in the encoding. */
  | 'bytes'

export interface EncodingProblem {
  readonly kind: EncodingProblemKind
  /** The encoding concerned, as declared or as the byte order mark implies. */
  readonly encoding: string
  /** Location of the first invalid byte, from 1; columns count bytes. */
  readonly line: number
  readonly column: number
  /** Maximum size of a document in bytes. */
  readonly max_bytes: number
}

export type Decoded =
  | { readonly text: string; readonly encoding: string; readonly problem: null }
  | { readonly text: null; readonly encoding: string | null; readonly problem: EncodingProblem }

/** Default maximum size of a document in bytes: 10 MB. */
export const MAX_XML_BYTES = 10 * 1024 * 1024

/** Supported encodings by name. Names are in lower case and have only letters and digits. */
const NAMES: Readonly<Record<string, Encoding>> = {
  utf8: 'UTF-8',
  utf16: 'UTF-16',
  utf16le: 'UTF-16LE',
  utf16be: 'UTF-16BE',
  usascii: 'US-ASCII',
  ascii: 'US-ASCII',
  iso88591: 'ISO-8859-1',
  latin1: 'ISO-8859-1',
  l1: 'ISO-8859-1',
  iso885915: 'ISO-8859-15',
  latin9: 'ISO-8859-15',
  windows1252: 'Windows-1252',
  cp1252: 'Windows-1252',
}

type Encoding =
  | 'UTF-8'
  | 'UTF-16'
  | 'UTF-16LE'
  | 'UTF-16BE'
  | 'US-ASCII'
  | 'ISO-8859-1'
  | 'ISO-8859-15'
  | 'Windows-1252'

/** Code points of single bytes that differ from the byte's value; -1 if the byte is invalid. */
const SINGLE_BYTE: Readonly<Record<string, ReadonlyMap<number, number>>> = {
  'US-ASCII': new Map(Array.from({ length: 128 }, (_, i) => [128 + i, -1])),
  'ISO-8859-1': new Map(),
  'ISO-8859-15': new Map([
    [0xa4, 0x20ac],
    [0xa6, 0x160],
    [0xa8, 0x161],
    [0xb4, 0x17d],
    [0xb8, 0x17e],
    [0xbc, 0x152],
    [0xbd, 0x153],
    [0xbe, 0x178],
  ]),
  'Windows-1252': new Map(
    [
      0x20ac, -1, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, -1,
      0x17d, -1, -1, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a,
      0x153, -1, 0x17e, 0x178,
    ].map((code, i) => [0x80 + i, code]),
  ),
}

/** Number of bytes at the start of a document in which the declaration is searched. */
const DECLARATION = 1024
const CHUNK = 0x4000

const declaredIn = (text: string): string | null =>
  /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1] ?? null

/** Returns the text of UTF-16 code units. Converts them in chunks, because a call has a maximum number of arguments. */
function textOf(units: {
  readonly length: number
  subarray(from: number, to: number): ArrayLike<number>
}): string {
  let text = ''
  for (let i = 0; i < units.length; i += CHUNK)
    text += String.fromCharCode.apply(null, units.subarray(i, i + CHUNK) as number[])
  return text
}

/** Returns the byte order mark, and whether the first bytes indicate UTF-16, with or without a mark. */
function markOf(bytes: Uint8Array): { mark: Encoding | null; length: number; wide: boolean } {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return { mark: 'UTF-8', length: 3, wide: false }
  if (a === 0xfe && b === 0xff) return { mark: 'UTF-16BE', length: 2, wide: true }
  if (a === 0xff && b === 0xfe && !(c === 0 && d === 0)) return { mark: 'UTF-16LE', length: 2, wide: true }
  return { mark: null, length: 0, wide: a === 0 || b === 0 || a === 0xff }
}

/** Returns the code units of UTF-16 bytes; null if the number of bytes is odd. */
function unitsOf(bytes: Uint8Array, big: boolean): Uint16Array | null {
  if (bytes.length % 2 !== 0) return null
  const units = new Uint16Array(bytes.length / 2)
  for (let i = 0; i < units.length; i++) {
    const [first, second] = [bytes[2 * i]!, bytes[2 * i + 1]!]
    units[i] = big ? (first << 8) | second : (second << 8) | first
  }
  return units
}

/** Returns the number of bytes that follow the first byte of a character; -1 if the first byte is invalid. */
const trailingBytes = (lead: number): number =>
  lead < 0x80 ? 0 : lead < 0xc2 ? -1 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : -1

/** Smallest code point for each number of further bytes. UTF-8 with more bytes than necessary is invalid. */
const MIN_CODE_POINT = [0, 0x80, 0x800, 0x10000]

/** Returns the code point of a first byte and `more` further bytes; -1 if invalid. */
function characterAt(bytes: Uint8Array, at: number, more: number): number {
  if (more < 0) return -1
  let code = bytes[at]! & (0x3f >> more)
  for (let k = 1; k <= more; k++) {
    const byte = bytes[at + k] ?? 0
    if (byte >> 6 !== 2) return -1
    code = (code << 6) | (byte & 0x3f)
  }
  return code < MIN_CODE_POINT[more]! || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? -1 : code
}

/**
 * Returns the text of UTF-8, or the index of the first invalid byte. Does not use `TextDecoder`, which some hosts do
 * not have.
 */
function decodeUtf8(bytes: Uint8Array): string | number {
  const units = new Uint16Array(bytes.length)
  let length = 0
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i]!
    if (lead < 0x80) {
      units[length++] = lead
      i++
      continue
    }
    const more = trailingBytes(lead)
    const code = characterAt(bytes, i, more)
    if (code < 0) return i
    if (code < 0x10000) units[length++] = code
    else {
      units[length++] = 0xd7c0 + (code >> 10)
      units[length++] = 0xdc00 | (code & 0x3ff)
    }
    i += more + 1
  }
  return textOf(units.subarray(0, length))
}

/** Returns the text of single-byte characters, or the index of the first invalid byte. */
function decodeSingleByte(bytes: Uint8Array, encoding: Encoding): string | number {
  const table = required(SINGLE_BYTE[encoding])
  if (table.size === 0) return textOf(bytes)
  const bad = bytes.findIndex((byte) => table.get(byte) === -1)
  return bad >= 0 ? bad : textOf(Uint16Array.from(bytes, (byte) => table.get(byte) ?? byte))
}

/**
 * Decodes an XML document and removes its byte order mark. The mark or the declaration states the encoding: UTF-8,
 * UTF-16 with a mark, ISO-8859-1, ISO-8859-15, Windows-1252 or US-ASCII. UTF-8 is the default.
 *
 * Never throws: `problem` has the error. `maxBytes` is 10 MB by default.
 *
 * @example
 * decodeXml(new Uint8Array([0xef, 0xbb, 0xbf, 0x3c, 0x61, 0x2f, 0x3e])).text // => '<a/>'
 */
export function decodeXml(bytes: Uint8Array, maxBytes = MAX_XML_BYTES): Decoded {
  const refuse = (kind: EncodingProblemKind, encoding: string, at = 0): Decoded => {
    const before = bytes.subarray(0, at)
    const line = before.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 1)
    const column = at - before.lastIndexOf(0x0a)
    return { text: null, encoding, problem: { kind, encoding, line, column, max_bytes: maxBytes } }
  }
  if (bytes.length > maxBytes) return refuse('size', '')
  if (bytes.length === 0) return refuse('empty', '')
  const { mark, length, wide } = markOf(bytes)
  const body = bytes.subarray(length)
  if (wide)
    return decodeWide(body, mark, (kind, encoding) =>
      refuse(kind, encoding, kind === 'bytes' ? bytes.length - 1 : 0),
    )
  const declared = declaredIn(textOf(body.subarray(0, DECLARATION)))
  const encoding = declared === null ? 'UTF-8' : known(declared)
  if (encoding === null) return refuse('unknown', required(declared))
  if (encoding.startsWith('UTF-16') || (mark !== null && encoding !== mark))
    return refuse('mark', required(declared))
  const text = encoding === 'UTF-8' ? decodeUtf8(body) : decodeSingleByte(body, encoding)
  if (typeof text === 'number') return refuse('bytes', encoding, length + text)
  return { text, encoding, problem: null }
}

/** Decodes UTF-16, which requires a byte order mark. */
function decodeWide(
  body: Uint8Array,
  mark: Encoding | null,
  refuse: (kind: EncodingProblemKind, encoding: string) => Decoded,
): Decoded {
  if (mark === null) return refuse('mark', 'UTF-16')
  const units = unitsOf(body, mark === 'UTF-16BE')
  const text = units && textOf(units)
  if (text === null || /\p{Surrogate}/u.test(text)) return refuse('bytes', mark)
  const declared = declaredIn(text.slice(0, DECLARATION))
  const encoding = declared === null ? mark : known(declared)
  if (encoding !== mark && encoding !== 'UTF-16') return refuse('mark', required(declared))
  return { text, encoding: mark, problem: null }
}

const known = (name: string): Encoding | null => NAMES[name.toLowerCase().replace(/[^a-z\d]/g, '')] ?? null
