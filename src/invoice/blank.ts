const NOT_BLANK = /\S/

/**
 * True for a text that is nothing but blanks: no value, wherever it stands. An empty text is left to `minLength`.
 *
 * @example
 * isBlank(' \t') // => true
 * isBlank('') // => false
 * isBlank(' a') // => false
 */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0)
  // Nearly every text begins with a letter or a digit, which settles it.
  return !(first > 32 && first < 160) && text.length > 0 && !NOT_BLANK.test(text)
}

/** What `required` asks of a text: that it is there and says something. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && isBlank(value))
