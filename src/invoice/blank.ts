const NOT_BLANK = /\S/

/**
 * Whether a text consists only of blanks, which is treated as no value. Empty texts are checked by `minLength`.
 *
 * @example
 * isBlank(' \t') // => true
 * isBlank('') // => false
 * isBlank(' a') // => false
 */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0)
  // Fast path: nearly every text begins with a letter or a digit.
  return !(first > 32 && first < 160) && text.length > 0 && !NOT_BLANK.test(text)
}

/** Whether a required value is absent: undefined, or a text of blanks. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && isBlank(value))
