/**
 * Keys that were looked up, for as long as nobody wrote to the store: a key that is revoked stops at once, and a
 * server that only validates reads no database. Where the store cannot say whether it was written to, every request
 * looks its key up.
 */
import type { Store } from '../../store/store.ts'
import { type ApiKey, findKey } from './keys.ts'

/** The version of the store is a time and a size: this bounds what both could miss. */
const BELIEVED = 1000
const MOST = 1000

interface Known {
  readonly version: string
  readonly today: string
  readonly until: number
  readonly key: ApiKey
}

/** Asks once in a turn of the event loop: what is read in one turn was sent before it began, or at its time. */
function oncePerTurn<T>(ask: () => T): () => T {
  let asked: { readonly answer: T } | undefined
  const forget = () => {
    asked = undefined
  }
  return () => {
    if (!asked) {
      asked = { answer: ask() }
      setImmediate(forget)
    }
    return asked.answer
  }
}

export function createKeyCache(store: Store, now: () => number) {
  const known = new Map<string, Known>()
  const version = oncePerTurn(() => store.version())
  return async (header: string, today: string): Promise<ApiKey | undefined> => {
    const seen = version()
    const found = known.get(header)
    const left = found ? found.until - now() : 0
    // More time is left than at the start only if the clock was set back.
    const isFresh = left > 0 && left <= BELIEVED
    if (found && seen === found.version && today === found.today && isFresh) return found.key
    const key = await findKey(store, header, today)
    if (key && seen !== null) {
      if (known.size >= MOST) known.clear()
      known.set(header, { version: seen, today, until: now() + BELIEVED, key })
    } else known.delete(header)
    return key
  }
}
