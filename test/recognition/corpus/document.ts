/** A document of the corpus: how to make it, and what is printed on it. */
import type { FileKind } from '../../../src/recognition/index.ts'
import type { Truth } from './truth.ts'

export interface Document {
  readonly name: string
  /** The program that made it. */
  readonly generator: string
  readonly kind: FileKind
  /** Source of the values: embedded data, a text layer, or pixels. */
  readonly source: 'xml' | 'text' | 'scan'
  readonly pages: number
  readonly has_code: boolean
  readonly truth: Truth
  readonly make: () => Promise<Uint8Array>
  /** Why the document cannot be made here. */
  readonly missing: string | undefined
}
