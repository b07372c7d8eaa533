/** A block of lines of a batch: what a worker thread is given, and what it answers. */
import type { Settings } from '../input/settings.ts'
import { type Block, MAX_LINE_BYTES } from '../input/split-lines.ts'
import { checkDocument, type Origin, tooLarge } from '../input/verdict.ts'
import type { Reporter } from '../report/reporter.ts'

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
        : checkDocument(block.bytes.subarray(start, end), origin, settings)
    if (!verdict.answer.is_valid) invalid++
    const piece = reporter.one(verdict)
    if (piece !== '') pieces.push(piece)
  }
  return { text: pieces.join(reporter.separator ?? ''), documents: block.lines.length, invalid }
}
