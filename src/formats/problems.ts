/** What the XML reader finds, and what the official schema refuses, under the codes of this entry. */
import type { Violation, XmlProblem } from '../xml/index.ts'
import type { ReadingCode, ReadingItems } from './model/index.ts'

const PROBLEMS: Readonly<Record<XmlProblem['kind'], ReadingCode>> = {
  malformed: 'xml.malformed',
  doctype: 'xml.doctype',
  encoding: 'xml.encoding',
  no_record: 'format.unknown',
  unknown_element: 'xml.unknown',
  namespace: 'xml.namespace',
  order: 'xml.order',
  repeated: 'xml.repeated',
  stray_text: 'xml.text',
  limit: 'xml.limit',
}

const lastOf = (pointer: string): string => pointer.split('/').findLast((step) => !/^\d*$/.test(step)) ?? ''

export function problemCodes({ kind, path, line, column, detail }: XmlProblem, items: ReadingItems): void {
  const unknown = kind === 'unknown_element'
  const extra = { line, column, detail, ...(unknown ? { parent: lastOf(path) } : {}) }
  items.refuse(PROBLEMS[kind], unknown ? `${path}/${detail}` : path, extra)
}

const ALLOWED: Readonly<Record<string, string>> = { text: 'text', block: 'elements', list: 'a list' }

export function reportViolation(violation: Violation, items: ReadingItems): void {
  const { kind, path, parent, received, allowed } = violation
  const shown = typeof received === 'string' || typeof received === 'number' ? { received } : {}
  const limit = allowed === undefined ? {} : { allowed: kind === 'kind' ? ALLOWED[String(allowed)] : allowed }
  items.refuse(`xml.${kind}`, path, { parent, ...shown, ...limit })
}
