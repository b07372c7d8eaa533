/** Detects the type of a file from its first bytes, because its name and declared type cannot be trusted. */
import type { FileKind } from './material.ts'

const SIGNATURES: readonly (readonly [FileKind, readonly number[]])[] = [
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['tiff', [0x4d, 0x4d, 0x00, 0x2a]],
]

/**
 * Matches a PDF, after blanks or a byte order mark, which some editors add. PDF readers accept other leading bytes too,
 * but then a file could be of two types at once.
 */
const PDF = /^(?:\u00ef\u00bb\u00bf)?[\0\t\n\f\r ]{0,64}%PDF-\d/

/** Returns the type of a file, or `null` if the type is not supported. */
export function kindOf(bytes: Uint8Array): FileKind | null {
  for (const [kind, signature] of SIGNATURES)
    if (signature.every((byte, at) => bytes[at] === byte)) return kind
  return PDF.test(Buffer.from(bytes.subarray(0, 80)).toString('latin1')) ? 'pdf' : null
}
