/** What the XML room finds in a document, under the codes of this entry. */
import type { DocumentProblem, EncodingProblem } from '../xml/index.ts'
import type { ReadingCode, ReadingItems } from './model/index.ts'

const CODES: Readonly<Record<DocumentProblem['kind'], ReadingCode>> = {
  malformed: 'xml.malformed',
  doctype: 'xml.doctype',
  encoding: 'xml.encoding',
  limit: 'xml.limit',
  no_record: 'format.unknown',
  unknown_element: 'xml.unknown',
  unknown: 'xml.unknown',
  namespace: 'xml.namespace',
  order: 'xml.order',
  repeated: 'xml.repeated',
  stray_text: 'xml.text',
  missing: 'xml.missing',
  kind: 'xml.kind',
  value: 'xml.value',
  pattern: 'xml.pattern',
  length: 'xml.length',
  exclusive: 'xml.exclusive',
  count: 'xml.count',
  character: 'xml.character',
}

export function refuseProblem(problem: DocumentProblem, items: ReadingItems): void {
  const { kind, element, field, parent, line, column, received, allowed, detail } = problem
  items.refuseAt(CODES[kind], element, {
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
