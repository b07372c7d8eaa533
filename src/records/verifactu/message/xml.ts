/** Writes the XML of records, messages and queries, and reads them and every response of the authority. */

import type { Locale, ValidationItem } from '#core/invoice/index.ts'
import { type Fault, type WriteOptions, writeXml } from '#core/xml/index.ts'
import { isObject } from '../../fiscal/check-options.ts'
import { readDocument, type XmlCodes, type XmlItemCode, xmlCodes } from '../../fiscal/xml-problems.ts'
import type {
  Consulta,
  Envio,
  FiscalRecord,
  RegistroAlta,
  RegistroAnulacion,
  RegistroEvento,
  Respuesta,
  RespuestaConsulta,
} from '../model/verifactu-record-types.ts'
import { vocabulary } from '../model/verifactu-vocabulary.ts'
import { EMPTY_REQUEST, MALFORMED_XML, NOT_UTF8 } from '../rules/structure-checks.ts'

/**
 * Returns the XML of one record, UTF-8, on one line: the text that is signed and stored.
 *
 * Throws an `XmlWriteError` that lists every part that the official schema rejects.
 */
export function recordXml(record: FiscalRecord, options: Omit<WriteOptions, 'soap'> = {}): string {
  const root = Object.keys(record ?? {})[0] ?? 'RegistroAlta'
  return writeXml(vocabulary(), root, (record as Record<string, unknown> | null)?.[root], options)
}

/**
 * Returns the XML of a message of 1 to 1,000 records, by default in its SOAP 1.1 envelope, without an empty
 * `RemisionVoluntaria`. Throws the same errors as `recordXml`.
 *
 * A signed record must stay unchanged: insert its XML text into the envelope instead of writing it again.
 */
export const submissionXml = (message: Envio, options: WriteOptions = {}): string =>
  writeXml(vocabulary(), 'RegFactuSistemaFacturacion', withoutEmptyBlock(message), { soap: true, ...options })

/** Removes an empty `RemisionVoluntaria`, which the service does not accept (web service description 1.0.3). */
function withoutEmptyBlock(message: Envio): Envio {
  const { RemisionVoluntaria: voluntary, ...header } = message?.Cabecera ?? {}
  const empty = isObject(voluntary) && Object.values(voluntary).every((value) => value === undefined)
  return empty ? { ...message, Cabecera: header as Envio['Cabecera'] } : message
}

/** Returns the XML of a query, by default in its SOAP 1.1 envelope. Throws the same errors as `recordXml`. */
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

/** A parsed document with the name of its root element. */
export type VerifactuDocument = {
  [Root in keyof Documents]: { readonly root: Root; readonly value: Documents[Root] }
}[keyof Documents]

export type VerifactuReading =
  | {
      readonly ok: true
      readonly document: VerifactuDocument
      readonly items: readonly ValidationItem<XmlItemCode>[]
    }
  | { readonly ok: false; readonly document: null; readonly items: readonly ValidationItem<XmlItemCode>[] }

/** Codes of the problems that the reader finds, with the authority's code if there is one. */
export const XML_CODES: XmlCodes = xmlCodes(
  {
    en: 'The document has no VeriFactu element. Send a RegistroAlta, RegistroAnulacion or RegistroEvento, a message, or a response.',
    es: 'El documento no tiene ningún elemento VeriFactu. Envíe un RegistroAlta, RegistroAnulacion o RegistroEvento, un envío o una respuesta.',
  },
  {
    malformed: MALFORMED_XML.code,
    encoding: NOT_UTF8.code,
    no_record: EMPTY_REQUEST.code,
  },
)

/**
 * Reads any VeriFactu document: a record, a message, a query, a response or a SOAP fault, with or without its envelope
 * and with any prefix.
 *
 * `items` list deviations from the structure of the schema; values stay as in the text (`checkRecord` checks them).
 * Never throws for any text. A document type declaration, entities or malformed XML give no document. Throws a
 * `TypeError` for an unknown option or a value that is not a text.
 *
 * @example
 * readVerifactu('<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>').items.map((item) => item.code) // => ['xml.doctype']
 */
export function readVerifactu(xml: string, options: { readonly locale?: Locale } = {}): VerifactuReading {
  const { element, items } = readDocument(xml, options, vocabulary(), XML_CODES)
  return element
    ? { ok: true, document: { root: element.name, value: element.value } as VerifactuDocument, items }
    : { ok: false, document: null, items }
}
