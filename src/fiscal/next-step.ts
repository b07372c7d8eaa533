/**
 * What to do after an answer of the authority: one vocabulary for both systems. A VeriFactu record stays in its chain
 * and a further one mends it, an SII record is replaced under its identity: so an answer that asks for `correct` or
 * `fix_and_register` there asks for `modify` or `resend` here.
 */
import type { AnswerState } from './answer-state.ts'

export type CommonStep =
  /** Stored; nothing to do. */
  | 'none'
  /** An earlier record of the invoice is stored: take over its state. */
  | 'adopt'
  /** It was cancelled or deleted before; nothing to do. */
  | 'done'

export type VerifactuStep =
  | CommonStep
  /** Stored with errors: a further record of the same invoice, made with `options`, or a corrective invoice. */
  | 'correct'
  /** Not stored: mend the cause, then a new record made with `options`. */
  | 'fix_and_register'
  /** A cancellation of the invoice is stored: revive it with a record made with `options`, or use another number. */
  | 'revive'
  /** A record of the invoice is stored, in a state that the answer does not name: ask for it. */
  | 'query'
  /** The stored record was made with the authority's own form: correct or cancel it there. */
  | 'use_form'

export type SiiStep =
  | CommonStep
  /** Stored with errors: mend it and send `A1`. */
  | 'modify'
  /** Not stored: mend it and send the same operation again, this record alone. */
  | 'resend'
  /** Nothing to modify is stored: send `A0`. */
  | 'register'
  /** A technical failure: send the same again later. */
  | 'retry'

/** What a refusal says, or lets conclude, of what the authority has. */
export type CommonRefusal =
  /** Some other mistake of the record: the authority has what the record presumed. */
  | 'other'
  /** 3002: there is no record of the invoice. */
  | 'no_record'
  /** 3000, duplicate `Correcta` or `AceptadaConErrores`: there is a registration. */
  | 'registered'
  /** 3000, duplicate `Anulada`, or 3001: there is a cancellation, or it is deleted. */
  | 'cancelled'
  /** 3000 without the duplicate's state. */
  | 'duplicate'

const DUPLICATE = 3000
const REFUSALS: Readonly<Record<number, CommonRefusal>> = { 3001: 'cancelled', 3002: 'no_record' }

/** What a code says; both systems number these alike. `duplicate`: the state of the record that was there before. */
export function refusalOf(
  code: number | null,
  duplicate: AnswerState<'cancelled' | 'deleted'> | null,
): CommonRefusal {
  if (code !== DUPLICATE) return REFUSALS[code ?? 0] ?? 'other'
  if (duplicate === 'cancelled' || duplicate === 'deleted') return 'cancelled'
  return duplicate === 'accepted' || duplicate === 'accepted_with_errors' ? 'registered' : 'duplicate'
}
