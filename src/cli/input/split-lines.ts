/** Cuts a stream of bytes into blocks of whole lines. Blank lines are left out, and over-long ones emptied. */

/** A longer line is not read: no invoice is that large, and memory has to stay bounded. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024

export interface Line {
  readonly index: number
  readonly line: number
  /** Range in `bytes`; empty for a line that was too long. */
  readonly start: number
  readonly end: number
}

export interface Block {
  readonly file: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lines: readonly Line[]
}

const BLOCK_BYTES = 256 * 1024
const NEWLINE = 10

const isBlank = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte !== 32 && byte !== 13 && byte !== 9) return false
  }
  return true
}

/** Where the text of a file begins: after the byte order mark. */
const afterMark = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

/** Blocks of about `blockBytes`, with the bytes read so far; lines are numbered from 1, documents from 0. */
export async function* splitLines(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  blockBytes = BLOCK_BYTES,
): AsyncGenerator<Block> {
  let index = 0
  let number = 0
  let first = true
  /** Whole lines, not yet given out; and the beginning of the line after them. */
  const whole = new Bytes()
  const partial = new Bytes()
  /** The first line of `whole` is the end of a line that is too long. */
  let skipping = false

  const cut = (last = false): Block => {
    const bytes = whole.take()
    const lines: Line[] = []
    let start = first ? afterMark(bytes) : 0
    first = false
    while (start < bytes.length) {
      const newline = bytes.indexOf(NEWLINE, start)
      const end = newline < 0 ? bytes.length : newline
      number++
      if (skipping) lines.push({ index: index++, line: number, start: end, end })
      else if (!isBlank(bytes, start, end)) lines.push({ index: index++, line: number, start, end })
      skipping = false
      start = end + 1
    }
    if (last && skipping) lines.push({ index: index++, line: ++number, start: 0, end: 0 })
    return { file, bytes, lines }
  }

  for await (const chunk of chunks) {
    const newline = chunk.lastIndexOf(NEWLINE)
    if (newline >= 0) {
      if (!skipping || whole.size > 0) whole.add(partial.take())
      whole.add(chunk.subarray(0, newline + 1))
      partial.clear()
    }
    if (newline < 0 && skipping && whole.size === 0) continue
    partial.add(chunk.subarray(newline + 1))
    if (partial.size > MAX_LINE_BYTES) {
      if (whole.size > 0) yield cut()
      partial.clear()
      skipping = true
    } else if (whole.size >= blockBytes) yield cut()
  }
  whole.add(partial.take())
  if (whole.size > 0 || skipping) yield cut(true)
}

class Bytes {
  size = 0
  #parts: Uint8Array[] = []

  add(part: Uint8Array): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.size += part.length
  }

  clear(): void {
    this.#parts = []
    this.size = 0
  }

  take(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.size)
    let at = 0
    for (const part of this.#parts) {
      bytes.set(part, at)
      at += part.length
    }
    this.clear()
    return bytes
  }
}
