/** Decodes the document to text. */
import { decodeXml, type EncodingProblem } from '#core/xml/index.ts'

export interface DecodedText {
  /** The decoded text; null if the bytes cannot be decoded. */
  readonly text: string | null
  /** Encoding of the bytes; null if the document was passed as text. */
  readonly encoding: string | null
  readonly problem: EncodingProblem | null
}

/** Decodes a document. Throws a `TypeError` if it is neither text nor bytes. */
export function decode(document: unknown): DecodedText {
  if (typeof document === 'string') return { text: document, encoding: null, problem: null }
  if (document instanceof Uint8Array) return decodeXml(document)
  if (document instanceof ArrayBuffer) return decodeXml(new Uint8Array(document))
  throw new TypeError('cuadra: pass the document as a string, a Uint8Array or an ArrayBuffer')
}
