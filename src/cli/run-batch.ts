/** A batch: one document a line, judged in parallel, answered in order, with bounded memory. */
import { type Block, type BlockAnswer, judgeBlock } from './batch-block.ts'
import type { Output } from './output.ts'
import type { Settings } from './settings.ts'
import { splitLines } from './split-lines.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Blocks that are read ahead, for each worker. */
const AHEAD = 3

export async function runBatch(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  settings: Settings,
  output: Output,
  pool: WorkerPool | null,
): Promise<void> {
  const blocks = splitLines(file, chunks)
  const waiting: Promise<{ answer: BlockAnswer; bytes: number }>[] = []
  const judgeHere = (block: Block) => judgeBlock(block, settings, output.reporter)
  const oldest = async () => {
    const { answer, bytes } = await waiting.shift()!
    await output.piece(answer.text, answer.documents, answer.invalid)
    output.progress.advance(bytes, answer.documents)
  }

  // A batch of one block is judged before a thread would have started.
  const first = await blocks.next()
  if (first.done) return
  const second = await blocks.next()
  if (second.done || pool === null) {
    for (let next = first; !next.done; next = next === first ? second : await blocks.next()) {
      const bytes = next.value.bytes.length
      waiting.push(Promise.resolve({ answer: judgeHere(next.value), bytes }))
      await oldest()
    }
    return
  }
  const start = (block: Block) => {
    const bytes = block.bytes.length
    const job = pool.judge(block).then((answer) => ({ answer, bytes }))
    // It is awaited later, in its turn; until then a failure is not "unhandled".
    job.catch(() => {})
    waiting.push(job)
  }
  start(first.value)
  start(second.value)
  for await (const block of blocks) {
    if (waiting.length >= pool.size * AHEAD) await oldest()
    start(block)
  }
  while (waiting.length > 0) await oldest()
}
