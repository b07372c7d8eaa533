/** Reads any message or response of the SII, and the faults of its service. */

import type { Locale, ValidationItem } from '#core/invoice/index.ts'
import { type Fault, readFault } from '#core/xml/index.ts'
import { readDocument, type XmlCodes, type XmlItemCode, xmlCodes } from '../../fiscal/xml-problems.ts'
import { type ResponseItem, refusals } from '../model/sii-items.ts'
import type { Book } from '../model/sii-record-types.ts'
import { vocabulary } from '../model/sii-vocabulary.ts'
import { type Block, blockOf } from './response-values.ts'

export type SiiDocument =
  | {
      readonly ok: true
      /** Root element, or `Fault`. */
      readonly root: string
      /**
       * The content of the root element, with the element names as members; for `Fault`, a `FaultReading` (`{ code,
       * text, client }`).
       */
      readonly value: unknown
      /** Tolerated deviations (an unknown element, a wrong order), as warnings. */
      readonly items: readonly ValidationItem<XmlItemCode>[]
    }
  | { readonly ok: false; readonly items: readonly ValidationItem<XmlItemCode>[] }

/** Codes of the problems that the reader finds, with the authority's code if there is one. */
export const XML_CODES: XmlCodes = xmlCodes(
  {
    en: 'The document has no SII element. Read a message, a query or a response of the SII.',
    es: 'El documento no tiene ningún elemento del SII. Lea un mensaje, una consulta o una respuesta del SII.',
  },
  {
    malformed: 4103,
    no_record: 4108,
  },
)

/**
 * Reads a message, a query, a response or a SOAP fault, with or without its envelope. Reading the text that `siiXml`
 * writes gives the written value.
 *
 * Never throws for any text. A document type declaration, malformed XML or a document that is not of the SII gives the
 * same items as in `readVerifactu` (`XML_CODES`, with line and column). Source: SII schemas, interface 1.1; SOAP 1.1.
 *
 * @example
 * const envelope = 'http://schemas.xmlsoap.org/soap/envelope/'
 * const fault = '<faultcode>Client</faultcode><faultstring>Codigo[4102].Falta un campo</faultstring>'
 * const read = readSii(`<e:Fault xmlns:e="${envelope}">${fault}</e:Fault>`)
 * read.ok && read.value // => { code: 4102, text: 'Falta un campo', client: true }
 */
export function readSii(xml: string, options: { readonly locale?: Locale } = {}): SiiDocument {
  const { element, items } = readDocument(xml, options, vocabulary(), XML_CODES, true)
  if (!element) return { ok: false, items }
  const { name: root, value } = element
  return { ok: true, root, value: root === 'Fault' ? readFault(value as Fault) : value, items }
}

/** Book and element names of a response to a query. */
export interface QueryShape {
  readonly book: Book
  readonly records: string
  readonly data: string
}

/** A response of the expected type, or the items that explain why the document is not such a response. */
type ExpectedResponse<Shape> =
  | {
      readonly ok: true
      readonly root: string
      readonly shape: Shape
      readonly value: Block
      readonly items: readonly ResponseItem[]
    }
  | { readonly ok: false; readonly items: readonly ResponseItem[] }

/** Returns the shape of a document by its root element; refuses an unexpected root. */
export function responseOf<Shape>(
  read: SiiDocument,
  shapes: Readonly<Record<string, Shape>>,
  locale: Locale = 'en',
): ExpectedResponse<Shape> {
  if (!read.ok) return read
  const { root, items: noted } = read
  const shape = shapes[root]
  if (shape !== undefined) return { ok: true, root, shape, value: blockOf(read.value), items: noted }
  const { items, refuse } = refusals(locale)
  refuse('sii.not_a_response', '', { received: root, expected: Object.keys(shapes) })
  return { ok: false, items }
}
