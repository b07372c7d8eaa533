/** Reading of files beside the server: few at a time, each within its limits, however it is made. */
import { MAX_BYTES } from './limits.ts'
import type { Reading } from './material.ts'
import { missingPackages } from './packages.ts'
import { type Allowance, type ReadingProcess, startProcess } from './process.ts'
import { kindOf } from './sniff.ts'

export interface RecogniserOptions {
  /** The built `reader/child.ts`. */
  readonly file: URL
  /** Files that are read at the same time; each process takes some 300 MB. */
  readonly processes?: number
  /** Files that wait; one more is turned away. */
  readonly waiting?: number
  /** For one file: milliseconds, and bytes in memory. */
  readonly allowance?: Allowance
  /** Milliseconds after which a process that has nothing to do ends. */
  readonly idle?: number
  /** For Node in the process. */
  readonly nodeOptions?: readonly string[]
  /** Packages that are looked for. */
  readonly needed?: readonly string[]
}

export interface Recogniser {
  /** Whether the libraries that reading takes are installed. */
  readonly available: boolean
  /** Those that are not. */
  readonly missing: readonly string[]
  /** Never rejects. */
  readonly read: (bytes: Uint8Array) => Promise<Reading>
  /** Ends all processes at once; what they were reading is answered as `closing`. */
  readonly close: () => void
}

const MEGABYTE = 1024 * 1024
const DEFAULTS = {
  processes: 1,
  waiting: 16,
  allowance: { time: 60_000, memory: 1024 * MEGABYTE },
  idle: 300_000,
}

/** Places of those that are read at the same time, and of those that wait for one. */
function placesFor(processes: number, waiting: number) {
  const queue: (() => void)[] = []
  let busy = 0
  return {
    /** A place, now or later; nothing where too many wait. */
    take: (): Promise<void> | null => {
      if (busy < processes) {
        busy++
        return Promise.resolve()
      }
      return queue.length < waiting ? new Promise((resolve) => queue.push(resolve)) : null
    },
    leave: () => {
      const next = queue.shift()
      if (next) next()
      else busy--
    },
    /** Lets everybody in who waits. */
    open: () => {
      for (const next of queue.splice(0)) next()
    },
  }
}

/** No process is started before there is work for it. */
export function createRecogniser(options: RecogniserOptions): Recogniser {
  const { file, nodeOptions, needed, processes, waiting, allowance, idle } = { ...DEFAULTS, ...options }
  const missing = missingPackages(file, needed)
  const running = new Set<ReadingProcess>()
  const resting: { readonly process: ReadingProcess; readonly alarm: NodeJS.Timeout }[] = []
  const places = placesFor(processes, waiting)
  let isClosed = false

  const drop = (process: ReadingProcess) => {
    process.kill()
    running.delete(process)
  }
  const take = (): ReadingProcess => {
    for (let last = resting.pop(); last; last = resting.pop()) {
      clearTimeout(last.alarm)
      if (last.process.isAlive()) return last.process
      drop(last.process)
    }
    const process = startProcess(file, nodeOptions)
    running.add(process)
    return process
  }
  const putBack = (process: ReadingProcess) => {
    if (!process.isAlive() || isClosed) return drop(process)
    const alarm = setTimeout(() => {
      const at = resting.findIndex((one) => one.process === process)
      resting.splice(at, 1)
      drop(process)
    }, idle)
    alarm.unref()
    resting.push({ process, alarm })
  }
  const readNow = async (bytes: Uint8Array): Promise<Reading> => {
    const process = take()
    const reading = await process.read(bytes, allowance)
    putBack(process)
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
      const mine = places.take()
      if (!mine) return { unavailable: 'busy' }
      await mine
      try {
        return isClosed ? { unavailable: 'closing' } : await readNow(bytes)
      } finally {
        places.leave()
      }
    },
    close: () => {
      isClosed = true
      for (const { alarm } of resting.splice(0)) clearTimeout(alarm)
      for (const process of running) process.kill()
      running.clear()
      places.open()
    },
  }
}
