/** Checks a batch with one document per line in parallel. Reports results in input order and bounds memory use. */
import { required } from '#core/errors/index.ts'
import type { Settings } from '../input/input-settings.ts'
import { type Block, splitLines } from '../input/split-lines.ts'
import type { Output } from '../report/report-output.ts'
import type { Reporter } from '../report/reporter.ts'
import { type BlockOutcome, checkBlock } from './block.ts'
import type { WorkerPool } from './worker-pool.ts'

/** Maximum number of blocks read ahead per worker. */
const AHEAD = 3

export async function runBatch(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  settings: Settings,
  output: Output<Reporter>,
  pool: WorkerPool | null,
): Promise<void> {
  const blocks = splitLines(file, chunks)
  const waiting: Promise<{ outcome: BlockOutcome; bytes: number }>[] = []
  const checkHere = (block: Block) => checkBlock(block, settings, output.reporter)
  const oldest = async () => {
    const { outcome, bytes } = await required(waiting.shift())
    await output.append(outcome.text, outcome.tally)
    output.progress.advance(bytes, outcome.tally.documents)
  }

  // Reads up to two blocks: a single block is checked on this thread, since starting a worker would take longer.
  const ready: Block[] = []
  for (let next = await blocks.next(); !next.done; next = await blocks.next()) {
    ready.push(next.value)
    if (ready.length === 2) break
  }
  if (ready.length < 2 || pool === null) {
    const here = async (block: Block) => {
      const bytes = block.bytes.length
      waiting.push(Promise.resolve({ outcome: checkHere(block), bytes }))
      await oldest()
    }
    for (const block of ready) await here(block)
    for await (const block of blocks) await here(block)
    return
  }
  const start = (block: Block) => {
    const bytes = block.bytes.length
    const job = pool.check(block).then((outcome) => ({ outcome, bytes }))
    // `oldest` awaits the job later. Until then, Node must not report a rejection as unhandled.
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
