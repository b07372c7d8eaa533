/** A worker thread of a batch: judges the blocks that it is sent. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Block, judgeBlock } from './batch-block.ts'
import { reporterOf } from './reporter.ts'
import type { Settings } from './settings.ts'

const settings = workerData as Settings
const reporter = reporterOf(settings)

parentPort?.on('message', (block: Block) => parentPort?.postMessage(judgeBlock(block, settings, reporter)))
