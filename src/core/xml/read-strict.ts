/** Reads a whole document and validates it against its schema. */
import { MAX_XML_BYTES } from './encoding.ts'
import { readFirst } from './read-xml.ts'
import type { Vocabulary } from './shapes.ts'
import { type DocumentProblem, StrictCheck } from './strict.ts'

const TOO_LONG: DocumentProblem = {
  kind: 'limit',
  element: '',
  path: '',
  field: '',
  parent: '',
  line: 1,
  column: 1,
  detail: `more than ${MAX_XML_BYTES} characters`,
}

/** Result of reading and validating a document. */
export interface StrictReading {
  /** Local name of the root; null if it is not in the vocabulary or the document could not be read to its end. */
  readonly name: string | null
  /** The parts of the document that fit the shape; use it only if there are no problems. */
  readonly value: unknown
  /** All violations of the official schema; empty for a valid document. */
  readonly problems: readonly DocumentProblem[]
  /** Number of problems that are not listed. */
  readonly more: number
}

/**
 * Reads a whole document and validates it against its schema: order, occurrences, names, namespaces, attributes, lists,
 * lengths, patterns and types. Texts are normalised by their types: an amount has no blanks around it.
 *
 * Never throws for any text. Decode bytes first (`decodeXml`).
 */
export function readStrict(vocabulary: Vocabulary, text: string): StrictReading {
  const plain = text.replace(/^\uFEFF/, '')
  if (plain.length > MAX_XML_BYTES) return { name: null, value: null, problems: [TOO_LONG], more: 0 }
  const strict = new StrictCheck(vocabulary, plain)
  const { element, reader } = readFirst(vocabulary, plain, strict)
  const stops = reader.problems.map(
    ({ kind, line, column, detail }): DocumentProblem => ({
      kind,
      ...strict.location(),
      field: kind === 'no_record' ? detail : '',
      parent: '',
      line,
      column: column + 1,
      detail,
    }),
  )
  const problems = [...stops, ...strict.problems]
  return { name: element?.name ?? null, value: element?.value ?? null, problems, more: strict.more }
}
