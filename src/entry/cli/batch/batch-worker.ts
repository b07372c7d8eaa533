/** Entry point of a worker thread: checks the blocks it receives. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Settings } from '../input/input-settings.ts'
import type { Block } from '../input/split-lines.ts'
import { reporterOf } from '../report/report-formats.ts'
import { checkBlock } from './block.ts'

const settings = workerData as Settings
const reporter = reporterOf(settings)

parentPort?.on('message', (block: Block) => parentPort?.postMessage(checkBlock(block, settings, reporter)))
