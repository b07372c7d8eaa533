/**
 * A cache of API keys. Any write to the store invalidates it, so a revoked key stops working at once. A server that
 * only validates documents does not read the database. If the store cannot report writes, each request reads its key.
 */
import type { Store } from '../../store/store.ts'
import { type ApiKey, findKey } from './api-keys.ts'

/** Milliseconds for which an entry is valid. The store's version (time and size of a file) can miss a write. */
const VALID_MS = 1000
const MAX_KEYS = 1000

interface Known {
  readonly version: string
  readonly today: string
  readonly until: number
  readonly key: ApiKey
}

/**
 * Returns a function that calls `work` once per turn of the event loop. All requests of a turn were sent before it
 * began, so they can use the same result.
 */
function oncePerTurn<T>(work: () => T): () => T {
  let call: { readonly result: T } | undefined
  const forget = () => {
    call = undefined
  }
  return () => {
    if (!call) {
      call = { result: work() }
      setImmediate(forget)
    }
    return call.result
  }
}

export function createKeyCache(store: Store, now: () => number) {
  const known = new Map<string, Known>()
  const version = oncePerTurn(() => store.version())
  return async (header: string, today: string): Promise<ApiKey | undefined> => {
    const current = version()
    const found = known.get(header)
    const left = found ? found.until - now() : 0
    // A remaining validity longer than `VALID_MS` means that the clock was set back.
    const isFresh = left > 0 && left <= VALID_MS
    if (found && current === found.version && today === found.today && isFresh) return found.key
    const key = await findKey(store, header, today)
    if (key && current !== null) {
      if (known.size >= MAX_KEYS) known.clear()
      known.set(header, { version: current, today, until: now() + VALID_MS, key })
    } else known.delete(header)
    return key
  }
}
