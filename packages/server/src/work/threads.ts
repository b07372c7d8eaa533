/**
 * Worker threads that start when they are needed or prepared. Companies take turns in using them, and each job has a
 * limit of time and memory.
 */
import { availableParallelism } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { codeOf } from 'cuadra-storage/storage-faults.ts'
import type { Tinypool } from 'tinypool'
import { createTurns, type Turn } from '#core/turns/index.ts'
import { unavailable } from '../errors/unavailable.ts'

export interface ThreadOptions {
  /** Number of threads. At least two, so that long work leaves one thread to other work. */
  readonly threads?: number
  /** Maximum bytes of waiting documents, of all companies and of one company. Further documents are refused. */
  readonly waiting?: number
  readonly waitingOfOne?: number
  /** Milliseconds after which a thread that has not finished is terminated. */
  readonly timeMs?: number
  /** Maximum megabytes of a thread's heap. */
  readonly heapMb?: number
}

export type RunWithin<T> = (work: () => Promise<T>) => Promise<T>

const MEGABYTE = 1024 * 1024
const HEAP_BYTES = getHeapStatistics().heap_size_limit
const DEFAULTS = {
  threads: Math.max(2, Math.min(4, availableParallelism() - 1)),
  waiting: HEAP_BYTES / 8,
  waitingOfOne: HEAP_BYTES / 32,
  timeMs: 120_000,
  // A PDF of 20,000 lines needs 220 MB. `--max-old-space-size` takes precedence.
  heapMb: Math.min(1024, Math.floor(HEAP_BYTES / MEGABYTE)),
}
/** Milliseconds until an idle thread ends: the longest delay of a timer, since starting a thread delays a request. */
const IDLE_MS = 2 ** 31 - 1
/** Number of threads to prepare: one for the work of a company, and one that this work never occupies. */
const PREPARED_THREADS = 2
/** Megabytes of a thread's young generation. The default is too small for the values of a large invoice. */
const YOUNG_GENERATION_MB = 96

/** Creates the pool. `tinypool` is loaded when a thread first has work. */
async function createPool(
  file: URL,
  { threads, heapMb }: Required<Pick<ThreadOptions, 'threads' | 'heapMb'>>,
  onFailure: (error: unknown) => void,
): Promise<Tinypool> {
  const { Tinypool } = await import('tinypool')
  const created = new Tinypool({
    filename: file.href,
    runtime: 'worker_threads',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    resourceLimits: {
      // The values are needed until the validation ends. Moving them to the old generation takes a third of the time.
      maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      maxOldGenerationSizeMb: heapMb,
    },
  })
  // Without a listener, an error would end the process. If a thread fails while it starts, its job stays in the queue.
  created.on('error', (error) => {
    onFailure(error)
    created.cancelPendingTasks()
  })
  return created
}

/** Creates the threads. `file` is the module whose functions they run. */
export function createThreads(file: URL, wanted: ThreadOptions) {
  const { threads, timeMs, heapMb, ...queue } = { ...DEFAULTS, ...wanted }
  const turns = createTurns({ ...queue, workers: threads })
  let pool: Promise<Tinypool> | undefined
  let isClosed = false
  /** Why the last thread failed outside of a job. */
  let failure: unknown

  const refusalOf = (error: Error, isLate: boolean): Error => {
    if (isClosed) return unavailable('closing')
    if (isLate) return unavailable('out_of_time')
    if (error.name === 'CancelError') return unavailable('not_started', failure)
    return codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? unavailable('out_of_memory') : error
  }

  const run = async (name: string, input: unknown) => {
    pool ??= createPool(file, { threads, heapMb }, (error) => {
      failure = error
    })
    const started = await pool
    if (isClosed) throw unavailable('closing')
    const stop = new AbortController()
    // The timer is cleared below, because `tinypool` throws an uncaught error if the signal of a removed job aborts.
    const timer = setTimeout(() => stop.abort(), timeMs)
    try {
      return await started.run(input, { name, signal: stop.signal })
    } catch (error) {
      throw refusalOf(error as Error, stop.signal.aborted)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    /**
     * Runs a function of the module. Throws `service_unavailable` if the function cannot run or does not finish.
     * `within` is called with the work during its turn.
     */
    run: async <T>(
      name: string,
      input: unknown,
      turn: Turn,
      within: RunWithin<T> = (work) => work(),
    ): Promise<T> => {
      const release = await turns.take(turn)
      if (typeof release === 'string') throw unavailable(release)
      return within(() => run(name, input)).finally(release)
    },
    /**
     * Runs a function without input in new threads, to load what their first jobs need. If loading fails, the jobs that
     * need it fail too.
     */
    prepare: async (name: string): Promise<void> => {
      await Promise.allSettled(Array.from({ length: PREPARED_THREADS }, () => run(name, undefined)))
    },
    /** Ends the threads. */
    close: async (): Promise<void> => {
      isClosed = true
      turns.close()
      await (await pool)?.destroy()
    },
  }
}
