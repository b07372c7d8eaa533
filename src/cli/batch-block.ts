/** A block of lines of a batch: what a worker thread is given, and what it answers. */
import { judge, type Origin, tooLarge } from './judge.ts'
import type { Reporter } from './reporter.ts'
import type { Settings } from './settings.ts'

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

export interface BlockAnswer {
  readonly text: string
  readonly documents: number
  readonly invalid: number
}

/** Judges the lines of a block. */
export function judgeBlock(block: Block, settings: Settings, reporter: Reporter): BlockAnswer {
  const pieces: string[] = []
  let invalid = 0
  for (const { index, line, start, end } of block.lines) {
    const origin: Origin = { file: block.file, index, line }
    const verdict =
      start === end
        ? tooLarge(origin, MAX_LINE_BYTES, settings)
        : judge(block.bytes.subarray(start, end), origin, settings)
    if (!verdict.answer.is_valid) invalid++
    const piece = reporter.one(verdict)
    if (piece !== '') pieces.push(piece)
  }
  return { text: pieces.join(reporter.separator), documents: block.lines.length, invalid }
}
