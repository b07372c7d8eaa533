/** What the authority answered, and what to do next. */
import type { Locale, Text } from '../invoice/index.ts'
import { type Fault, readFault } from '../xml/index.ts'
import { AUTHORITY_CODES, type AuthorityCode } from './rules/index.ts'
import type { Respuesta, RespuestaLinea } from './types.ts'

const byCode = new Map<number, AuthorityCode>()

/**
 * What a code of the authority means (247 codes of its list), or undefined.
 *
 * @example
 * authorityCode(2000)?.field // => 'Huella'
 */
export function authorityCode(code: number): AuthorityCode | undefined {
  if (byCode.size === 0) for (const declared of AUTHORITY_CODES) byCode.set(declared.code, declared)
  return byCode.get(code)
}

/** What to do with a record after its answer. */
export type NextStep =
  /** Stored; nothing to do. */
  | 'none'
  /** Stored with errors: send a correction record (`correction: 'none'`) or a corrective invoice. */
  | 'correct'
  /** Not stored: mend and send a new record (`correction: 'never_registered'`, or `rejected` for a cancellation). */
  | 'mend_and_register'
  /** It had arrived before: take over the stored state. */
  | 'adopt'

const STEPS: Readonly<Record<NextStep, Text>> = {
  none: { en: 'Stored; nothing to do.', es: 'Registrado; no hay nada que hacer.' },
  correct: {
    en: 'Stored with errors. Generate a new record of the same invoice with Subsanacion=S, or a corrective invoice if the invoice itself is wrong; do not send this record again.',
    es: 'Registrado con errores. Genere un registro nuevo de la misma factura con Subsanacion=S, o una rectificativa si lo erróneo es la factura; no reenvíe este registro.',
  },
  mend_and_register: {
    en: 'Not stored. Mend the cause and generate a new record: a registration with Subsanacion=S and RechazoPrevio=X, a cancellation with RechazoPrevio=S. This record stays in the chain.',
    es: 'No registrado. Corrija la causa y genere un registro nuevo: un alta con Subsanacion=S y RechazoPrevio=X, una anulación con RechazoPrevio=S. Este registro permanece en la cadena.',
  },
  adopt: {
    en: 'The authority already has this record: take over its state and do not send it again.',
    es: 'La AEAT ya tiene este registro: adopte su estado y no lo reenvíe.',
  },
}

/** States in which the authority names what it has stored; queries and duplicates use three spellings. */
const STORED: Readonly<Record<string, 'accepted' | 'accepted_with_errors' | 'rejected' | 'cancelled'>> = {
  Correcto: 'accepted',
  Correcta: 'accepted',
  AceptadoConErrores: 'accepted_with_errors',
  AceptadaConErrores: 'accepted_with_errors',
  Incorrecto: 'rejected',
  Incorrecta: 'rejected',
  Anulado: 'cancelled',
  Anulada: 'cancelled',
}

export type StoredState = 'accepted' | 'accepted_with_errors' | 'rejected' | 'cancelled' | 'unknown'

/**
 * A state in one spelling.
 *
 * @example
 * storedState('AceptadaConErrores') // => 'accepted_with_errors'
 */
export const storedState = (state: string | undefined): StoredState => STORED[state ?? ''] ?? 'unknown'

export interface AnswerLine {
  readonly num_serie: string
  readonly fecha_expedicion: string
  readonly external_ref: string | null
  readonly operation: 'alta' | 'anulacion'
  readonly state: StoredState
  readonly code: number | null
  /** The authority's own words. */
  readonly description: string | null
  /** Ours: what the code means and how to mend it; null for a code that is not in the list. */
  readonly explanation: string | null
  readonly duplicate_state: StoredState | null
  readonly next: NextStep
  readonly advice: string
}

