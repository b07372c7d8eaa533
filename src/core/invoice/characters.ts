import { isBlank } from './blank.ts'

/**
 * Characters that texts must not contain, by format of the schemas. A `line` must not have control characters. A `text`
 * may have tabs and line breaks, but no characters that XML cannot represent.
 */
const INVALID = {
  line: /[\p{Cc}\p{Cs}\u2028\u2029\ufffd-\uffff]/u,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them.
  text: /[\0-\x08\v\f\x0e-\x1f\p{Cs}\ufffe\uffff]/u,
}

export type TextFormat = keyof typeof INVALID

/** Returns the index of the first invalid character of a text, or -1. Blanks around a line are ignored. */
const invalidAt = (text: string, format: TextFormat): number =>
  (format === 'line' ? text.trim().padStart(text.trimEnd().length) : text).search(INVALID[format])

/** Whether a text has no invalid character and is not only blanks. */
export const isValidText = (format: TextFormat, text: string): boolean =>
  !isBlank(text) && invalidAt(text, format) < 0

/**
 * Returns the first invalid character of a text and its position, from 1.
 *
 * @example
 * invalidCharacterOf('A\u0007', 'line') // => { character: 'U+0007', position: 2 }
 */
export function invalidCharacterOf(text: string, format: TextFormat) {
  const at = invalidAt(text, format)
  const code = text.codePointAt(at)?.toString(16).toUpperCase().padStart(4, '0')
  return { character: `U+${code}`, position: [...text.slice(0, at)].length + 1 }
}
