/**
 * The next step after a response of the authority, in terms shared by both systems. In VeriFactu, a record stays in its
 * chain and a further record corrects it. In the SII, a new record with the same identity replaces it. So `correct` and
 * `fix_and_register` of VeriFactu correspond to `modify` and `resend` of the SII.
 */
import type { ResponseState } from './response-state.ts'

export type CommonStep =
  /** Accepted; nothing to do. */
  | 'none'
  /** An earlier record of the invoice is already accepted: use the state of that record. */
  | 'adopt'
  /** The invoice is already cancelled or deleted; nothing to do. */
  | 'done'

export type VerifactuStep =
  | CommonStep
  /** Accepted with errors: issue a corrective invoice, or register the invoice again with `options`. */
  | 'correct'
  /** Rejected: fix the cause, then register the invoice again with `options`. */
  | 'fix_and_register'
  /** The invoice is cancelled at the authority: register it again with `options`, or use another number. */
  | 'revive'
  /** A record of the invoice exists, but the response does not state its status: query it. */
  | 'query'
  /** The existing record was created with the authority's own invoicing application: correct or cancel it there. */
  | 'use_form'

export type SiiStep =
  | CommonStep
  /** Accepted with errors: fix the record and send `A1`. */
  | 'modify'
  /** Rejected: fix the record and send the same operation again, for this record only. */
  | 'resend'
  /** There is no record to modify: send `A0`. */
  | 'register'
  /** Technical failure: send the same message again later. */
  | 'retry'

/** The state of the authority's records that a rejection states or implies. */
export type CommonRefusal =
  /** Any other error, which says nothing about the records that the authority already has. */
  | 'other'
  /** 3002: there is no record of the invoice. */
  | 'no_record'
  /** 3000, duplicate `Correcta` or `AceptadaConErrores`: the invoice is registered. */
  | 'registered'
  /** 3000, duplicate `Anulada`, or 3001: the invoice is cancelled or deleted. */
  | 'cancelled'
  /** 3000 without the state of the duplicate: the authority has a record in an unknown state. */
  | 'duplicate'

const DUPLICATE = 3000
const REFUSALS: Readonly<Record<number, CommonRefusal>> = { 3001: 'cancelled', 3002: 'no_record' }

/**
 * Returns the meaning of a rejection code, which has the same number in both systems. `duplicate` is the state of the
 * earlier record.
 */
export function rejectionMeaningOf(
  code: number | null,
  duplicate: ResponseState<'cancelled' | 'deleted'> | null,
): CommonRefusal {
  if (code !== DUPLICATE) return REFUSALS[code ?? 0] ?? 'other'
  if (duplicate === 'cancelled' || duplicate === 'deleted') return 'cancelled'
  return duplicate === 'accepted' || duplicate === 'accepted_with_errors' ? 'registered' : 'duplicate'
}
