/** A pool of worker threads that starts each thread only when it is needed. */
import { Worker } from 'node:worker_threads'
import type { Settings } from '../input/input-settings.ts'
import type { Block } from '../input/split-lines.ts'
import type { BlockOutcome } from './block.ts'

interface Job {
  readonly block: Block
  readonly resolve: (outcome: BlockOutcome) => void
  readonly reject: (error: Error) => void
}

export class WorkerPool {
  readonly #idle: Worker[] = []
  readonly #all: Worker[] = []
  readonly #queue: Job[] = []
  readonly #running = new Map<Worker, Job>()

  constructor(
    readonly size: number,
    readonly settings: Settings,
  ) {}

  check(block: Block): Promise<BlockOutcome> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ block, resolve, reject })
      this.#assign()
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()))
  }

  #assign(): void {
    const worker = this.#idle.pop() ?? (this.#all.length < this.size ? this.#start() : undefined)
    if (!worker) return
    const job = this.#queue.shift()
    if (!job) {
      this.#idle.push(worker)
      return
    }
    this.#running.set(worker, job)
    worker.postMessage(job.block, [job.block.bytes.buffer])
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: this.settings })
    this.#all.push(worker)
    worker.on('message', (outcome: BlockOutcome) => {
      this.#running.get(worker)?.resolve(outcome)
      this.#running.delete(worker)
      this.#idle.push(worker)
      this.#assign()
    })
    worker.on('error', (error: Error) => this.#running.get(worker)?.reject(error))
    return worker
  }
}
