/** Turns of companies on the main thread, which all requests share. */
import { type Client, createTurns } from '#core/turns/index.ts'
import { MAX_LARGE_DOCUMENTS } from '../environment/server-limits.ts'
import { unavailable } from '../errors/unavailable.ts'

/** Size in bytes of long documents. Long documents never occupy all turns. */
const LONG_BYTES = 512 * 1024
/** Minimum milliseconds of work that is followed by a pause. */
const LONG_MS = 5

/**
 * Returns `begin`, which waits for a turn and returns the function that ends it, and `close`, which refuses waiting
 * work.
 */
function createQueue(workers: number) {
  const { take, close } = createTurns({ workers, waiting: Infinity, waitingOfOne: Infinity })
  const begin = async (client: Client, isLong: boolean): Promise<() => void> => {
    const end = await take({ ...client, isLong, weight: 0 })
    if (typeof end === 'string') throw unavailable(end)
    return end
  }
  return { begin, close }
}

/** Creates the turns. `large` is the minimum size in bytes of a large document. */
export function createMainThreadTurns(large: number) {
  const documents = createQueue(MAX_LARGE_DOCUMENTS)
  const pieces = createQueue(1)
  return {
    /**
     * Resolves to the function that ends the turn, when a document of this size may be handled. Only few large
     * documents are handled at the same time, because their parsed values take much more memory than their bytes.
     */
    begin: async (client: Client, size: number): Promise<() => void> =>
      size < large ? () => {} : documents.begin(client, size > LONG_BYTES),
    /**
     * Runs work that may block the main thread, such as reading a large document. Only one such task runs at a time.
     * Long work is followed by a pause of the same duration, in which other requests proceed.
     */
    inTurn: async <T>(client: Client, work: () => T | Promise<T>): Promise<T> => {
      const end = await pieces.begin(client, false)
      const begun = performance.now()
      try {
        return await work()
      } finally {
        const length = performance.now() - begun
        if (length < LONG_MS) end()
        else setTimeout(end, length).unref()
      }
    },
    close: () => {
      documents.close()
      pieces.close()
    },
  }
}
