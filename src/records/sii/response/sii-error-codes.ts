/**
 * Error codes of the SII that its documentation confirms, with texts of this project. Most codes from 1161 to 1250 and
 * from 2012 to 2040 are missing, because their official texts are not public in full. The effect of a code depends only
 * on its range.
 */
import { required } from '#core/errors/index.ts'
import type { Text } from '#core/invoice/index.ts'
import { MESSAGE_ERRORS, RECORD_ERRORS, STORED_ERRORS } from '../generated/texts/error-codes.ts'

/** Effect of an error on a message or record. */
export type SiiErrorEffect = 'rejects_message' | 'rejects_record' | 'accepts_with_errors'

export interface SiiErrorCode {
  readonly code: number
  readonly effect: SiiErrorEffect
  readonly text: Text
}

/**
 * Returns the effect of a code by its range; undefined if it is not a code.
 *
 * @example
 * effectOfError(2011) // => 'accepts_with_errors'
 * effectOfError('4102') // => 'rejects_message'
 */
export function effectOfError(code: number | string): SiiErrorEffect | undefined {
  const number = Number(code)
  if ((number >= 4000 && number < 5000) || (number >= 3500 && number < 3600)) return 'rejects_message'
  if (number >= 2000 && number < 3000) return 'accepts_with_errors'
  return (number >= 1000 && number < 2000) || (number >= 3000 && number < 3500) ? 'rejects_record' : undefined
}

/** The codes in the order of the three lists. */
export const SII_ERROR_CODES: readonly SiiErrorCode[] = [
  RECORD_ERRORS,
  STORED_ERRORS,
  MESSAGE_ERRORS,
].flatMap((errors) =>
  Object.entries<Text>(errors).map(([code, text]) => ({
    code: Number(code),
    effect: required(effectOfError(code)),
    text,
  })),
)
