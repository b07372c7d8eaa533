/** Splits a stream of bytes into blocks of whole lines. Skips blank lines. Returns lines that are too long as empty. */

/** Maximum number of bytes in a line, to bound memory. No invoice is that large. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024

export interface Line {
  readonly index: number
  readonly line: number
  /** Range in `bytes`; empty for a line that is too long. */
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
    const byte = bytes[at]
    if (byte !== 32 && byte !== 13 && byte !== 9) return false
  }
  return true
}

/** Returns where the text of a file begins, after any byte order mark. */
const withoutByteOrderMark = (bytes: Uint8Array): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0

/** Buffers the bytes read until they are returned as blocks. */
class LineBuffer {
  /** Complete lines, and the beginning of the next line. */
  readonly #whole = new Bytes()
  readonly #partial = new Bytes()
  /** Whether the first line of `#whole` is the end of a line that is too long. */
  #skipping = false
  #index = 0
  #number = 0

  constructor(
    readonly file: string,
    readonly blockBytes: number,
  ) {}

  /** Adds a chunk. Returns whether a block must be cut before the next chunk. */
  add(chunk: Uint8Array): boolean {
    const newline = chunk.lastIndexOf(NEWLINE)
    if (newline >= 0) {
      this.#whole.add(this.#partial.take())
      this.#whole.add(chunk.subarray(0, newline + 1))
    }
    if (this.#skipping && this.#whole.size === 0) return false
    this.#partial.add(chunk.subarray(newline + 1))
    return this.#partial.size > MAX_LINE_BYTES || this.#whole.size >= this.blockBytes
  }

  /** Returns the complete lines. Skips the next line if it is already too long. */
  cut(): Block {
    const block = this.#block()
    if (this.#partial.size > MAX_LINE_BYTES) {
      this.#partial.clear()
      this.#skipping = true
    }
    return block
  }

  /** Returns the remaining lines at the end of the file, including a last line without newline. */
  last(): Block {
    this.#whole.add(this.#partial.take())
    const block = this.#block()
    if (!this.#skipping) return block
    const skipped = { index: this.#index, line: this.#number + 1, start: 0, end: 0 }
    return { ...block, lines: [...block.lines, skipped] }
  }

  #block(): Block {
    const bytes = this.#whole.take()
    const lines: Line[] = []
    let start = this.#number === 0 ? withoutByteOrderMark(bytes) : 0
    while (start < bytes.length) {
      const newline = bytes.indexOf(NEWLINE, start)
      const end = newline < 0 ? bytes.length : newline
      const line = ++this.#number
      if (this.#skipping) lines.push({ index: this.#index++, line, start: end, end })
      else if (!isBlank(bytes, start, end)) lines.push({ index: this.#index++, line, start, end })
      this.#skipping = false
      start = end + 1
    }
    return { file: this.file, bytes, lines }
  }
}

/** Yields blocks of about `blockBytes`. Lines are numbered from 1, documents from 0. */
export async function* splitLines(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  blockBytes = BLOCK_BYTES,
): AsyncGenerator<Block> {
  const unsplit = new LineBuffer(file, blockBytes)
  for await (const chunk of chunks)
    if (unsplit.add(chunk)) {
      const block = unsplit.cut()
      if (block.bytes.length > 0) yield block
    }
  const last = unsplit.last()
  if (last.bytes.length > 0 || last.lines.length > 0) yield last
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
