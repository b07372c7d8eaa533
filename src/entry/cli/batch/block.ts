/** Checks one block of lines of a batch: the unit of work of a worker thread. */

import { checkDocument, type Origin, tooLargeResult } from '../input/check-document.ts'
import type { Settings } from '../input/input-settings.ts'
import { type Block, MAX_LINE_BYTES } from '../input/split-lines.ts'
import { type Counted, type Reporter, type Tally, tallyOf } from '../report/reporter.ts'

export interface BlockOutcome {
  readonly text: string
  readonly tally: Tally
}

/** Checks each line of a block. Returns the report of the lines, and their totals. */
export function checkBlock(block: Block, settings: Settings, reporter: Reporter): BlockOutcome {
  const texts: string[] = []
  const outcomes: Counted[] = []
  for (const { index, line, start, end } of block.lines) {
    const origin: Origin = { file: block.file, index, line }
    const result =
      start === end
        ? tooLargeResult(origin, MAX_LINE_BYTES, settings)
        : checkDocument(block.bytes.subarray(start, end), origin, settings)
    const { is_valid, operation, operation_reason } = result.outcome
    outcomes.push({ is_valid, operation, operation_reason })
    const piece = reporter.one(result)
    if (piece !== '') texts.push(piece)
  }
  return { text: texts.join(reporter.separator ?? ''), tally: tallyOf(outcomes) }
}
