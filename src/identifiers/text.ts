/** Text of an identifier as people write it, made comparable. */

/** Longer than any identifier with its separators; what exceeds it is refused before it is read. */
export const MAX_RAW_LENGTH = 128

/** Blanks, dots, slashes, hyphens and the dashes that word processors put in their place. */
const SEPARATORS = /[\s./\-\u2010-\u2015]+/g

const upper = (letters: string): string => letters.toUpperCase()

/**
 * Without separators and in upper case. Only ASCII letters are raised: `ſ` and `ı` would turn into `S` and `I`,
 * and an identifier with such a letter must fail instead of turning into another one.
 */
export const compact = (value: string): string => value.replace(SEPARATORS, '').replace(/[a-z]+/g, upper)

/** True when `value` starts with two letters of the Latin alphabet in upper case. */
export const startsWithTwoLetters = (value: string): boolean => /^[A-Z]{2}/.test(value)

/** Code unit of an ASCII digit. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Code unit of an ASCII letter in upper case. */
export const isLetter = (code: number): boolean => code >= 65 && code <= 90
