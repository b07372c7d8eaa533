/** One process that reads files, one after the other, and does not outlive what it is allowed. */
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Reading } from './material.ts'
import type { Order, Report } from './messages.ts'

export interface Allowance {
  /** Milliseconds for one file. */
  readonly time: number
  /** Bytes that the process may have in memory. */
  readonly memory: number
}

export interface ReadingProcess {
  /** Never at the same time as another. `null`: the process does not start. */
  readonly read: (bytes: Uint8Array, allowance: Allowance) => Promise<Reading | null>
  readonly isAlive: () => boolean
  /** At once, whatever it is doing. */
  readonly kill: () => void
}

/** Megabytes of JavaScript's own memory; pixels are counted in the process's. */
const HEAP = 512
/** Bytes of a page of memory on Linux, and how often they are counted, in milliseconds. */
const MEMORY_PAGE = 4096
const WATCH = 50

/** Bytes that a process has in memory; 0 where the system does not say. */
function memoryOf(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * MEMORY_PAGE
  } catch {
    return 0
  }
}

/** It keeps no other process alive while it has nothing to do. */
function rest(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
}

function wake(child: ChildProcess): void {
  child.ref()
  child.channel?.ref()
}

/** `file` is the built `reader/child.ts`. It inherits no environment: there are secrets in it. */
export function startProcess(file: URL, nodeOptions: readonly string[] = []): ReadingProcess {
  const child = fork(fileURLToPath(file), [], {
    env: {},
    execArgv: [`--max-old-space-size=${HEAP}`, ...nodeOptions],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let isAlive = true
  let isReady = false
  let answer: ((reading: Reading | null) => void) | undefined
  let order: (() => void) | undefined
  const end = () => {
    isAlive = false
    // It went in the middle of a file: whatever killed it was in there.
    answer?.(isReady ? { unreadable: 'broken' } : null)
  }
  /** The file, once there is somebody to read it. */
  const hand = () => {
    if (isAlive) order?.()
    order = undefined
  }
  child.once('exit', end)
  child.once('error', end)
  child.on('message', (report: Report) => {
    if (!('ready' in report)) return answer?.(report)
    isReady = true
    hand()
  })
  rest(child)
  const kill = () => {
    isAlive = false
    child.kill('SIGKILL')
  }
  return {
    read: (bytes, allowance) =>
      new Promise((resolve) => {
        const finish = (reading: Reading | null) => {
          answer = undefined
          clearTimeout(alarm)
          clearInterval(watch)
          rest(child)
          resolve(reading)
        }
        const stop = (unreadable: 'out_of_time' | 'out_of_memory') => {
          kill()
          // The file is not to blame before anybody has looked at it.
          finish(isReady ? { unreadable } : null)
        }
        const ring = () => stop('out_of_time')
        let alarm = setTimeout(ring, allowance.time)
        const watch = setInterval(() => {
          if (memoryOf(child.pid) > allowance.memory) stop('out_of_memory')
        }, WATCH)
        answer = finish
        wake(child)
        if (!isAlive) return end()
        order = () => {
          // The time that it takes to start is not the file's.
          clearTimeout(alarm)
          alarm = setTimeout(ring, allowance.time)
          child.send({ bytes } satisfies Order, (error) => error && end())
        }
        if (isReady) hand()
      }),
    isAlive: () => isAlive,
    kill,
  }
}
