/** Reads files in child processes: few at a time, each within limits. */
import { MAX_BYTES } from './limits.ts'
import type { Reading } from './material.ts'
import { missingPackages } from './packages.ts'
import { type ReadingLimits, type ReadingProcess, startProcess } from './process.ts'
import { kindOf } from './sniff.ts'

export interface RecogniserOptions {
  /** The built `reader/child.ts`. */
  readonly file: URL
  /** Number of files read in parallel; each process takes about 300 MB. */
  readonly processes?: number
  /** Maximum number of waiting files; further ones are refused. */
  readonly waiting?: number
  /** Limits for one file. */
  readonly limits?: ReadingLimits
  /** Milliseconds after which an idle process ends. */
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
  /** Reads a file. Never rejects. */
  readonly read: (bytes: Uint8Array) => Promise<Reading>
  /** Kills all processes; open readings resolve to `closing`. */
  readonly close: () => void
}

const MEGABYTE = 1024 * 1024
const DEFAULTS = {
  processes: 1,
  waiting: 16,
  limits: { timeMs: 60_000, maxBytes: 1024 * MEGABYTE },
  idleMs: 300_000,
}

/** A semaphore with `processes` slots and a bounded queue. */
function semaphore(processes: number, waiting: number) {
  const queue: (() => void)[] = []
  let busy = 0
  return {
    /** Resolves when a slot is free; null if the queue is full. */
    acquire: (): Promise<void> | null => {
      if (busy < processes) {
        busy++
        return Promise.resolve()
      }
      return queue.length < waiting ? new Promise((resolve) => queue.push(resolve)) : null
    },
    release: () => {
      const next = queue.shift()
      if (next) next()
      else busy--
    },
    /** Releases all that wait. */
    releaseAll: () => {
      for (const next of queue.splice(0)) next()
    },
  }
}

/** Creates a recogniser. Processes are started only when needed. */
export function createRecogniser(options: RecogniserOptions): Recogniser {
  const { file, nodeOptions, needed, processes, waiting, limits, idleMs } = { ...DEFAULTS, ...options }
  const missing = missingPackages(file, needed)
  const running = new Set<ReadingProcess>()
  const idleProcesses: { readonly process: ReadingProcess; readonly timer: NodeJS.Timeout }[] = []
  const slots = semaphore(processes, waiting)
  let isClosed = false

  const discard = (process: ReadingProcess) => {
    process.kill()
    running.delete(process)
  }
  const acquire = (): ReadingProcess => {
    for (let last = idleProcesses.pop(); last; last = idleProcesses.pop()) {
      clearTimeout(last.timer)
      if (last.process.isAlive()) return last.process
      discard(last.process)
    }
    const process = startProcess(file, nodeOptions)
    running.add(process)
    return process
  }
  const keepIdle = (process: ReadingProcess) => {
    if (!process.isAlive() || isClosed) return discard(process)
    const timer = setTimeout(() => {
      const at = idleProcesses.findIndex((one) => one.process === process)
      idleProcesses.splice(at, 1)
      discard(process)
    }, idleMs)
    timer.unref()
    idleProcesses.push({ process, timer })
  }
  const readNow = async (bytes: Uint8Array): Promise<Reading> => {
    const process = acquire()
    const reading = await process.read(bytes, limits)
    keepIdle(process)
    if (isClosed) return { unavailable: 'closing' }
    return reading ?? { unavailable: 'not_installed' }
  }

  return {
    available: missing.length === 0,
    missing,
    read: async (bytes) => {
      if (missing.length > 0) return { unavailable: 'not_installed' }
      if (isClosed) return { unavailable: 'closing' }
      if (bytes.length === 0) return { unreadable: 'empty' }
      if (bytes.length > MAX_BYTES) return { unreadable: 'too_large' }
      if (!kindOf(bytes)) return { unreadable: 'unknown_type' }
      const slot = slots.acquire()
      if (!slot) return { unavailable: 'busy' }
      await slot
      try {
        return isClosed ? { unavailable: 'closing' } : await readNow(bytes)
      } finally {
        slots.release()
      }
    },
    close: () => {
      isClosed = true
      for (const { timer } of idleProcesses.splice(0)) clearTimeout(timer)
      for (const process of running) process.kill()
      running.clear()
      slots.releaseAll()
    },
  }
}
