/** Reports XML problems under the codes of `cuadra/formats`. */
import type { DocumentProblem, EncodingProblem } from '#core/xml/index.ts'
import type { ReadingCode, ReadingItems } from './model/index.ts'

type Kind = DocumentProblem['kind']

/** Codes of the kinds of problem whose code is not `xml.` followed by the kind. */
const OTHER_NAMES = {
  no_record: 'format.unknown',
  unknown_element: 'xml.unknown',
  stray_text: 'xml.text',
} as const
type Renamed = keyof typeof OTHER_NAMES

const isRenamed = (kind: Kind): kind is Renamed => Object.hasOwn(OTHER_NAMES, kind)
const codeOf = (kind: Kind): ReadingCode => (isRenamed(kind) ? OTHER_NAMES[kind] : `xml.${kind}`)

export function refuseProblem(problem: DocumentProblem, items: ReadingItems): void {
  const { kind, element, field, parent, line, column, received, allowed, detail } = problem
  items.refuseAt(codeOf(kind), element, {
    line,
    column,
    ...(field === '' ? {} : { element: field }),
    ...(parent === '' ? {} : { parent }),
    ...(received === undefined ? {} : { received }),
    ...(allowed === undefined ? {} : { allowed }),
    ...(detail === undefined ? {} : { detail }),
  })
}

export function refuseEncoding(
  { kind, encoding, line, column, max_bytes: max }: EncodingProblem,
  size: number,
  items: ReadingItems,
): void {
  if (kind === 'size') items.refuse('format.too_large', '', { received: size, allowed: max })
  else if (kind === 'empty') items.refuse('format.empty', '')
  else items.refuse('xml.encoding', '', { detail: encoding, line, column })
}
