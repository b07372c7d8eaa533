/** Reads the authority's responses and determines the next step. */

import type { Locale, Text } from '#core/invoice/index.ts'
import { fill } from '#core/messages/index.ts'
import { type Fault, readFault } from '#core/xml/index.ts'
import { checkObject } from '../../fiscal/check-options.ts'
import { type VerifactuStep as NextStep, rejectionMeaningOf } from '../../fiscal/next-step.ts'
import {
  type MessageState,
  messageState,
  type ResponseState,
  responseState,
} from '../../fiscal/response-state.ts'
import type { Respuesta, RespuestaLinea } from '../model/verifactu-record-types.ts'
import {
  adviceOf,
  type NextOptions,
  rowOf,
  STEPS_AFTER_ACCEPTED_WITH_ERRORS,
  type Step,
} from '../record/verifactu-next-step.ts'
import { AUTHORITY_CODES, type AuthorityCode } from '../rules/index.ts'

const meaningOf = (code: number | null): AuthorityCode | undefined =>
  AUTHORITY_CODES.find((declared) => declared.code === code)

/**
 * Returns the meaning of a code of the authority (247 codes), or undefined.
 *
 * @example
 * authorityCode(2000)?.field // => 'Huella'
 */
export const authorityCode = (code: number): AuthorityCode | undefined => meaningOf(code)

export type StoredState = ResponseState<'cancelled'>

/**
 * Returns a state of the authority in a uniform spelling.
 *
 * @example
 * storedState('AceptadaConErrores') // => 'accepted_with_errors'
 */
export const storedState = (state: string | undefined): StoredState => responseState(state, 'cancelled')

export interface ResponseLine {
  readonly num_serie: string
  readonly fecha_expedicion: string
  readonly external_ref: string | null
  readonly operation: 'alta' | 'anulacion'
  readonly state: StoredState
  readonly code: number | null
  /** The authority's text. */
  readonly description: string | null
  /** Explanation of this package: the meaning of the code and the instruction; null for an unlisted code. */
  readonly explanation: string | null
  readonly duplicate_state: StoredState | null
  readonly next: NextStep
  /**
   * Options for the next record of this invoice, in addition to the required options of `registrationRecord` or
   * `cancellationRecord`; null if no record is due.
   */
  readonly options: NextOptions | null
  readonly advice: string
}

export interface ResponseSummary {
  /** False for a fault: the whole message was rejected. */
  readonly received: boolean
  readonly state: MessageState | 'fault' | 'unknown'
  /** Receipt code. Store it: it cannot be queried later. */
  readonly csv: string | null
  /** Timestamp from the authority's clock. */
  readonly presented_at: string | null
  /** Seconds to wait before the next message; null if the last value remains valid. */
  readonly wait_seconds: number | null
  readonly lines: readonly ResponseLine[]
  readonly fault: {
    readonly code: number | null
    readonly text: string
    readonly resend: boolean
    readonly explanation: string | null
  } | null
}

/** Texts for the entries of the authority's list that name no single element. */
const ANY: Readonly<Record<string, Text>> = {
  '(any)': { en: 'a value of the record', es: 'un valor del registro' },
  '(any date)': { en: 'a date of the record', es: 'una fecha del registro' },
  '(message)': { en: 'the message', es: 'el mensaje' },
}

const ABOUT = { en: 'The error concerns {field}.', es: 'El error se refiere a {field}.' } as const
const LISTED = { en: 'the values of the official list', es: 'los valores de la lista oficial' } as const

/**
 * Returns the text of a code. A response does not repeat the received value. A text that would quote the value is
 * therefore replaced by one that names the element.
 */
export function codeTextOf(code: number | null, locale: Locale): string | null {
  const known = meaningOf(code)
  if (!known) return null
  const field = ANY[known.field]?.[locale] ?? known.field
  const message = known.message[locale].includes('{') ? ABOUT[locale] : known.message[locale]
  return fill(`${message} ${known.fix[locale]}`, { field, allowed: LISTED[locale] })
}

