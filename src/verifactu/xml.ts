/** XML of VeriFactu: writing what is sent and stored, reading that and every answer of the authority. */
import { isObject } from '../fiscal/check-options.ts'
import { type Extra, fill, type Locale, type Text, type ValidationItem } from '../invoice/index.ts'
import {
  type Fault,
  readXml,
  type WriteOptions,
  writeXml,
  type XmlElement,
  type XmlProblem,
  type XmlProblemKind,
  XmlReader,
} from '../xml/index.ts'
import { EMPTY_REQUEST, MALFORMED_XML, NOT_UTF8 } from './rules/structure.ts'
import type {
  Consulta,
  Envio,
  FiscalRecord,
  RegistroAlta,
  RegistroAnulacion,
  RegistroEvento,
  Respuesta,
  RespuestaConsulta,
} from './types.ts'
import { vocabulary } from './vocabulary.ts'

/**
 * The XML of one record, UTF-8, in one line: what is hashed, signed and stored.
 *
 * Throws an `XmlWriteError` that lists every part which the official schema refuses: nothing is half-written.
 */
export function recordXml(record: FiscalRecord, options: Omit<WriteOptions, 'soap'> = {}): string {
  const root = Object.keys(record ?? {})[0] ?? 'RegistroAlta'
  return writeXml(vocabulary(), root, (record as Record<string, unknown> | null)?.[root], options)
}

/**
 * The XML of a message of 1 to 1,000 records, by default in its SOAP 1.1 envelope; an empty `RemisionVoluntaria` is
 * left out. Errors as `recordXml`.
 *
 * A signed record is stored and sent as it is: put its XML text into the envelope instead of writing it again.
 */
export const submissionXml = (message: Envio, options: WriteOptions = {}): string =>
  writeXml(vocabulary(), 'RegFactuSistemaFacturacion', withoutEmptyBlock(message), { soap: true, ...options })

/** A voluntary submission that says nothing of itself has no block for it (web service description 1.0.3). */
function withoutEmptyBlock(message: Envio): Envio {
  const { RemisionVoluntaria: voluntary, ...header } = message?.Cabecera ?? {}
  const empty = isObject(voluntary) && Object.values(voluntary).every((value) => value === undefined)
  return empty ? { ...message, Cabecera: header as Envio['Cabecera'] } : message
}

/** The XML of a query, by default in its SOAP 1.1 envelope. Errors as `recordXml`. */
export const queryXml = (query: Consulta, options: WriteOptions = {}): string =>
  writeXml(vocabulary(), 'ConsultaFactuSistemaFacturacion', query, { soap: true, ...options })

interface Documents {
  readonly RegistroAlta: RegistroAlta
  readonly RegistroAnulacion: RegistroAnulacion
  readonly RegistroEvento: RegistroEvento
  readonly RegFactuSistemaFacturacion: Envio
  readonly ConsultaFactuSistemaFacturacion: Consulta
  readonly RespuestaRegFactuSistemaFacturacion: Respuesta
  readonly RespuestaConsultaFactuSistemaFacturacion: RespuestaConsulta
  readonly RespuestaValContenidoFactuSistemaFacturacion: Readonly<Record<string, unknown>>
  readonly Fault: Fault
}

/** A document under the name of its root element. */
export type VerifactuDocument = {
  [Root in keyof Documents]: { readonly root: Root; readonly value: Documents[Root] }
}[keyof Documents]

export type VerifactuReading =
  | { readonly ok: true; readonly document: VerifactuDocument; readonly items: readonly ValidationItem[] }
  | { readonly ok: false; readonly document: null; readonly items: readonly ValidationItem[] }

interface Words {
  readonly code: string
  /** The authority's code for a message like that, where it has one. */
  readonly authority_code: number | null
  readonly en: string
  readonly es: string
}

/** The official schema would refuse the message. */
const SCHEMA_CODE = 4102

