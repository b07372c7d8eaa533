/** Summaries of the tax authority's responses, with the field names of the API specification. */

import type { Locale } from '#core/invoice/index.ts'
import type { FaultReading } from '#core/xml/index.ts'
import type { SiiStep as NextStep } from '../../fiscal/next-step.ts'
import { type MessageState, messageState } from '../../fiscal/response-state.ts'
import type { ResponseItem } from '../model/sii-items.ts'
import type { Book, SiiOperation } from '../model/sii-record-types.ts'
import { readSii, responseOf } from './read-sii.ts'
import {
  type Block,
  blockOf,
  blocksOf,
  identityOf,
  parseSiiTimestamp,
  type RecordIdentity,
  textOf,
} from './response-values.ts'
import { type ItemStatus, NEXT_STEPS, nextAfterFault, nextAfterLine, statusOf } from './sii-next-step.ts'

export interface ResponseLine extends RecordIdentity {
  readonly external_ref: string | null
  /** Literal of the authority: `Correcto`, `AceptadoConErrores`, `Incorrecto`. */
  readonly aeat_record_state: string
  readonly item_status: ItemStatus
  readonly error_code: string | null
  readonly error_description: string | null
  readonly csv: string | null
  /** State of the stored record, if the line is a duplicate. */
  readonly duplicate: {
    readonly aeat_record_state: string
    readonly item_status: ItemStatus
    readonly error_code: string | null
    readonly error_description: string | null
  } | null
  readonly next: NextStep
  readonly next_text: string
}

export interface ResponseSummary {
  readonly root: string
  /** Null for a fault, which does not state the book. */
  readonly book_type: Book | null
  readonly operation_type: SiiOperation | null
  /** `error`: a SOAP fault; the authority stored no record. */
  readonly global_status: MessageState | 'error'
  /** Literal of the authority: `Correcto`, `ParcialmenteCorrecto`, `Incorrecto`; null for a fault. */
  readonly aeat_state: string | null
  /** Verification code; null if everything was rejected. */
  readonly csv: string | null
  readonly presenter_nif: string | null
  /** `yyyy-mm-ddThh:mm:ss`, Spanish time. */
  readonly presented_at: string | null
  readonly holder: { readonly name: string | null; readonly nif: string | null } | null
  /** Set for a fault only. */
  readonly error_code: string | null
  readonly error_description: string | null
  readonly lines: readonly ResponseLine[]
  /** Next step for the whole message; set for a fault only. */
  readonly next: NextStep | null
  readonly next_text: string | null
}

export type ResponseResult =
  | { readonly ok: true; readonly response: ResponseSummary; readonly items: readonly ResponseItem[] }
  | { readonly ok: false; readonly items: readonly ResponseItem[] }

/** Book and operation of each root element. The operation is null if the header states it. */
const RESPONSES: Readonly<Record<string, readonly [Book, SiiOperation | null]>> = {
  RespuestaLRFacturasEmitidas: ['ISSUED', null],
  RespuestaLRBajaFacturasEmitidas: ['ISSUED', 'BAJA'],
  RespuestaLRCobrosEmitidas: ['ISSUED', 'COBROS'],
  RespuestaLRFacturasRecibidas: ['RECEIVED', null],
  RespuestaLRBajaFacturasRecibidas: ['RECEIVED', 'BAJA'],
  RespuestaLRPagosRecibidas: ['RECEIVED', 'PAGOS'],
}

const stateOf = (state: unknown) => {
  const literal = textOf(state) ?? ''
  return { aeat_record_state: literal, item_status: statusOf(literal) }
}

const errorOf = (line: Block) => ({
  error_code: textOf(line.CodigoErrorRegistro),
  error_description: textOf(line.DescripcionErrorRegistro),
})

function lineOf(line: Block, operation: string, locale: Locale): ResponseLine {
  const state = stateOf(line.EstadoRegistro)
  const error = errorOf(line)
  const before = line.RegistroDuplicado === undefined ? null : blockOf(line.RegistroDuplicado)
  const next = nextAfterLine(state.item_status, error.error_code, operation, before !== null)
  return {
    ...identityOf(line.IDFactura),
    external_ref: textOf(line.RefExterna),
    ...state,
    ...error,
    csv: textOf(line.CSV),
    duplicate: before && { ...stateOf(before.EstadoRegistro), ...errorOf(before) },
    next,
    next_text: NEXT_STEPS[next][locale],
  }
}

/** Returns the status of the message. Derives it from the lines if the response does not state a known status. */
function globalOf(literal: string | null, lines: readonly ResponseLine[]): ResponseSummary['global_status'] {
  const known = messageState(literal)
  if (known) return known
  const stored = lines.filter((line) => line.item_status.startsWith('accepted')).length
  if (stored === 0) return 'rejected'
  return lines.every((line) => line.item_status === 'accepted') ? 'accepted' : 'partially_accepted'
}

function faultSummary(fault: FaultReading, locale: Locale): ResponseSummary {
  const next = nextAfterFault(fault)
  return {
    root: 'Fault',
    book_type: null,
    operation_type: null,
    global_status: 'error',
    aeat_state: null,
    csv: null,
    presenter_nif: null,
    presented_at: null,
    holder: null,
    error_code: fault.code === null ? null : String(fault.code),
    error_description: fault.text,
    lines: [],
    next,
    next_text: NEXT_STEPS[next][locale],
  }
}

/**
 * Reads and summarises the response to a registration, a deletion, collections or payments, or a SOAP fault. The
 * summary has the verification code, the status of the message and, for each line, its invoice, status, error and next
 * step.
 *
 * Never throws for any text: a text that is not such a response gives items. States are recognised in the masculine and
 * the feminine form. Source: SII schemas, interface 1.1, responses.
 *
 * @example
 * const read = readResponse('<html>503</html>')
 * read.ok === false && read.items[0]?.code // => 'xml.no_record'
 */
export function readResponse(xml: string, options: { readonly locale?: Locale } = {}): ResponseResult {
  const document = readSii(xml, options)
  const locale = options.locale ?? 'en'
  if (document.ok && document.root === 'Fault')
    return { ok: true, response: faultSummary(document.value as FaultReading, locale), items: document.items }
  const read = responseOf(document, RESPONSES, locale)
  if (!read.ok) return read
  const { shape, value } = read
  const header = blockOf(value.Cabecera)
  const holder = blockOf(header.Titular)
  const presented = blockOf(value.DatosPresentacion)
  const operation = shape[1] ?? ((textOf(header.TipoComunicacion) ?? 'A0') as SiiOperation)
  const lines = blocksOf(value.RespuestaLinea).map((line) => lineOf(line, operation, locale))
  const state = textOf(value.EstadoEnvio)
  return {
    ok: true,
    response: {
      root: read.root,
      book_type: shape[0],
      operation_type: operation,
      global_status: globalOf(state, lines),
      aeat_state: state,
      csv: textOf(value.CSV),
      presenter_nif: textOf(presented.NIFPresentador),
      presented_at: parseSiiTimestamp(presented.TimestampPresentacion),
      holder: { name: textOf(holder.NombreRazon), nif: textOf(holder.NIF) },
      error_code: null,
      error_description: null,
      lines,
      next: null,
      next_text: null,
    },
    items: read.items,
  }
}
