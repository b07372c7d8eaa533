import { valueAt } from '../invoice/index.ts'

/** Limits of one request. */
export interface Limits {
  /** Bytes of the request in UTF-8. */
  readonly maxBytes: number
  /** Levels of nesting: a canonical invoice has 8, a fiscal record in a list 9. */
  readonly maxDepth: number
}

/** 4 MiB is more than an invoice of 20,000 lines, the most that there may be, as a rule. The WebAssembly module is built with these. */
export const LIMITS: Limits = { maxBytes: 4 * 1024 * 1024, maxDepth: 64 }

/** Every amount of so many lines is explained in one answer: of more, the explanation would be 25 times the request. */
export const MAX_EXPLAINED_LINES = 1000

/** Lines of a document, if it is one. */
export function linesOf(document: unknown): number {
  const lines = valueAt(document, '/invoice/lines')
  return Array.isArray(lines) ? lines.length : 0
}

const QUOTE = 34
const BACKSLASH = 92
/** `[` and `{` differ in this one bit, as do `]` and `}`. */
const CASE = 32
const OPEN = 123
const CLOSE = 125

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (let code = text.charCodeAt(at); at < text.length && code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1
  return at
}

/**
 * Whether a text nests brackets more than `maxDepth` levels: looked at before it is parsed, because a parser that
 * recurses may run out of stack. A text that is not JSON is left to the parser.
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
 * Bytes of a text in UTF-8; a lone surrogate counts three, as the replacement character that it becomes.
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
    // A pair is four bytes: its second half is counted with the first.
    if (next >= 0xdc00 && next < 0xe000) at++
  }
  return bytes
}
