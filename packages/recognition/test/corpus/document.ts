/** A document of the corpus: a function that makes it, and its expected content. */
import type { FileKind } from '../../src/index.ts'
import type { Truth } from './truth.ts'

export interface Document {
  readonly name: string
  /** The program that made the document. */
  readonly generator: string
  readonly kind: FileKind
  /** Source of the values: embedded data, a text layer, or pixels. */
  readonly source: 'xml' | 'text' | 'scan'
  readonly pages: number
  readonly has_code: boolean
  readonly truth: Truth
  readonly make: () => Promise<Uint8Array>
  /** The reason why this machine cannot make the document. */
  readonly missing: string | undefined
}