/** What the reader can find, with the authority's code where it has one. */
export const XML_CODES: Readonly<Record<XmlProblemKind, Words>> = {
  malformed: {
    code: 'xml.malformed',
    authority_code: MALFORMED_XML.code,
    en: 'Line {line}, column {column}: not well-formed XML ({detail}). It is cut off or was changed after it was written: take it again from where it was written.',
    es: 'Línea {line}, columna {column}: no es XML bien formado. Está cortado o se modificó después de escribirse: tómelo de nuevo de donde se escribió.',
  },
  doctype: {
    code: 'xml.doctype',
    authority_code: null,
    en: 'Line {line}: a document type is never read, nor are entities or external files. Remove the DOCTYPE.',
    es: 'Línea {line}: no se lee ningún DOCTYPE, ni entidades ni ficheros externos. Elimine el DOCTYPE.',
  },
  encoding: {
    code: 'xml.encoding',
    authority_code: NOT_UTF8.code,
    en: 'The document says that it is {detail}. Write it in UTF-8.',
    es: 'El documento declara {detail}. Escríbalo en UTF-8.',
  },
  no_record: {
    code: 'xml.no_record',
    authority_code: EMPTY_REQUEST.code,
    en: 'The document has no VeriFactu element. Send a RegistroAlta, RegistroAnulacion or RegistroEvento, a message, or an answer.',
    es: 'El documento no tiene ningún elemento VeriFactu. Envíe un RegistroAlta, RegistroAnulacion o RegistroEvento, un envío o una respuesta.',
  },
  unknown_element: {
    code: 'xml.unknown_element',
    authority_code: SCHEMA_CODE,
    en: 'Line {line}: element {detail} does not belong here and was left out. Remove it.',
    es: 'Línea {line}: el elemento {detail} no corresponde aquí y se ha omitido. Elimínelo.',
  },
  namespace: {
    code: 'xml.namespace',
    authority_code: SCHEMA_CODE,
    en: 'Line {line}: {detail} is not the official namespace of this element. Use the namespace of the schema.',
    es: 'Línea {line}: el espacio de nombres de este elemento no es el oficial. Use el del esquema.',
  },
  order: {
    code: 'xml.order',
    authority_code: SCHEMA_CODE,
    en: 'Line {line}: element {detail} comes too late. Follow the order of the schema.',
    es: 'Línea {line}: el elemento {detail} llega tarde. Siga el orden del esquema.',
  },
  repeated: {
    code: 'xml.repeated',
    authority_code: SCHEMA_CODE,
    en: 'Line {line}: element {detail} occurs again; the first one was kept. Remove the others.',
    es: 'Línea {line}: el elemento {detail} se repite; se ha conservado el primero. Elimine los demás.',
  },
  stray_text: {
    code: 'xml.stray_text',
    authority_code: SCHEMA_CODE,
    en: 'Line {line}: text between elements: "{detail}". Remove it.',
    es: 'Línea {line}: texto entre elementos: «{detail}». Elimínelo.',
  },
  limit: {
    code: 'xml.limit',
    authority_code: null,
    en: 'Line {line}: {detail}: no record is like that; the rest was not read. Check where the document comes from.',
    es: 'Línea {line}: es más profundo o más largo que cualquier registro; no se ha leído el resto. Compruebe de dónde procede el documento.',
  },
}

/** The reader's problems as validation items. */
export function xmlItems(problems: readonly XmlProblem[], locale: Locale = 'en'): ValidationItem[] {
  return problems.map(({ kind, path, line, column, detail }) => {
    const words = XML_CODES[kind]
    const { authority_code } = words
    const extra: Extra = {
      line,
      column,
      detail: detail.replace(/\.$/, ''),
      ...(authority_code === null ? {} : { authority_code }),
    }
    const text: Text = { en: words.en, es: words.es }
    return {
      source: 'schema',
      code: words.code,
      message: fill(text[locale], extra) + (authority_code === null ? '' : ` (AEAT ${authority_code})`),
      path,
      extra,
      severity: 'error',
    }
  })
}

/**
 * Reads any VeriFactu document: a record, a message, a query, an answer or a SOAP fault, with or without its
 * envelope and with any prefix.
 *
 * `items` name what does not fit the schema's structure; values are as in the text (`checkRecord` judges them).
 * Never throws for any text; a document type, entities or malformed XML give no document at all.
 *
 * @example
 * readVerifactu('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>').items.map((item) => item.code) // => ['xml.doctype']
 */
export function readVerifactu(xml: string, { locale = 'en' }: { locale?: Locale } = {}): VerifactuReading {
  if (typeof xml !== 'string')
    throw new TypeError('cuadra: readVerifactu needs a text; decode bytes as UTF-8 first')
  const { element, problems } = readXml(vocabulary(), xml)
  const items = xmlItems(problems, locale)
  return element
    ? { ok: true, document: { root: element.name, value: element.value } as VerifactuDocument, items }
    : { ok: false, document: null, items }
}

/** Elements that are records. */
const RECORDS = ['RegistroAlta', 'RegistroAnulacion', 'RegistroEvento']

export interface RecordReading {
  readonly record: FiscalRecord
  /** Line of the file on which it begins. */
  readonly line: number
  readonly items: readonly ValidationItem[]
}

/**
 * Reads the records of a file of any size: `write` its text in pieces, `close`, and take each record as it ends.
 * Records may stand alone, in messages, or in any element around them.
 */
export class RecordReader {
  readonly #reader: XmlReader
  readonly #locale: Locale
  constructor(onRecord: (reading: RecordReading) => void, { locale = 'en' }: { locale?: Locale } = {}) {
    this.#locale = locale
    this.#reader = new XmlReader(vocabulary(), {
      emit: [...RECORDS, 'RegistroFactura'],
      onElement: ({ name, value, line, problems }: XmlElement) => {
        if (RECORDS.includes(name))
          onRecord({
            record: { [name]: value } as unknown as FiscalRecord,
            line,
            items: xmlItems(problems, locale),
          })
      },
    })
  }
  write(piece: string): void {
    this.#reader.write(piece)
  }
  /** What is wrong with the file as a whole. */
  close(): ValidationItem[] {
    this.#reader.close()
    return xmlItems(this.#reader.problems, this.#locale)
  }
}
