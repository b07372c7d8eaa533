/** Reads XML in the vocabularies of the authority, with the same codes and messages for VeriFactu and SII. */
import type { Locale, Text, ValidationItem } from '#core/invoice/index.ts'
import { createItem, messageWithoutFix } from '#core/messages/index.ts'
import {
  readXml,
  type Vocabulary,
  type XmlElement,
  type XmlProblem,
  type XmlProblemKind,
} from '#core/xml/index.ts'
import { checkMembers, displayTextOf, LOCALE } from './check-options.ts'
import { XML_PROBLEMS } from './generated/texts/xml-problems.ts'

/** The message of a fault, and the authority's code for it if there is one. */
export interface XmlCode extends Text {
  readonly code: XmlItemCode
  readonly authority_code: number | null
}

/** The code of a fault that the XML reader reports. */
export type XmlItemCode = `xml.${XmlProblemKind}`

export type XmlCodes = Readonly<Record<XmlProblemKind, XmlCode>>

/** The authority's code for a message that its schema rejects, in both systems. */
const SCHEMA_CODE = 4102
const STRUCTURE: readonly string[] = ['unknown_element', 'namespace', 'order', 'repeated', 'stray_text']

/**
 * Returns the XML codes of a system. The message for a document without known elements and the error numbers are
 * specific to the system.
 */
export const xmlCodes = (
  noRecord: Text,
  numbers: Readonly<Partial<Record<XmlProblemKind, number>>>,
): XmlCodes =>
  Object.fromEntries(
    Object.entries({ ...XML_PROBLEMS, no_record: noRecord }).map(([kind, messageText]) => {
      const own = numbers[kind as XmlProblemKind] ?? null
      return [
        kind,
        { code: `xml.${kind}`, authority_code: STRUCTURE.includes(kind) ? SCHEMA_CODE : own, ...messageText },
      ]
    }),
  ) as unknown as XmlCodes

/** Returns the reader's problems as validation items. With `lenient`, tolerated problems are warnings. */
export const xmlItems = (
  problems: readonly XmlProblem[],
  codes: XmlCodes,
  locale: Locale,
  lenient = false,
): ValidationItem<XmlItemCode>[] =>
  problems.map(({ kind, path, line, column, detail, tolerated }) => {
    const { code, authority_code, ...text } = codes[kind]
    const severity = lenient && tolerated ? 'warning' : 'error'
    const position = { line, column, detail: detail.replace(/\.$/, '') }
    const extra = authority_code === null ? position : { ...position, authority_code }
    const law = authority_code === null ? '' : `AEAT ${authority_code}`
    return createItem(
      { ...messageWithoutFix(text), law },
      { source: 'schema', code, path, extra, severity },
      locale,
    )
  })

/**
 * Reads a document of a vocabulary. Returns its root element and the problems of its structure. Throws only for invalid
 * options, and for XML that is not a string.
 */
export function readDocument(
  xml: unknown,
  options: { readonly locale?: Locale },
  vocabulary: Vocabulary,
  codes: XmlCodes,
  lenient = false,
): { readonly element: XmlElement | null; readonly items: ValidationItem<XmlItemCode>[] } {
  checkMembers(options, { locale: LOCALE }, 'options')
  if (typeof xml !== 'string')
    throw new TypeError(`cuadra: the XML is ${displayTextOf(xml)}; pass a string, decoded as UTF-8`)
  const { element, problems } = readXml(vocabulary, xml)
  return { element, items: xmlItems(problems, codes, options.locale ?? 'en', lenient) }
}
