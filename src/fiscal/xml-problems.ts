/** Reads XML of the authority. VeriFactu and SII report a fault under the same code and message. */
import type { Locale, Text, ValidationItem } from '../invoice/index.ts'
import { createItem, plain } from '../messages/index.ts'
import {
  readXml,
  type Vocabulary,
  type XmlElement,
  type XmlProblem,
  type XmlProblemKind,
} from '../xml/index.ts'
import { checkMembers, LOCALE, shown } from './check-options.ts'

/** The message of a fault, and the authority's code for it if there is one. */
export interface XmlCode extends Text {
  readonly code: XmlItemCode
  readonly authority_code: number | null
}

/** The code of a fault that the XML reader reports. */
export type XmlItemCode = `xml.${XmlProblemKind}`

export type XmlCodes = Readonly<Record<XmlProblemKind, XmlCode>>

const MESSAGES: Readonly<Record<Exclude<XmlProblemKind, 'no_record'>, Text>> = {
  malformed: {
    en: 'Line {line}, column {column}: not well-formed XML ({detail}). The document is truncated or was modified: get it again from its source.',
    es: 'Línea {line}, columna {column}: no es XML bien formado. El documento está cortado o se modificó: obténgalo de nuevo de su origen.',
  },
  doctype: {
    en: 'Line {line}: DOCTYPE, entities and external files are not supported. Remove the DOCTYPE.',
    es: 'Línea {line}: no se admiten DOCTYPE, entidades ni ficheros externos. Elimine el DOCTYPE.',
  },
  encoding: {
    en: 'The document declares {detail}. Write it in UTF-8.',
    es: 'El documento declara {detail}. Escríbalo en UTF-8.',
  },
  unknown_element: {
    en: 'Line {line}: element {detail} does not belong here and was skipped. Remove it.',
    es: 'Línea {line}: el elemento {detail} no corresponde aquí y se ha omitido. Elimínelo.',
  },
  namespace: {
    en: 'Line {line}: {detail} is not the official namespace of this element. Use the namespace of the schema.',
    es: 'Línea {line}: el espacio de nombres de este elemento no es el oficial. Use el del esquema.',
  },
  order: {
    en: 'Line {line}: element {detail} is out of order. Follow the order of the schema.',
    es: 'Línea {line}: el elemento {detail} está fuera de orden. Siga el orden del esquema.',
  },
  repeated: {
    en: 'Line {line}: element {detail} is repeated; only the first one was kept. Remove the others.',
    es: 'Línea {line}: el elemento {detail} se repite; solo se ha conservado el primero. Elimine los demás.',
  },
  stray_text: {
    en: 'Line {line}: text between elements: "{detail}". Remove it.',
    es: 'Línea {line}: texto entre elementos: «{detail}». Elimínelo.',
  },
  limit: {
    en: 'Line {line}: {detail}, more than any record has; the rest was not read. Check the source of the document.',
    es: 'Línea {line}: más profundo o más largo que cualquier registro; no se ha leído el resto. Compruebe el origen del documento.',
  },
}

/** The authority's code for a message that its schema rejects, in both systems. */
const SCHEMA_CODE = 4102
const STRUCTURE: readonly string[] = ['unknown_element', 'namespace', 'order', 'repeated', 'stray_text']

/**
 * Returns the XML codes of a system, with its own message for a document without known elements, and its own error
 * numbers.
 */
export const xmlCodes = (
  noRecord: Text,
  numbers: Readonly<Partial<Record<XmlProblemKind, number>>>,
): XmlCodes =>
  Object.fromEntries(
    Object.entries({ ...MESSAGES, no_record: noRecord }).map(([kind, messageText]) => {
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
    return createItem({ ...plain(text), law }, { source: 'schema', code, path, extra, severity }, locale)
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
    throw new TypeError(`cuadra: the XML is ${shown(xml)}; pass a string, decoded as UTF-8`)
  const { element, problems } = readXml(vocabulary, xml)
  return { element, items: xmlItems(problems, codes, options.locale ?? 'en', lenient) }
}
