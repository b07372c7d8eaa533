/**
 * Rate limits per key across all processes: a token bucket in the store, which holds the requests of one minute. From
 * large buckets a process takes several tokens at once, so that not every request writes. From small ones it takes one
 * at a time, so that the limit is exact.
 */
import { isFull } from '../../../storage/faults.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Store } from '../../store/store.ts'

const MINUTE_MS = 60_000
/** A process takes at most this fraction of a bucket at once: 1/100. */
const BUCKET_FRACTION = 100
/** Number of keys that a process caches. */
const MAX_CACHED_KEYS = 10_000

export interface LimitedKey {
  readonly companyId: string
  readonly keyId: string
  readonly ratePerMinute: number
}

/** What a process knows of a bucket. */
interface LocalBucket {
  readonly rate: number
  /** Tokens that this process may still use, until `until`. */
  tokens: number
  until: number
  /** Tokens that were left in the bucket at the last query, and the time of that query. */
  left: number
  leftAt: number
  /** Before this time the bucket cannot have a token. */
  emptyUntil: number
  /** The running query. Concurrent requests wait for it too. */
  pending: Promise<void> | undefined
}

/** The state of the limit, for the headers of a response. */
export interface Left {
  readonly remaining: number
  readonly seconds: number
}

/**
 * Takes tokens for this process, or returns the milliseconds until there is one. Lost tokens are refilled with time.
 */
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
      // A machine with a slow clock must not turn the time of the bucket back, which would count time twice. Clocks of
      // machines never differ by more than a minute: beyond that the clock was set back, and the bucket follows it.
      const wasSetBack = before - at > MINUTE_MS
      const updated_ms = wasSetBack ? at : Math.max(at, before)
      const passed = Math.max(0, updated_ms - before)
      const filled = row ? Math.min(rate, row.tokens + (passed * rate) / MINUTE_MS) : rate
      const tokens = Math.min(Math.floor(filled), Math.max(1, Math.floor(rate / BUCKET_FRACTION)))
      const wait = Math.ceil(((1 - filled) * MINUTE_MS) / rate)
      // After the clock was set back, the new time is stored even without a token.
      if (tokens < 1 && !wasSetBack) return { wait }
      const left = { tokens: filled - tokens, updated_ms }
      if (row) await tx.update('rate_buckets', left).where('key_id', '=', keyId).execute()
      else await tx.insert('rate_buckets', { key_id: keyId, ...left })
      return tokens < 1 ? { wait } : { tokens, left: filled - tokens }
    },
    { isOwn: true, companyId },
  )

/** Returns what this process knows of a key's bucket. */
function ownOf(
  known: Map<string, LocalBucket>,
  { companyId, keyId, ratePerMinute: rate }: LimitedKey,
): LocalBucket {
  const id = `${companyId}/${keyId}`
  const found = known.get(id)
  if (found && found.rate === rate) return found
  if (known.size >= MAX_CACHED_KEYS) known.clear()
  const bucket: LocalBucket = {
    rate,
    tokens: 0,
    until: 0,
    left: 0,
    leftAt: 0,
    emptyUntil: 0,
    pending: undefined,
  }
  known.set(id, bucket)
  return bucket
}

export function createRateLimit(store: Store, now: () => number) {
  const known = new Map<string, LocalBucket>()

  const ask = async (key: LimitedKey, bucket: LocalBucket): Promise<void> => {
    try {
      const result = await takeFrom(store, now, key)
      if ('wait' in result) bucket.emptyUntil = now() + result.wait
      else Object.assign(bucket, { ...result, leftAt: now(), until: now() + MINUTE_MS })
    } catch (error) {
      if (!isFull(error)) throw error
      // Without disk space for the bucket, requests go on: this process allows the full rate each minute.
      const next = now() + MINUTE_MS
      Object.assign(bucket, { tokens: bucket.rate, until: next, emptyUntil: next })
    } finally {
      bucket.pending = undefined
    }
  }

  /** Returns the remaining requests as far as this process knows, and the seconds until the bucket is full. */
  const leftOf = ({ rate, tokens, left, leftAt }: LocalBucket): Left => {
    const filled = left + (Math.max(0, now() - leftAt) * rate) / MINUTE_MS
    const remaining = Math.min(rate, Math.floor(tokens + filled))
    return { remaining, seconds: Math.ceil(((rate - remaining) * 60) / rate) }
  }

  /** Counts one request and reports what is left. Throws `rate_limited` with `Retry-After`. */
  return async (key: LimitedKey, report: (left: Left) => void = () => {}): Promise<void> => {
    const bucket = ownOf(known, key)
    for (;;) {
      let wait = bucket.emptyUntil - now()
      // Tokens and waits never last more than a minute, unless the clock was set back.
      if (wait > MINUTE_MS || bucket.until - now() > MINUTE_MS) {
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
