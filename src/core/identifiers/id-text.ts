/** Normalises identifiers, which people write with separators and in lower case. */

/** Maximum length of an identifier with separators. Longer values are refused without being read. */
export const MAX_RAW_LENGTH = 128

/** Matches blanks, dots, slashes, hyphens, and the dashes that word processors insert for hyphens. */
const SEPARATORS = /[\s./\-\u2010-\u2015]+/g

const upper = (letters: string): string => letters.toUpperCase()

/**
 * Removes separators and converts to upper case. Only ASCII letters are converted: `ſ` and `ı` would become `S` and
 * `I`, and an identifier with such a letter must fail instead of becoming another identifier.
 */
export const compact = (value: string): string => value.replace(SEPARATORS, '').replace(/[a-z]+/g, upper)

/** Whether `value` starts with two upper-case ASCII letters. */
export const startsWithTwoLetters = (value: string): boolean => /^[A-Z]{2}/.test(value)

/** Whether a code unit is an ASCII digit. */
export const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Whether a code unit is an upper-case ASCII letter. */
export const isLetter = (code: number): boolean => code >= 65 && code <= 90
