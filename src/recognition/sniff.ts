/** What a file is, by how it begins: its name and its declared type are whatever the sender likes. */
import type { FileKind } from './material.ts'

const SIGNATURES: readonly (readonly [FileKind, readonly number[]])[] = [
  ['jpeg', [0xff, 0xd8, 0xff]],
  ['png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['tiff', [0x49, 0x49, 0x2a, 0x00]],
  ['tiff', [0x4d, 0x4d, 0x00, 0x2a]],
]

/** Blanks, and the mark that some editors put at the beginning of a file. Readers of PDF forgive more, which is how one file becomes two things. */
const PDF = /^(?:\u00ef\u00bb\u00bf)?[\0\t\n\f\r ]{0,64}%PDF-\d/

/** The kind of a file, or `null` where it is none of the four. */
export function kindOf(bytes: Uint8Array): FileKind | null {
  for (const [kind, signature] of SIGNATURES)
    if (signature.every((byte, at) => bytes[at] === byte)) return kind
  return PDF.test(Buffer.from(bytes.subarray(0, 80)).toString('latin1')) ? 'pdf' : null
}
