/** A batch: one document a line, judged in parallel, answered in order, with bounded memory. */
import { required } from '../../errors/index.ts'
import type { Settings } from '../input/settings.ts'
import { type Block, splitLines } from '../input/split-lines.ts'
import type { Output } from '../report/output.ts'
import type { Reporter } from '../report/reporter.ts'
import { type BlockAnswer, judgeBlock } from './block.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Blocks that are read ahead, for each worker. */
const AHEAD = 3

export async function runBatch(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  settings: Settings,
  output: Output<Reporter>,
  pool: WorkerPool | null,
): Promise<void> {
  const blocks = splitLines(file, chunks)
  const waiting: Promise<{ answer: BlockAnswer; bytes: number }>[] = []
  const judgeHere = (block: Block) => judgeBlock(block, settings, output.reporter)
  const oldest = async () => {
    const { answer, bytes } = await required(waiting.shift())
    await output.piece(answer.text, answer.documents, answer.invalid)
    output.progress.advance(bytes, answer.documents)
  }

  // A batch of one block is judged before a thread would have started.
  const ready: Block[] = []
  for (let next = await blocks.next(); !next.done; next = await blocks.next()) {
    ready.push(next.value)
    if (ready.length === 2) break
  }
  if (ready.length < 2 || pool === null) {
    const here = async (block: Block) => {
      const bytes = block.bytes.length
      waiting.push(Promise.resolve({ answer: judgeHere(block), bytes }))
      await oldest()
    }
    for (const block of ready) await here(block)
    for await (const block of blocks) await here(block)
    return
  }
  const start = (block: Block) => {
    const bytes = block.bytes.length
    const job = pool.judge(block).then((answer) => ({ answer, bytes }))
    // Awaited later, in its turn; until then a failure must not count as "unhandled".
    job.catch(() => {})
    waiting.push(job)
  }
  for (const block of ready) start(block)
  for await (const block of blocks) {
    if (waiting.length >= pool.size * AHEAD) await oldest()
    start(block)
  }
  while (waiting.length > 0) await oldest()
}
