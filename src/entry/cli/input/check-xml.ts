/** Reads XML documents into invoices and checks them. Loaded on demand. */

import { decodeXml } from '#core/xml/index.ts'
import type { ValidationItem } from '#engine/index.ts'
import { detectFormat, type FormatCode, type Reading, readInvoice } from '#formats/index.ts'
import { type DocumentResult, type Origin, type Outcome, outcomeOf } from './check-document.ts'
import { errorItem } from './input-faults.ts'
import type { Settings } from './input-settings.ts'
import { positionsOf, type XmlSource } from './xml-locations.ts'

const LINES = /<(?:[\w.-]+:)?InvoiceLine[\s>]/g

/** Returns the XML source of an invoice. `part` selects an invoice in a file with several invoices. */
export function sourceOf(
  bytes: Uint8Array,
  { format, document }: Reading,
  part?: { readonly number: number; readonly text: string },
): XmlSource {
  const text = decodeXml(bytes).text ?? ''
  const { root } = detectFormat(text)
  // Expenses are lines in Facturae but not in json_1_1, so line indexes differ. Other formats only add lines at the
  // end.
  const sameLines =
    !format?.startsWith('facturae') ||
    (part?.text ?? text).match(LINES)?.length === document?.invoice.lines.length
  return { text, format, root, part: part?.number ?? 0, sameLines }
}

/** Returns a result whose items have the line and column of their XML element in `extra`. */
export function xmlResultOf(
  origin: Origin,
  source: XmlSource,
  outcome: Outcome,
  document: unknown,
): DocumentResult {
  const positions = positionsOf(outcome.errors, source)
  const errors = outcome.errors.map(
    (item, index): ValidationItem => ({ ...item, extra: { ...item.extra, ...positions[index] } }),
  )
  return { ...origin, text: source.text, outcome: { ...outcome, errors }, document, faultAt: null, positions }
}

/** Returns the direction of the invoice: received, unless the operation implies that it is issued. */
const directionOf = ({ options: { operation = 'received' } }: Settings) =>
  operation === 'received' ? 'received' : 'issued'

/** Reads one document and runs the command on it. Never throws, whatever the document contains. */
export function checkXml(bytes: Uint8Array, origin: Origin, settings: Settings): DocumentResult {
  const { locale } = settings
  const refused = (format: FormatCode | null, errors: readonly ValidationItem[]): Outcome => ({
    is_valid: false,
    format,
    errors,
    data: null,
  })
  try {
    const reading = readInvoice(bytes, { locale, direction: directionOf(settings) })
    const { format, document, errors } = reading
    const source = sourceOf(bytes, reading)
    if (document === null) return xmlResultOf(origin, source, refused(format, errors), undefined)
    const { is_valid, errors: problems, ...rest } = outcomeOf(document, settings)
    const outcome = { is_valid, format, errors: [...errors, ...problems], ...rest }
    return xmlResultOf(origin, source, outcome, document)
  } catch (error) {
    const item = errorItem('engine.failure', { reason: (error as Error).message }, locale)
    return { ...origin, text: '', outcome: refused(null, [item]), document: undefined, faultAt: 0 }
  }
}
