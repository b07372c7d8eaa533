/** States in the answers of the authority, alike in both systems. */

/** `Gone`: VeriFactu says of a record that its invoice was cancelled, the SII that it was deleted. */
export type AnswerState<Gone extends 'cancelled' | 'deleted'> =
  | 'accepted'
  | 'accepted_with_errors'
  | 'rejected'
  | Gone
  | 'unknown'

/** Of a message. */
export type MessageState = 'accepted' | 'partially_accepted' | 'rejected'

/** Lines of answers, duplicates and queries spell the same states in either gender. */
const isOneOf = (literal: string | null | undefined, pattern: RegExp): boolean =>
  pattern.test((literal ?? '').trim())

/** State of a record, whatever the gender in which the authority says it. */
export function answerState<Gone extends 'cancelled' | 'deleted'>(
  literal: string | null | undefined,
  gone: Gone,
): AnswerState<Gone> {
  if (isOneOf(literal, /^correct[ao]$/i)) return 'accepted'
  if (isOneOf(literal, /^aceptad[ao]conerrores$/i)) return 'accepted_with_errors'
  if (isOneOf(literal, /^incorrect[ao]$/i)) return 'rejected'
  return isOneOf(literal, /^anulad[ao]$/i) ? gone : 'unknown'
}

/** State of a message; undefined for a literal that is none. */
export function messageState(literal: string | null | undefined): MessageState | undefined {
  if (isOneOf(literal, /^correct[ao]$/i)) return 'accepted'
  if (isOneOf(literal, /^parcialmentecorrect[ao]$/i)) return 'partially_accepted'
  return isOneOf(literal, /^incorrect[ao]$/i) ? 'rejected' : undefined
}
