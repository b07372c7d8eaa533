/** A worker thread of a batch: judges the blocks that it is sent. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../input/settings.ts'
import type { Block } from '../input/split-lines.ts'
import { reporterOf } from '../report/formats.ts'
import { judgeBlock } from './block.ts'

const settings = workerData as Settings
const reporter = reporterOf(settings)

parentPort?.on('message', (block: Block) => parentPort?.postMessage(judgeBlock(block, settings, reporter)))
