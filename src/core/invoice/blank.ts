/**
 * Whether a text consists only of blanks, and therefore counts as absent. The keyword `minLength` refuses empty texts.
 *
 * @example
 * isBlank(' \t') // => true
 * isBlank('') // => false
 * isBlank(' a') // => false
 */
export const isBlank = (text: string): boolean => text !== '' && text.trim() === ''

/** Whether a required value is absent: undefined, or a text of blanks. */
export const isAbsent = (value: unknown): boolean =>
  value === undefined || (typeof value === 'string' && isBlank(value))