/** Code of the authority for a stored record that was created with the authority's own invoicing application. */
const MADE_WITH_FORM = 3004

/** Whether a record accepted with errors needs no correction. */
const isHarmless = (code: number | null): boolean => meaningOf(code)?.needs_subsanacion === false

function stepOf(
  line: RespuestaLinea,
  state: StoredState,
  code: number | null,
  duplicate: StoredState | null,
): Step {
  const operation = operationOf(line)
  if (state === 'accepted' || (state === 'accepted_with_errors' && isHarmless(code)))
    return { next: 'none', options: null }
  if (state === 'accepted_with_errors') return STEPS_AFTER_ACCEPTED_WITH_ERRORS[operation]
  const refusal = code === MADE_WITH_FORM ? 'form' : rejectionMeaningOf(code, duplicate)
  return rowOf(operation, line.Operacion ?? {}).after[refusal]
}

const operationOf = ({ Operacion }: RespuestaLinea): ResponseLine['operation'] =>
  Operacion?.TipoOperacion === 'Anulacion' ? 'anulacion' : 'alta'

/** Parses a code of a response. */
export function codeOf(literal: string | undefined): number | null {
  const parsed = Number.parseInt(literal ?? '', 10)
  return Number.isNaN(parsed) ? null : parsed
}

function lineOf(line: RespuestaLinea, locale: Locale): ResponseLine {
  const code = codeOf(line.CodigoErrorRegistro)
  const state = storedState(line.EstadoRegistro)
  const duplicate = line.RegistroDuplicado
    ? storedState(line.RegistroDuplicado.EstadoRegistroDuplicado)
    : null
  const operation = operationOf(line)
  const step = stepOf(line, state, code, duplicate)
  return {
    num_serie: line.IDFactura.NumSerieFactura,
    fecha_expedicion: line.IDFactura.FechaExpedicionFactura,
    external_ref: line.RefExterna ?? null,
    operation,
    state,
    code,
    description: line.DescripcionErrorRegistro ?? null,
    explanation: codeTextOf(code, locale),
    duplicate_state: duplicate,
    ...step,
    advice: adviceOf(operation, step, locale),
  }
}

/**
 * Reads the response to a submission: `value` of the document that `readVerifactu` returns.
 *
 * Match lines by number, date and operation (or by the external reference), never by position. Source: AEAT web service
 * description 1.0.3, section of the response. Throws a `TypeError` for an unparsed value, such as the XML itself.
 */
export function readResponse(response: Respuesta, locale: Locale = 'en'): ResponseSummary {
  checkObject(response, 'the response, the `value` of readVerifactu,')
  const wait = /^\d{1,4}$/.test(response.TiempoEsperaEnvio ?? '') ? Number(response.TiempoEsperaEnvio) : null
  return {
    received: true,
    state: messageState(response.EstadoEnvio) ?? 'unknown',
    csv: response.CSV?.trim() || null,
    presented_at: response.DatosPresentacion?.TimestampPresentacion ?? null,
    wait_seconds: wait,
    lines: (response.RespuestaLinea ?? []).map((line) => lineOf(line, locale)),
    fault: null,
  }
}

/**
 * Reads a SOAP fault, which rejects the whole message. `resend` is true if the same message may be sent again later.
 *
 * @example
 * readFaultResponse({ faultcode: 'env:Server', faultstring: 'Codigo[20009].Error interno' }).fault
 * // => { code: 20009, text: 'Error interno', resend: true, explanation: null }
 */
export function readFaultResponse(fault: Fault, locale: Locale = 'en'): ResponseSummary {
  const { code, text, client } = readFault(fault)
  return {
    received: false,
    state: 'fault',
    csv: null,
    presented_at: null,
    wait_seconds: null,
    lines: [],
    fault: { code, text, resend: !client, explanation: codeTextOf(code, locale) },
  }
}
