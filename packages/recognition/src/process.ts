/** A child process that reads one file at a time, within limits of time and memory. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ChildMessage, ReadingRequest, ReadingResult } from './recognition-messages.ts'

export interface ReadingLimits {
  /** Maximum time for one file, in milliseconds, without the start of the process. */
  readonly timeMs: number
  /** Time by which reading ends in any case, as of `performance.now()`. */
  readonly deadline: number
  /** Maximum resident memory of the process, in bytes. */
  readonly maxBytes: number
}

export interface ReadingProcess {
  /** Reads one file; calls must not overlap. Resolves to `null` if the process ends before it has started. */
  readonly read: (order: ReadingRequest, limits: ReadingLimits) => Promise<ReadingResult | null>
  readonly isAlive: () => boolean
  /** Kills the process immediately. */
  readonly kill: () => void
}

/** Maximum heap size, in megabytes. Pixels are not in the heap, but in other memory of the process. */
const HEAP_MB = 512
/** Size of a memory page on Linux, in bytes, and interval of the memory check, in milliseconds. */
const MEMORY_PAGE = 4096
const WATCH_INTERVAL_MS = 50

/** Returns the resident memory of a process in bytes; 0 if the system does not report it. */
function memoryOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * MEMORY_PAGE
  } catch {
    return 0
  }
}

/** Detaches an idle child process from the event loop, so that it does not keep the server alive. */
function release(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

function hold(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

/** Starts a process. `file` is the built `reader/child.ts`. It gets no environment variables, which contain secrets. */
export function startProcess(file: URL, nodeOptions: readonly string[] = []): ReadingProcess {
  const child = fork(fileURLToPath(file), [], {
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`, ...nodeOptions],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let isAlive = true
  let isReady = false
  let resolveReading: ((result: ReadingResult | null) => void) | undefined
  let sendOrder: (() => void) | undefined
  const end = () => {
    isAlive = false
    // If the process was ready, it died while reading a file, so the file is the cause.
    resolveReading?.(isReady ? { unreadable: 'broken' } : null)
  }
  /** Sends the file once the process is ready. */
  const sendFile = () => {
    if (isAlive) sendOrder?.()
    sendOrder = undefined
  }
  child.once('exit', end)
  child.once('error', end)
  child.on('message', (report: ChildMessage) => {
    if (!('ready' in report)) return resolveReading?.(report)
    isReady = true
    sendFile()
  })
  release(child)
  const kill = () => {
    isAlive = false
    child.kill('SIGKILL')
  }
  return {
    read: (order, limits) =>
      new Promise((resolve) => {
        const finish = (result: ReadingResult | null) => {
          resolveReading = undefined
          clearTimeout(timer)
          clearInterval(watch)
          release(child)
          resolve(result)
        }
        const stop = (result: ReadingResult | null) => {
          kill()
          finish(result)
        }
        const untilDeadline = () => limits.deadline - performance.now()
        // The file is the cause only if it had all of its time.
        const onDeadline = () => stop({ unavailable: 'busy' })
        let timer = setTimeout(onDeadline, untilDeadline())
        const watch = setInterval(() => {
          if (memoryOf(child.pid) <= limits.maxBytes) return
          // If the process was not ready, reading had not started, so the file is not the cause.
          stop(isReady ? { unreadable: 'out_of_memory' } : null)
        }, WATCH_INTERVAL_MS)
        resolveReading = finish
        hold(child)
        if (!isAlive) return end()
        sendOrder = () => {
          if (limits.timeMs < untilDeadline()) {
            clearTimeout(timer)
            timer = setTimeout(() => stop({ unreadable: 'out_of_time' }), limits.timeMs)
          }
          child.send(order, (error) => error && end())
        }
        if (isReady) sendFile()
      }),
    isAlive: () => isAlive,
    kill,
  }
}
