/** Names and types of files. They are derived from what the client states, never from the content of the file. */
import type { DocType } from '../store/tables.ts'
import { parseHeaderValue } from './header-value.ts'

/** Maximum bytes of a file name in most file systems. */
const MAX_NAME_BYTES = 255
const MAX_TYPE_LENGTH = 200
const UNNAMED = 'document'
const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Control characters, invisible characters, and marks that change the direction of writing. Such a mark can display
 * `gnp.exe` as `exe.png`. Joiners (U+200C, U+200D) are kept, because some scripts need them.
 */
const INVISIBLE =
  /[\p{Cc}\p{Surrogate}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** Returns the start of a text: as many whole characters as fit into this number of bytes. */
function cut(text: string, bytes: number): string {
  let kept = ''
  let length = 0
  for (const character of text) {
    length += bytesOf(character)
    if (length > bytes) break
    kept += character
  }
  return kept
}

const extensionOf = (name: string): string => /\.[^.\s]{1,16}$/u.exec(name)?.[0] ?? ''

/**
 * Returns the name under which a file is stored: the last part of a path, without invisible characters, and no longer
 * than a file system permits. It is displayed and sent, but never used as a path.
 *
 * For example, `../../etc/passwd` is `passwd`, and `C:\facturas\mayo.pdf` is `mayo.pdf`.
 */
export function safeFileName(sent: string): string {
  const last = sent.normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const name = last.replaceAll(INVISIBLE, '').trim()
  if (/^\.*$/.test(name)) return UNNAMED
  if (bytesOf(name) <= MAX_NAME_BYTES) return name
  const extension = extensionOf(name)
  return cut(name.slice(0, name.length - extension.length), MAX_NAME_BYTES - bytesOf(extension)) + extension
}

/** Returns the file name of an invoice: its number, with slashes replaced. */
export const invoiceFileName = (number: string, extension: 'xml' | 'xsig' | 'pdf'): string =>
  safeFileName(`${number.replaceAll(/[/\\]/g, '-')}.${extension}`)

const MEDIA_TYPE =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\w !#$&^.+:/()-]*"))*$/

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.xml': 'application/xml',
  '.xsig': 'application/xml',
}

/**
 * Returns the media type to store: the declared type, otherwise the type of the extension. An invalid declared type is
 * not stored, because it could not be sent as a header.
 */
export function contentTypeOf(declared: string | undefined, fileName: string): string {
  const type = declared?.trim() ?? ''
  if (type === '') return BY_EXTENSION[extensionOf(fileName).toLowerCase()] ?? UNKNOWN_TYPE
  return type.length <= MAX_TYPE_LENGTH && MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE
}

/** Returns the `doc_type` of a media type (API specification, "Attached document"). */
export function docTypeOf(contentType: string): DocType {
  const { value } = parseHeaderValue(contentType)
  if (value === 'application/pdf') return 'pdf_render'
  return /^(?:application|text)\/(?:[^/]+\+)?xml$/.test(value) ? 'xml_facturae' : 'attachment'
}
