/** The document as text, whatever it was given as. */
import { decodeXml, type EncodingProblem } from '../xml/index.ts'

export interface Text {
  /** Null where the bytes cannot be read. */
  readonly text: string | null
  /** Encoding of the bytes; null for what was a text already. */
  readonly encoding: string | null
  readonly problem: EncodingProblem | null
}

/** What is neither text nor bytes is a programmer's mistake and throws a `TypeError`. */
export function decode(document: unknown): Text {
  if (typeof document === 'string') return { text: document, encoding: null, problem: null }
  if (document instanceof Uint8Array) return decodeXml(document)
  if (document instanceof ArrayBuffer) return decodeXml(new Uint8Array(document))
  throw new TypeError('cuadra: pass the document as a text, a Uint8Array or an ArrayBuffer')
}
