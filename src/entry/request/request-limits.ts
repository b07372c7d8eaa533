import { valueAt } from '#core/invoice/pointer.ts'

/** Limits of one request. */
export interface Limits {
  /** Maximum size of the request in bytes of UTF-8. */
  readonly maxBytes: number
  /** Maximum number of levels of nesting. A canonical invoice has 8 levels, a fiscal record in a list has 9. */
  readonly maxDepth: number
}

/**
 * Limits of one request. 4 MiB are usually enough for an invoice with 20,000 lines, the maximum. The WebAssembly module
 * is built with these limits.
 */
export const LIMITS: Limits = { maxBytes: 4 * 1024 * 1024, maxDepth: 64 }

/**
 * Maximum number of lines of an invoice that is explained in one response. An explanation is about 25 times as large as
 * the request.
 */
export const MAX_EXPLAINED_LINES = 1000

/** Returns the number of lines of a document; 0 for any other value. */
export function lineCountOf(document: unknown): number {
  const lines = valueAt(document, '/invoice/lines')
  return Array.isArray(lines) ? lines.length : 0
}

const QUOTE = 34
const BACKSLASH = 92
/** The bit that distinguishes the character codes of `[` and `{`, and of `]` and `}`. */
const CASE = 32
const OPEN = 123
const CLOSE = 125

/** Returns the position of the closing quote of the string that starts at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1
  return at
}

/**
 * Whether brackets in a text are nested in more than `maxDepth` levels. Call this before parsing, because a recursive
 * parser could overflow the stack. The parser reports invalid JSON.
 *
 * @example
 * isTooDeep('[[1], {"[[[": 2}]', 2) // => false
 * isTooDeep('[[1], {"[[[": 2}]', 1) // => true
 */
export function isTooDeep(text: string, maxDepth: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      continue
    }
    const bracket = code | CASE
    if (bracket === OPEN && ++depth > maxDepth) return true
    if (bracket === CLOSE) depth--
  }
  return false
}

/**
 * Returns the number of bytes of a text in UTF-8. A lone surrogate counts three bytes, like the replacement character
 * that encoders write for it.
 *
 * @example
 * utf8Length('1 €') // => 5
 */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    bytes += code < 0x800 ? 1 : 2
    if (code < 0xd800 || code >= 0xdc00) continue
    const next = text.charCodeAt(at + 1)
    // A surrogate pair has four bytes, which are counted at its first half.
    if (next >= 0xdc00 && next < 0xe000) at++
  }
  return bytes
}
