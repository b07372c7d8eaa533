/**
 * Error codes of the SII that its documentation confirms, in words of our own. Not listed: most of 1161 to 1250 and
 * 2012 to 2040, whose texts are not public in full. Ranges say what a code does, known or not.
 */
import { required } from '../../errors/index.ts'
import type { Text } from '../../invoice/index.ts'
import { MESSAGE_ERRORS } from './error-codes-message.ts'
import { RECORD_ERRORS } from './error-codes-record.ts'
import { STORED_ERRORS } from './error-codes-stored.ts'

/** What the tax agency does with a message or a record that has the error. */
export type SiiErrorEffect = 'rejects_message' | 'rejects_record' | 'accepts_with_errors'

export interface SiiErrorCode {
  readonly code: number
  readonly effect: SiiErrorEffect
  readonly text: Text
}

/**
 * Effect of a code by its range; undefined for a number that is no code.
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

const rows: readonly (readonly [code: number, en: string, es: string])[] = [
  ...RECORD_ERRORS,
  ...STORED_ERRORS,
  ...MESSAGE_ERRORS,
]

/** The codes in ascending order, as the three lists are. */
export const SII_ERROR_CODES: readonly SiiErrorCode[] = rows.map(([code, en, es]) => ({
  code,
  effect: required(effectOfError(code)),
  text: { en, es },
}))
