/** Finds the invoices of a batch in its bytes, so that the whole batch is never parsed at once. */
import { COMMA, endOfString, isClose, isOpen, QUOTE, SPACE } from './strict-json.ts'

/** The bytes of an entry of a list, with the blanks around it. */
export type Range = readonly [start: number, end: number]

const LIST = 91
const ZERO = 48

/**
 * Returns the entries of the first list that is a member of the outermost object. If the bytes are not JSON, then these
 * entries or the text around them are not either.
 */
export function rangesIn(bytes: Uint8Array): Range[] {
  let level = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (isClose(byte)) level--
    else if (isOpen(byte) && ++level === 2 && byte === LIST) return entriesFrom(bytes, at + 1)
  }
  return []
}

/** Returns the entries of the list whose first entry begins at `first`. */
function entriesFrom(bytes: Uint8Array, first: number): Range[] {
  const ranges: Range[] = []
  let start = first
  let level = 0
  let at = first
  for (; at < bytes.length && level >= 0; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if (isOpen(byte)) level++
    else if (isClose(byte)) level--
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
 * Returns the bytes with 0 in the place of every range except `kept`. Lines and columns stay, so that an error in the
 * rest has its position in the whole.
 */
export function withOnly(bytes: Uint8Array, ranges: readonly Range[], kept?: Range): Uint8Array {
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
      // The first byte of each character. The column of the last ones counts twice (UTF-16).
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