export interface Answer {
  /** False for a fault: the whole message was refused. */
  readonly received: boolean
  readonly state: 'accepted' | 'partially_accepted' | 'rejected' | 'fault' | 'unknown'
  /** Receipt code, which can never be asked for again: store it. */
  readonly csv: string | null
  /** The authority's clock. */
  readonly presented_at: string | null
  /** Seconds to wait before the next message; null keeps the last value. */
  readonly wait_seconds: number | null
  readonly lines: readonly AnswerLine[]
  readonly fault: {
    readonly code: number | null
    readonly text: string
    readonly resend: boolean
    readonly explanation: string | null
  } | null
}

const explain = (code: number | null, locale: Locale): string | null => {
  const known = code === null ? undefined : authorityCode(code)
  return known ? `${known.message[locale]} ${known.mend[locale]}`.replace(/\{(\w+)\}/g, '…') : null
}

const DUPLICATE = 3000
/** Accepted with errors, and no correction is due. */
const isHarmless = (code: number | null): boolean =>
  code !== null && authorityCode(code)?.needs_subsanacion === false

function lineOf(line: RespuestaLinea, locale: Locale): AnswerLine {
  const parsed = Number.parseInt(line.CodigoErrorRegistro ?? '', 10)
  const code = Number.isNaN(parsed) ? null : parsed
  const state = storedState(line.EstadoRegistro)
  const duplicate = line.RegistroDuplicado
    ? storedState(line.RegistroDuplicado.EstadoRegistroDuplicado)
    : null
  const adopted = code === DUPLICATE && (duplicate === 'accepted' || duplicate === 'accepted_with_errors')
  const next: NextStep = adopted
    ? 'adopt'
    : state === 'accepted' || (state === 'accepted_with_errors' && isHarmless(code))
      ? 'none'
      : state === 'accepted_with_errors'
        ? 'correct'
        : 'mend_and_register'
  return {
    num_serie: line.IDFactura.NumSerieFactura,
    fecha_expedicion: line.IDFactura.FechaExpedicionFactura,
    external_ref: line.RefExterna ?? null,
    operation: line.Operacion?.TipoOperacion === 'Anulacion' ? 'anulacion' : 'alta',
    state,
    code,
    description: line.DescripcionErrorRegistro ?? null,
    explanation: explain(code, locale),
    duplicate_state: duplicate,
    next,
    advice: STEPS[next][locale],
  }
}

const STATES: Readonly<Record<string, Answer['state']>> = {
  Correcto: 'accepted',
  ParcialmenteCorrecto: 'partially_accepted',
  Incorrecto: 'rejected',
}

/**
 * What an answer to a submission says: `value` of the document that `readVerifactu` read.
 *
 * Match lines by number, date and operation (or by the external reference), never by position. Source: AEAT web
 * service description 1.0.3, section of the answer.
 */
export function readAnswer(answer: Respuesta, locale: Locale = 'en'): Answer {
  const wait = /^\d{1,4}$/.test(answer.TiempoEsperaEnvio ?? '') ? Number(answer.TiempoEsperaEnvio) : null
  return {
    received: true,
    state: STATES[answer.EstadoEnvio] ?? 'unknown',
    csv: answer.CSV ?? null,
    presented_at: answer.DatosPresentacion?.TimestampPresentacion ?? null,
    wait_seconds: wait,
    lines: (answer.RespuestaLinea ?? []).map((line) => lineOf(line, locale)),
    fault: null,
  }
}

/**
 * What a SOAP fault says: the whole message was refused. `resend` is true where the same message may be sent later.
 *
 * @example
 * readFaultAnswer({ faultcode: 'env:Server', faultstring: 'Codigo[20009].Error interno' }).fault
 * // => { code: 20009, text: 'Error interno', resend: true, explanation: null }
 */
export function readFaultAnswer(fault: Fault, locale: Locale = 'en'): Answer {
  const { code, text, client } = readFault(fault)
  return {
    received: false,
    state: 'fault',
    csv: null,
    presented_at: null,
    wait_seconds: null,
    lines: [],
    fault: { code, text, resend: !client, explanation: explain(code, locale) },
  }
}
