/** Finds the byte ranges of the invoices of a batch, so that the whole batch is never parsed at once. */
import { COMMA, endOfString, isClosingBracket, isOpeningBracket, QUOTE, SPACE } from './strict-json.ts'

/** The start and end of a list entry in the bytes, including the blanks around it. */
export type Range = readonly [start: number, end: number]

const LIST = 91
const ZERO = 48

/**
 * Returns the ranges of the entries in the first list that is a member of the outermost object. If the bytes are not
 * JSON, some entry or the text around the entries is not JSON either.
 */
export function rangesIn(bytes: Uint8Array): Range[] {
  let level = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (isClosingBracket(byte)) level--
    else if (isOpeningBracket(byte) && ++level === 2 && byte === LIST) return entriesFrom(bytes, at + 1)
  }
  return []
}

/** Returns the ranges of the entries of the list whose first entry begins at `first`. */
function entriesFrom(bytes: Uint8Array, first: number): Range[] {
  const ranges: Range[] = []
  let start = first
  let level = 0
  let at = first
  for (; at < bytes.length && level >= 0; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (isOpeningBracket(byte)) level++
    else if (isClosingBracket(byte)) level--
    else if (byte === COMMA && level === 0) {
      ranges.push([start, at])
      start = at + 1
    }
  }
  const last: Range = [start, level < 0 ? at - 1 : bytes.length]
  const isEmpty = ranges.length === 0 && bytes.subarray(...last).every((byte) => byte <= SPACE)
  return isEmpty ? ranges : [...ranges, last]
}

/**
 * Returns the bytes with every range except `kept` replaced by `0` and blanks. Lines and columns do not change, so the
 * position of a syntax error is that in the whole body.
 */
export function blankOtherRanges(bytes: Uint8Array, ranges: readonly Range[], kept?: Range): Uint8Array {
  const rest = new Uint8Array(bytes.length)
  let length = 0
  const copy = (start: number, end: number) => {
    rest.set(bytes.subarray(start, end), length)
    length += end - start
  }
  let from = 0
  for (const range of ranges) {
    if (range === kept) continue
    copy(from, range[0])
    let blank = ZERO
    for (let at = range[0]; at < range[1]; at++) {
      const byte = bytes[at] as number
      if (byte <= SPACE) rest[length++] = byte
      // The first byte of each character. A character of four bytes takes two columns (UTF-16).
      else if ((byte & 0xc0) !== 0x80) {
        rest[length++] = blank
        blank = SPACE
        if (byte >= 0xf0) rest[length++] = blank
      }
    }
    from = range[1]
  }
  copy(from, bytes.length)
  return rest.subarray(0, length)
}
