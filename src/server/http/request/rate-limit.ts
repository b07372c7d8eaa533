/**
 * A rate per key that holds over all processes: a bucket in the store that fills evenly and holds a minute's worth.
 * Processes take several requests' worth at once from large buckets, so that not every request writes; of a small
 * one they take one at a time, so that the limit is exact.
 */
import { isFull } from '../../../storage/faults.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Store } from '../../store/store.ts'

const MINUTE = 60_000
/** A process takes this part of the bucket at once. */
const SHARE = 100
/** Keys that a process remembers. What is forgotten is asked of the store again. */
const REMEMBERED = 10_000

export interface LimitedKey {
  readonly companyId: string
  readonly keyId: string
  readonly ratePerMinute: number
}

/** What a process knows of a bucket. */
interface LocalBucket {
  readonly rate: number
  /** Requests that it may still let through, until the moment. */
  tokens: number
  until: number
  /** What was left in the bucket when the store was last asked, and when that was. */
  left: number
  leftAt: number
  /** Before this moment the bucket cannot have a token: nobody fills it but time. */
  emptyUntil: number
  /** The store is being asked: whoever comes meanwhile waits for the same answer. */
  pending: Promise<void> | undefined
}

/** What the headers of an answer report of the limit. */
export interface Left {
  readonly remaining: number
  readonly seconds: number
}

/** Tokens for this process, or the milliseconds until there is one. Tokens lost with a connection come back with time. */
const takeFrom = (
  store: Store,
  now: () => number,
  { companyId, keyId, ratePerMinute: rate }: LimitedKey,
): Promise<{ tokens: number; left: number } | { wait: number }> =>
  store.transaction(
    async (all) => {
      const tx = all.of(companyId)
      const at = now()
      const row = await tx
        .lock('rate_buckets')
        .select(['tokens', 'updated_ms'])
        .where('key_id', '=', keyId)
        .executeTakeFirst()
      const before = row ? Number(row.updated_ms) : at
      // A machine with a slow clock must not turn the bucket's clock back: time would count twice. Two machines never
      // differ by more than a minute: beyond that the clock itself was set back, and the bucket follows it.
      const wasSetBack = before - at > MINUTE
      const updated_ms = wasSetBack ? at : Math.max(at, before)
      const passed = Math.max(0, updated_ms - before)
      const filled = row ? Math.min(rate, row.tokens + (passed * rate) / MINUTE) : rate
      const tokens = Math.min(Math.floor(filled), Math.max(1, Math.floor(rate / SHARE)))
      const wait = Math.ceil(((1 - filled) * MINUTE) / rate)
      // From the moment that it goes by, an empty bucket has to be told of a new one.
      if (tokens < 1 && !wasSetBack) return { wait }
      const left = { tokens: filled - tokens, updated_ms }
      if (row) await tx.update('rate_buckets', left).where('key_id', '=', keyId).execute()
      else await tx.insert('rate_buckets', { key_id: keyId, ...left })
      return tokens < 1 ? { wait } : { tokens, left: filled - tokens }
    },
    { isOwn: true, companyId },
  )

/** What this process knows of the bucket of a key. */
function ownOf(known: Map<string, LocalBucket>, { companyId, keyId, ratePerMinute: rate }: LimitedKey): LocalBucket {
  const id = `${companyId}/${keyId}`
  const found = known.get(id)
  if (found && found.rate === rate) return found
  if (known.size >= REMEMBERED) known.clear()
  const bucket: LocalBucket = { rate, tokens: 0, until: 0, left: 0, leftAt: 0, emptyUntil: 0, pending: undefined }
  known.set(id, bucket)
  return bucket
}

export function createRateLimit(store: Store, now: () => number) {
  const known = new Map<string, LocalBucket>()

  const ask = async (key: LimitedKey, bucket: LocalBucket): Promise<void> => {
    try {
      const answer = await takeFrom(store, now, key)
      if ('wait' in answer) bucket.emptyUntil = now() + answer.wait
      else Object.assign(bucket, { ...answer, leftAt: now(), until: now() + MINUTE })
    } catch (error) {
      if (!isFull(error)) throw error
      // Without disk space for the bucket, reading goes on: this process lets a bucketful through each minute.
      const next = now() + MINUTE
      Object.assign(bucket, { tokens: bucket.rate, until: next, emptyUntil: next })
    } finally {
      bucket.pending = undefined
    }
  }

  /** How many requests are left as far as this process knows, and the seconds until the bucket is full. */
  const leftOf = ({ rate, tokens, left, leftAt }: LocalBucket): Left => {
    const filled = left + (Math.max(0, now() - leftAt) * rate) / MINUTE
    const remaining = Math.min(rate, Math.floor(tokens + filled))
    return { remaining, seconds: Math.ceil(((rate - remaining) * 60) / rate) }
  }

  /** Counts one request, and reports what is left. Throws `rate_limited` with `Retry-After`. */
  return async (key: LimitedKey, report: (left: Left) => void = () => {}): Promise<void> => {
    const bucket = ownOf(known, key)
    for (;;) {
      let wait = bucket.emptyUntil - now()
      // Nothing is empty, and nothing held, for more than a minute, unless the clock was set back meanwhile.
      if (wait > MINUTE || bucket.until - now() > MINUTE) {
        Object.assign(bucket, { tokens: 0, until: 0, emptyUntil: 0 })
        wait = 0
      }
      if (bucket.tokens > 0 && now() < bucket.until) {
        bucket.tokens--
        report(leftOf(bucket))
        return
      }
      if (wait > 0) {
        const retry_after = Math.max(1, Math.ceil(wait / 1000))
        report({ remaining: 0, seconds: retry_after })
        throw new ApiError(
          'rate_limited',
          { limit: key.ratePerMinute, retry_after },
          { 'Retry-After': String(retry_after) },
        )
      }
      bucket.pending ??= ask(key, bucket)
      await bucket.pending
    }
  }
}
