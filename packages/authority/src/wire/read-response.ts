/** Checks that a response matches the message that was sent, and that it states a result. */

import type { Text, ValidationItem } from '#core/invoice/index.ts'
import { decodeXml, rootOf } from '#core/xml/index.ts'
import { messageState } from '#records/fiscal/index.ts'
import {
  type FaultReading,
  readPaymentsResponse,
  readQueryResponse,
  readResponse,
  readSii,
} from '#records/sii/index.ts'
import {
  readFaultResponse,
  readRecordsResponse,
  readVerifactu,
  readResponse as readVerifactuRecords,
  type VerifactuDocument,
} from '#records/verifactu/index.ts'
import type { Message, SiiMessage, VerifactuMessage } from './wire-message.ts'
import type { ProblemCode } from './wire-problems.ts'

export type ResponseReading =
  /** A response that states the result of the message. `document` is the parsed response; null for the SII. */
  | { readonly is: 'response'; readonly document: VerifactuDocument | null }
  /** A SOAP fault with the authority's code. */
  | { readonly is: 'fault'; readonly document: VerifactuDocument | null; readonly code: number | null }
  | {
      readonly is: 'problem'
      readonly problem: ProblemCode
      readonly detail?: string
      readonly reason?: Text
    }

const BOM = /^\uFEFF/
const DECLARATION = /^<\?xml[^>]*\?>/
/** Matches codes of XML errors at which the XML reader stops. */
const BROKEN = /^xml\.(?:malformed|doctype|encoding|limit)$/

/**
 * Decodes a response. The encoding is that of its byte order mark or XML declaration, otherwise UTF-8, otherwise the
 * charset of the header.
 */
export function decoded(body: Buffer, contentType: string | undefined): string | null {
  const read = decodeXml(body, body.length)
  if (read.text !== null) return read.text.replace(DECLARATION, '')
  const charset = /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '')?.[1]
  if (charset === undefined || read.problem.kind === 'mark') return null
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body).replace(BOM, '').replace(DECLARATION, '')
  } catch {
    return null
  }
}

/** Returns why a text cannot be read, in both languages. `again` returns the same problems in Spanish. */
const unreadable = (
  [first]: readonly ValidationItem[],
  again: () => readonly ValidationItem[],
): ResponseReading => ({
  is: 'problem',
  problem: 'response_unreadable',
  reason: { en: first?.message ?? '', es: again()[0]?.message ?? '' },
})

/** Whether an entry of a response contains an invoice number. A server may omit members that the schema requires. */
const isIdentified = (line: unknown): boolean => {
  const { IDFactura: id } = (line ?? {}) as { IDFactura?: { NumSerieFactura?: unknown } }
  return typeof id?.NumSerieFactura === 'string'
}

const unexpected = (detail: string): ResponseReading => ({
  is: 'problem',
  problem: 'response_unexpected',
  detail,
})

const undecided = (detail?: string): ResponseReading => ({
  is: 'problem',
  problem: 'response_undecided',
  ...(detail === undefined ? {} : { detail }),
})

/** Returns the response if it states a result, otherwise `response_undecided` with the part that does not. */
const decided = (
  isKnown: boolean,
  named: string,
  document: VerifactuDocument | null = null,
): ResponseReading => (isKnown ? { is: 'response', document } : undecided(named))

function readRecords(document: VerifactuDocument): ResponseReading {
  if (document.root !== 'RespuestaRegFactuSistemaFacturacion') return unexpected(document.root)
  const { value } = document
  if (messageState(value.EstadoEnvio) === undefined)
    return undecided(`EstadoEnvio ${String(value.EstadoEnvio)}`)
  if (!(value.RespuestaLinea ?? []).every(isIdentified)) return undecided('RespuestaLinea/IDFactura')
  const { state, lines } = readVerifactuRecords(value)
  const isKnown = state !== 'unknown' && lines.every((line) => line.state !== 'unknown')
  return decided(isKnown, 'RespuestaLinea/EstadoRegistro', document)
}

function readStored(document: VerifactuDocument): ResponseReading {
  if (document.root !== 'RespuestaConsultaFactuSistemaFacturacion') return unexpected(document.root)
  if (!/^(?:Con|Sin)Datos$/.test(document.value.ResultadoConsulta ?? ''))
    return undecided(`ResultadoConsulta ${String(document.value.ResultadoConsulta)}`)
  const rows = document.value.RegistroRespuestaConsultaFactuSistemaFacturacion ?? []
  if (!rows.every(isIdentified)) return undecided('IDFactura')
  const { lines } = readRecordsResponse(document.value)
  const isKnown = lines.every(({ state }) => state !== 'unknown')
  return decided(isKnown, 'EstadoRegistro', document)
}

function readVerifactuResponse(text: string, { operation }: VerifactuMessage): ResponseReading {
  const { document, items } = readVerifactu(text)
  if (document === null || items.some(({ code }) => BROKEN.test(code)))
    return unreadable(items, () => readVerifactu(text, { locale: 'es' }).items)
  if (document.root === 'Fault') {
    const { fault } = readFaultResponse(document.value)
    return fault ? { is: 'fault', document, code: fault.code } : undecided()
  }
  return operation === 'query' ? readStored(document) : readRecords(document)
}

/** Reads the response of the SII to a submission. */
function readSiiRecords(text: string): ResponseReading {
  const read = readResponse(text)
  if (!read.ok) return unexpected('')
  const { aeat_state, lines } = read.response
  if (messageState(aeat_state) === undefined) return undecided(`EstadoEnvio ${String(aeat_state)}`)
  return decided(
    lines.every(({ item_status }) => item_status !== 'unknown'),
    'RespuestaLinea/EstadoRegistro',
  )
}

function readSiiStored(text: string): ResponseReading {
  const read = readQueryResponse(text)
  if (!read.ok) return unexpected('')
  return decided(
    read.response.records.every(({ item_status }) => item_status !== 'unknown'),
    'EstadoRegistro',
  )
}

/**
 * Reads the response to a query for stored collections or payments. Date, amount and means identify each entry. A
 * payment whose entry lacks them would be sent again, so such a response is undecided.
 */
function readSiiPayments(text: string): ResponseReading {
  const read = readPaymentsResponse(text)
  if (!read.ok) return unexpected('')
  return decided(
    read.response.payments.every(({ date, amount, means }) => date && amount !== null && means),
    'DatosCobro, DatosPago',
  )
}

const STORED_READERS = {
  issued: readSiiStored,
  received: readSiiStored,
  collections: readSiiPayments,
  payments: readSiiPayments,
} as const

function readSiiResponse(text: string, { operation, book }: SiiMessage): ResponseReading {
  const read = readSii(text)
  if (!read.ok || read.items.some(({ code }) => BROKEN.test(code)))
    return unreadable(read.items, () => readSii(text, { locale: 'es' }).items)
  if (read.root === 'Fault') return { is: 'fault', document: null, code: (read.value as FaultReading).code }
  const reading = operation === 'query' ? STORED_READERS[book](text) : readSiiRecords(text)
  return reading.is === 'problem' && reading.problem === 'response_unexpected'
    ? unexpected(read.root)
    : reading
}

/** Matches root elements of responses. Responses without an envelope are read too. */
const ROOT = /^(?:Envelope|Fault|Respuesta\w+)$/

/** Reads the response to a message. Reads only the beginning of an unrelated document. */
export function readResponseTo(message: Message, text: string): ResponseReading {
  const root = rootOf(text)
  if (root !== null && !ROOT.test(root.name)) return unexpected(root.name)
  return message.service === 'sii' ? readSiiResponse(text, message) : readVerifactuResponse(text, message)
}
