/** What a file is called and taken for: by what the client says of it, never by its bytes. */
import type { DocType } from '../store/tables.ts'
import { parseHeaderValue } from './header-value.ts'

/** Most file systems take names of so many bytes. */
const MAX_NAME_BYTES = 255
const MAX_TYPE_LENGTH = 200
const UNNAMED = 'document'
const UNKNOWN_TYPE = 'application/octet-stream'

/**
 * Controls, what has no width, and the marks that turn the direction of writing: with them `gnp.exe` is shown as
 * `exe.png`. Joiners (U+200C, U+200D) are letters' business, and stay.
 */
const INVISIBLE =
  /[\p{Cc}\p{Surrogate}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** The beginning of a text, as many whole characters as fit. */
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
 * The name that a file is kept under: the last part of what may be a path, without what cannot be seen, no longer
 * than a file system takes. It is shown and sent, and never used as a path.
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

/** The name of the file of an invoice: its number, in which a slash parts no folders. */
export const invoiceFileName = (number: string, extension: 'xml' | 'xsig' | 'pdf'): string =>
  safeFileName(`${number.replaceAll(/[/\\]/g, '-')}.${extension}`)

const MEDIA_TYPE =
  /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[\w !#$&^.+:/()-]*"))*$/

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.xml': 'application/xml',
  '.xsig': 'application/xml',
}

/** The type that is kept: as declared, else by the extension; what is no media type could not be sent again. */
export function contentTypeOf(declared: string | undefined, fileName: string): string {
  const type = declared?.trim() ?? ''
  if (type === '') return BY_EXTENSION[extensionOf(fileName).toLowerCase()] ?? UNKNOWN_TYPE
  return type.length <= MAX_TYPE_LENGTH && MEDIA_TYPE.test(type) ? type : UNKNOWN_TYPE
}

/** `doc_type` of a content type (specification, "Attached document"). */
export function docTypeOf(contentType: string): DocType {
  const { value } = parseHeaderValue(contentType)
  if (value === 'application/pdf') return 'pdf_render'
  return /^(?:application|text)\/(?:[^/]+\+)?xml$/.test(value) ? 'xml_facturae' : 'attachment'
}
