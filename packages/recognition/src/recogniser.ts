/** Reads files in a few child processes. Companies take turns, and each file has limits of time and memory. */
import { availableParallelism } from 'node:os'
import { type Client, createTurns } from '#core/turns/index.ts'
import { headerRefusal } from './header.ts'
import type { Reading } from './material.ts'
import { missingPackages } from './packages.ts'
import { type ReadingProcess, startProcess } from './process.ts'
import { MAX_BYTES, MAX_TIMES_MS } from './recognition-limits.ts'
import type { ReadingDepth, ReadingRequest } from './recognition-messages.ts'
import { kindOf } from './sniff.ts'

export interface RecogniserOptions {
  /** The built `reader/child.ts`. */
  readonly file: URL
  /** Number of files read in parallel; each process takes about 300 MB. */
  readonly processes?: number
  /** Maximum number of waiting files, of all companies and of one company. Further files are refused. */
  readonly waiting?: number
  readonly waitingOfOne?: number
  /** Maximum time for the text of a file, for its pixels, and until its answer, in milliseconds. */
  readonly timeMs?: Readonly<Record<ReadingDepth, number>> & { readonly answer?: number }
  /** Maximum resident memory of a process, in bytes. */
  readonly maxBytes?: number
  /** Time after which an idle process ends, in milliseconds. */
  readonly idleMs?: number
  /** Options of Node for the process. */
  readonly nodeOptions?: readonly string[]
  /** Modules that must be installed. */
  readonly needed?: readonly string[]
}

export interface Recogniser {
  /** Whether the libraries are installed. */
  readonly available: boolean
  /** Modules that are not installed. */
  readonly missing: readonly string[]
  /**
   * Reads a file by the deadline, as of `performance.now()`, or resolves to `busy`. By default, the deadline is the
   * limit of an answer from now. Never rejects.
   */
  readonly read: (bytes: Uint8Array, client: Client, deadline?: number) => Promise<Reading>
  /** Likewise reads the pixels of a file again, at a higher resolution. */
  readonly readFine: (bytes: Uint8Array, client: Client, deadline?: number) => Promise<Reading>
  /** Kills all processes; open readings resolve to `closing`. */
  readonly close: () => void
}

const MEGABYTE = 1024 * 1024
const MAX_PROCESSES = 8
const DEFAULTS = {
  // At least two, so that a slow file or a company with many files does not block all other files.
  processes: Math.min(MAX_PROCESSES, Math.max(2, availableParallelism())),
  waiting: 32,
  waitingOfOne: 8,
  maxBytes: 1024 * MEGABYTE,
  idleMs: 300_000,
}

/** Creates a pool of processes, which keeps idle processes for `idleMs`. */
function createPool({ file, nodeOptions }: RecogniserOptions, idleMs: number) {
  const running = new Set<ReadingProcess>()
  const idle: { readonly process: ReadingProcess; readonly timer: NodeJS.Timeout }[] = []
  const discard = (process: ReadingProcess) => {
    process.kill()
    running.delete(process)
  }
  return {
    acquire: (): ReadingProcess => {
      for (let last = idle.pop(); last; last = idle.pop()) {
        clearTimeout(last.timer)
        if (last.process.isAlive()) return last.process
        discard(last.process)
      }
      const process = startProcess(file, nodeOptions)
      running.add(process)
      return process
    },
    keepIdle: (process: ReadingProcess) => {
      if (!process.isAlive()) return discard(process)
      const timer = setTimeout(() => {
        idle.splice(
          idle.findIndex((one) => one.process === process),
          1,
        )
        discard(process)
      }, idleMs)
      timer.unref()
      idle.push({ process, timer })
    },
    close: (): void => {
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      for (const process of running) process.kill()
      running.clear()
    },
  }
}

/** Creates a recogniser. Processes are started only when needed. */
export function createRecogniser(options: RecogniserOptions): Recogniser {
  const { processes, waiting, waitingOfOne, maxBytes, idleMs } = { ...DEFAULTS, ...options }
  const timeMs = { ...MAX_TIMES_MS, ...options.timeMs }
  const missing = missingPackages(options.file, options.needed)
  const pool = createPool(options, idleMs)
  const turns = createTurns({ workers: processes, waiting, waitingOfOne })
  let isClosed = false

  const readNow = async (order: ReadingRequest, deadline: number) => {
    if (isClosed) return { unavailable: 'closing' } as const
    const process = pool.acquire()
    const reading = await process.read(order, { timeMs: timeMs[order.need], deadline, maxBytes })
    if (isClosed) return { unavailable: 'closing' } as const
    pool.keepIdle(process)
    return reading ?? ({ unavailable: 'not_installed' } as const)
  }
  /**
   * Reads a file when it is its company's turn. Text takes a hundredth of the time of pixels, so the first turn reads
   * only text and refuses pictures that are too large. If the pixels are needed, they are read in another turn.
   */
  const readInTurn = async (order: ReadingRequest, client: Client, deadline: number): Promise<Reading> => {
    const isLate = () => performance.now() >= deadline
    // One more, because timers may fire early by a fraction.
    const timer = setTimeout(turns.skipAbandoned, Math.ceil(deadline - performance.now()) + 1)
    const release = await turns.take({
      company: client.company,
      hasLeft: () => isLate() || client.hasLeft?.() === true,
      isLong: order.need === 'pixels',
      weight: 1,
    })
    clearTimeout(timer)
    if (release === 'left' && isLate()) return { unavailable: 'busy' }
    if (typeof release === 'string') return { unavailable: release }
    const reading = await readNow(order, deadline).finally(release)
    return 'needs' in reading ? readInTurn({ ...order, need: reading.needs }, client, deadline) : reading
  }
  const answerDeadline = () => performance.now() + timeMs.answer

  return {
    available: missing.length === 0,
    missing,
    read: async (bytes, client, deadline = answerDeadline()) => {
      if (missing.length > 0) return { unavailable: 'not_installed' }
      if (isClosed) return { unavailable: 'closing' }
      if (bytes.length === 0) return { unreadable: 'empty' }
      if (bytes.length > MAX_BYTES) return { unreadable: 'too_large' }
      const kind = kindOf(bytes)
      if (!kind) return { unreadable: 'unknown_type' }
      const refusal = headerRefusal(kind, bytes)
      if (refusal) return { unreadable: refusal }
      return readInTurn({ bytes, need: 'text', isFine: false }, client, deadline)
    },
    readFine: (bytes, client, deadline = answerDeadline()) =>
      readInTurn({ bytes, need: 'pixels', isFine: true }, client, deadline),
    close: () => {
      isClosed = true
      pool.close()
      turns.close()
    },
  }
}
