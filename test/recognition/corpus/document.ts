/** A document of the corpus, and which part of the corpus it belongs to. */
import { createHash } from 'node:crypto'
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

/** Another seed draws another third. */
const SEED = 'cuadra 2026-11-26'

/** The document without the way it was scanned: a scan is held out exactly if its print is. */
const familyOf = ({ name }: Document): string => name.replace(/^scan, \w+: /, '')

const rankOf = (family: string): string => createHash('sha256').update(`${SEED} ${family}`).digest('hex')

/** Draws a third of the families: the details of their documents are not looked at while recognition is built. */
export function heldOutOf(documents: readonly Document[]): ReadonlySet<Document> {
  const families = [...new Set(documents.map(familyOf))].sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : 1))
  const drawn = new Set(families.slice(0, Math.round(families.length / 3)))
  return new Set(documents.filter((document) => drawn.has(familyOf(document))))
}
