/** States in the responses of the authority, shared by both systems. */

/** `Gone` is the state of a cancelled invoice in VeriFactu, and of a deleted invoice in the SII. */
export type ResponseState<Gone extends 'cancelled' | 'deleted'> =
  | 'accepted'
  | 'accepted_with_errors'
  | 'rejected'
  | Gone
  | 'unknown'

/** State of a whole message (`EstadoEnvio`). */
export type MessageState = 'accepted' | 'partially_accepted' | 'rejected'

/**
 * Whether a state matches. The authority writes states in the masculine or feminine form, depending on the response.
 */
const isOneOf = (literal: string | null | undefined, pattern: RegExp): boolean =>
  pattern.test((literal ?? '').trim())

/** Returns the state of a record. Accepts the masculine and the feminine form. */
export function responseState<Gone extends 'cancelled' | 'deleted'>(
  literal: string | null | undefined,
  gone: Gone,
): ResponseState<Gone> {
  if (isOneOf(literal, /^correct[ao]$/i)) return 'accepted'
  if (isOneOf(literal, /^aceptad[ao]conerrores$/i)) return 'accepted_with_errors'
  if (isOneOf(literal, /^incorrect[ao]$/i)) return 'rejected'
  return isOneOf(literal, /^anulad[ao]$/i) ? gone : 'unknown'
}

/** Returns the state of a message, or undefined for an unknown literal. */
export function messageState(literal: string | null | undefined): MessageState | undefined {
  if (isOneOf(literal, /^correct[ao]$/i)) return 'accepted'
  if (isOneOf(literal, /^parcialmentecorrect[ao]$/i)) return 'partially_accepted'
  return isOneOf(literal, /^incorrect[ao]$/i) ? 'rejected' : undefined
}
