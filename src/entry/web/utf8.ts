/** Detection of invalid UTF-8. */
import { LineIndex, type Position } from '#core/json/index.ts'
import { utf8Length } from '../request/request-limits.ts'

const REPLACEMENT = '\uFFFD'

/**
 * Decodes UTF-8 without a byte order mark; returns null for invalid UTF-8.
 *
 * @example
 * textOf(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])) // => '{}'
 * textOf(new Uint8Array([0x7b, 0xff])) // => null
 */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/**
 * Returns line and column, both from 1, of the first invalid byte. The decoder puts a replacement character there. A
 * replacement character of the text itself is recognised by its bytes.
 *
 * @example
 * positionOfInvalidByte(new Uint8Array([0xef, 0xbf, 0xbd, 0x0a, 0x7b, 0xff])) // => { line: 2, column: 2 }
 */
export function positionOfInvalidByte(bytes: Uint8Array): Position {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  let offset = 0
  let from = 0
  let at = text.indexOf(REPLACEMENT)
  for (; at >= 0; at = text.indexOf(REPLACEMENT, from)) {
    offset += utf8Length(text.slice(from, at))
    if (bytes[offset] !== 0xef || bytes[offset + 1] !== 0xbf || bytes[offset + 2] !== 0xbd) break
    offset += 3
    from = at + 1
  }
  return new LineIndex(text).positionOf(Math.max(at, 0))
}
