/** Turns of the companies at the main thread, which all requests share. */
import { type Client, createTurns } from '../../turns/turns.ts'
import { LARGE_AT_ONCE } from '../environment/limits.ts'
import { unavailable } from '../errors/unavailable.ts'

/** Size from which documents do not take all turns at once. */
const LONG_BYTES = 512 * 1024
/** Milliseconds of work from which a pause follows. */
const LONG_MS = 5

/** Returns functions that wait for a turn, and that refuse all that wait. A turn is the function that ends it. */
function createQueue(workers: number) {
  const { take, close } = createTurns({ workers, waiting: Infinity, waitingOfOne: Infinity })
  const begin = async (client: Client, isLong: boolean): Promise<() => void> => {
    const end = await take({ ...client, isLong, weight: 0 })
    if (typeof end === 'string') throw unavailable(end)
    return end
  }
  return { begin, close }
}

/** `large` is the size from which a document is large. */
export function createMainThread(large: number) {
  const documents = createQueue(LARGE_AT_ONCE)
  const pieces = createQueue(1)
  return {
    /**
     * Resolves when a document of this size may be handled, to the function that ends its turn. Few large ones are
     * handled at the same time, since their values take much more memory than their bytes.
     */
    begin: async (client: Client, size: number): Promise<() => void> =>
      size < large ? () => {} : documents.begin(client, size > LONG_BYTES),
    /**
     * Runs work that may block the main thread, such as reading a large document: one at a time. Long work is followed by
     * a pause of the same length, in which the requests of others proceed.
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
