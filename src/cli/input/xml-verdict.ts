/** Documents in XML: read into an invoice, and judged as any other. Loaded only where there is one. */
import type { ValidationItem } from '../../api/index.ts'
import { detectFormat, type FormatCode, type Reading, readInvoice } from '../../formats/index.ts'
import { decodeXml } from '../../xml/index.ts'
import { faultItem } from './faults.ts'
import type { Settings } from './settings.ts'
import { type Answer, answerOf, type Origin, type Verdict } from './verdict.ts'
import { marksOf, type XmlSource } from './xml-places.ts'

const LINES = /<(?:[\w.-]+:)?InvoiceLine[\s>]/g

/** The document around the items; `part` is the one of a file of several that was read. */
export function sourceOf(
  bytes: Uint8Array,
  { format, document }: Reading,
  part?: { readonly number: number; readonly text: string },
): XmlSource {
  const text = decodeXml(bytes).text ?? ''
  const { root } = detectFormat(text)
  // Facturae has lines for what json_1_1 keeps elsewhere (expenses); the other formats only add lines at the end.
  const sameLines =
    !format?.startsWith('facturae') ||
    (part?.text ?? text).match(LINES)?.length === document?.invoice.lines.length
  return { text, format, root, part: part?.number ?? 0, sameLines }
}

/** A verdict whose items point into the XML. Programs find the place in `extra`. */
export function verdictOf(origin: Origin, source: XmlSource, answer: Answer, document: unknown): Verdict {
  const marks = marksOf(answer.errors, source)
  const errors = answer.errors.map(
    (item, index): ValidationItem => ({ ...item, extra: { ...item.extra, ...marks[index] } }),
  )
  return { ...origin, text: source.text, answer: { ...answer, errors }, document, faultAt: null, marks }
}

/** Whose invoice it is: the operation says so, and without one it was received. */
const directionOf = ({ options: { operation = 'received' } }: Settings) =>
  operation === 'received' ? 'received' : 'issued'

/** Reads one document and answers what the command asks of it. Nothing that it holds makes it throw. */
export function checkXml(bytes: Uint8Array, origin: Origin, settings: Settings): Verdict {
  const { locale } = settings
  const refused = (format: FormatCode | null, errors: readonly ValidationItem[]): Answer => ({
    is_valid: false,
    format,
    errors,
    data: null,
  })
  try {
    const reading = readInvoice(bytes, { locale, direction: directionOf(settings) })
    const { format, document, errors } = reading
    const source = sourceOf(bytes, reading)
    if (document === null) return verdictOf(origin, source, refused(format, errors), undefined)
    const { is_valid, errors: problems, ...rest } = answerOf(document, settings)
    const answer = { is_valid, format, errors: [...errors, ...problems], ...rest }
    return verdictOf(origin, source, answer, document)
  } catch (error) {
    const item = faultItem('engine.failure', { reason: (error as Error).message }, locale)
    return { ...origin, text: '', answer: refused(null, [item]), document: undefined, faultAt: 0 }
  }
}
