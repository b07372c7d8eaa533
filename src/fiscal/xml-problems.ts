/** Reading XML of the authority: the same fault has the same code and words, whichever system it is of. */
import type { Locale, Text, ValidationItem } from '../invoice/index.ts'
import { plain, say } from '../messages/index.ts'
import {
  readXml,
  type Vocabulary,
  type XmlElement,
  type XmlProblem,
  type XmlProblemKind,
} from '../xml/index.ts'
import { checkMembers, LOCALE, shown } from './check-options.ts'

/** What the reader can find, in words, with the authority's code for a message like that where it has one. */
export interface XmlCode extends Text {
  readonly code: XmlItemCode
  readonly authority_code: number | null
}

/** The code of something that the reader of XML has found. */
export type XmlItemCode = `xml.${XmlProblemKind}`

export type XmlCodes = Readonly<Record<XmlProblemKind, XmlCode>>

const MESSAGES: Readonly<Record<Exclude<XmlProblemKind, 'no_record'>, Text>> = {
  malformed: {
    en: 'Line {line}, column {column}: not well-formed XML ({detail}). It is cut off or was changed after it was written: take it again from where it was written.',
    es: 'Línea {line}, columna {column}: no es XML bien formado. Está cortado o se modificó después de escribirse: tómelo de nuevo de donde se escribió.',
  },
  doctype: {
    en: 'Line {line}: a document type is never read, nor are entities or external files. Remove the DOCTYPE.',
    es: 'Línea {line}: no se lee ningún DOCTYPE, ni entidades ni ficheros externos. Elimine el DOCTYPE.',
  },
  encoding: {
    en: 'The document says that it is {detail}. Write it in UTF-8.',
    es: 'El documento declara {detail}. Escríbalo en UTF-8.',
  },
  unknown_element: {
    en: 'Line {line}: element {detail} does not belong here and was left out. Remove it.',
    es: 'Línea {line}: el elemento {detail} no corresponde aquí y se ha omitido. Elimínelo.',
  },
  namespace: {
    en: 'Line {line}: {detail} is not the official namespace of this element. Use the namespace of the schema.',
    es: 'Línea {line}: el espacio de nombres de este elemento no es el oficial. Use el del esquema.',
  },
  order: {
    en: 'Line {line}: element {detail} comes too late. Follow the order of the schema.',
    es: 'Línea {line}: el elemento {detail} llega tarde. Siga el orden del esquema.',
  },
  repeated: {
    en: 'Line {line}: element {detail} occurs again; the first one was kept. Remove the others.',
    es: 'Línea {line}: el elemento {detail} se repite; se ha conservado el primero. Elimine los demás.',
  },
  stray_text: {
    en: 'Line {line}: text between elements: "{detail}". Remove it.',
    es: 'Línea {line}: texto entre elementos: «{detail}». Elimínelo.',
  },
  limit: {
    en: 'Line {line}: {detail}: no record is like that; the rest was not read. Check where the document comes from.',
    es: 'Línea {line}: es más profundo o más largo que cualquier registro; no se ha leído el resto. Compruebe de dónde procede el documento.',
  },
}

/** The official schema would refuse the message: of both systems under this number. */
const SCHEMA_CODE = 4102
const STRUCTURE: readonly string[] = ['unknown_element', 'namespace', 'order', 'repeated', 'stray_text']

/** The table of a system: its own words for a document of which it knows no element, and its own numbers. */
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

/** The reader's problems as validation items; `lenient` says that what reading went on after is a warning. */
export const xmlItems = (
  problems: readonly XmlProblem[],
  codes: XmlCodes,
  locale: Locale,
  lenient = false,
): ValidationItem<XmlItemCode>[] =>
  problems.map(({ kind, path, line, column, detail, tolerated }) => {
    const { code, authority_code, ...text } = codes[kind]
    const severity = lenient && tolerated ? 'warning' : 'error'
    const place = { line, column, detail: detail.replace(/\.$/, '') }
    const extra = authority_code === null ? place : { ...place, authority_code }
    const law = authority_code === null ? '' : `AEAT ${authority_code}`
    return say({ ...plain(text), law }, { source: 'schema', code, path, extra, severity }, locale)
  })

/** A document of a vocabulary, and what is wrong with its structure. Only options and what is no text throw. */
export function readDocument(
  xml: unknown,
  options: { readonly locale?: Locale },
  vocabulary: Vocabulary,
  codes: XmlCodes,
  lenient = false,
): { readonly element: XmlElement | null; readonly items: ValidationItem<XmlItemCode>[] } {
  checkMembers(options, { locale: LOCALE }, 'options')
  if (typeof xml !== 'string')
    throw new TypeError(`cuadra: the XML is ${shown(xml)}; pass a text, its bytes decoded as UTF-8`)
  const { element, problems } = readXml(vocabulary, xml)
  return { element, items: xmlItems(problems, codes, options.locale ?? 'en', lenient) }
}
