/** Worker threads, started when there is work for one more of them. */
import { Worker } from 'node:worker_threads'
import type { Settings } from '../input/settings.ts'
import type { Block } from '../input/split-lines.ts'
import type { BlockAnswer } from './block.ts'

interface Job {
  readonly block: Block
  readonly resolve: (answer: BlockAnswer) => void
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

  judge(block: Block): Promise<BlockAnswer> {
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
    worker.on('message', (answer: BlockAnswer) => {
      this.#running.get(worker)?.resolve(answer)
      this.#running.delete(worker)
      this.#idle.push(worker)
      this.#assign()
    })
    worker.on('error', (error: Error) => this.#running.get(worker)?.reject(error))
    return worker
  }
}
