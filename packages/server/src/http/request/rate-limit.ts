/**
 * Limits the requests per API key across all processes. The store has a token bucket for each key, which holds as many
 * tokens as the key may send requests per minute. From a large bucket, a process takes several tokens at once, so that
 * not every request writes to the store. From a small bucket it takes one token at a time, so that the limit is exact.
 */
import { isUnwritable } from 'cuadra-storage/storage-faults.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Store } from '../../store/store.ts'

const MINUTE_MS = 60_000
/** A process takes at most one hundredth of a full bucket at once. */
const BUCKET_FRACTION = 100
/** Number of keys that a process caches. */
const MAX_CACHED_KEYS = 10_000

export interface LimitedKey {
  readonly companyId: string
  readonly keyId: string
  readonly ratePerMinute: number
}

/** The tokens that a process has taken from a bucket, and the state of the bucket at the last query. */
interface LocalBucket {
  readonly rate: number
  /** Number of tokens that this process has taken and may use before `until`. */
  tokens: number
  until: number
  /** Number of tokens that were left in the bucket at the last query, and the time of that query. */
  left: number
  leftAt: number
  /** The bucket is empty until this time. */
  emptyUntil: number
  /** The current query of the store. Concurrent requests wait for it too. */
  pending: Promise<void> | undefined
}

/** The state of the rate limit, for the headers of a response. */
export interface RateLimitState {
  readonly remaining: number
  readonly seconds: number
}

/**
 * Takes tokens for this process, or returns the milliseconds until the bucket has a token. Tokens of a process that
 * ends are lost, but the bucket refills with time.
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
        .lock('rate_buckets', { key_id: keyId })
        .select(['tokens', 'updated_ms'])
        .executeTakeFirst()
      const before = row ? Number(row.updated_ms) : at
      // If the clock of this machine is behind, the time of the bucket must not be set back, because the bucket would
      // then be refilled twice. Clocks of machines differ by less than a minute. A larger difference means that the
      // clock was set back, so the bucket adopts the time of this machine.
      const wasSetBack = before - at > MINUTE_MS
      const updated_ms = wasSetBack ? at : Math.max(at, before)
      const passed = Math.max(0, updated_ms - before)
      const filled = row ? Math.min(rate, row.tokens + (passed * rate) / MINUTE_MS) : rate
      const tokens = Math.min(Math.floor(filled), Math.max(1, Math.floor(rate / BUCKET_FRACTION)))
      const wait = Math.ceil(((1 - filled) * MINUTE_MS) / rate)
      // After the clock was set back, the new time is stored even if no token is available.
      if (tokens < 1 && !wasSetBack) return { wait }
      const left = { tokens: filled - tokens, updated_ms }
      if (row) await tx.change('rate_buckets', left, { key_id: keyId })
      else await tx.insert('rate_buckets', { key_id: keyId, ...left })
      return tokens < 1 ? { wait } : { tokens, left: filled - tokens }
    },
    { isOwn: true, companyId },
  )

/** Returns this process's local copy of a key's bucket. */
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
      if (!isUnwritable(error)) throw error
      // The bucket cannot be stored. Requests are still accepted: this process alone applies the full rate per minute.
      const next = now() + MINUTE_MS
      Object.assign(bucket, { tokens: bucket.rate, until: next, emptyUntil: next })
    } finally {
      bucket.pending = undefined
    }
  }

  /** Returns the remaining requests, as far as this process knows, and the seconds until the bucket is full. */
  const leftOf = ({ rate, tokens, left, leftAt }: LocalBucket): RateLimitState => {
    const filled = left + (Math.max(0, now() - leftAt) * rate) / MINUTE_MS
    const remaining = Math.min(rate, Math.floor(tokens + filled))
    return { remaining, seconds: Math.ceil(((rate - remaining) * 60) / rate) }
  }

  /** Counts one request and reports the state of the limit. Throws `rate_limited` with `Retry-After`. */
  return async (key: LimitedKey, report: (left: RateLimitState) => void = () => {}): Promise<void> => {
    const bucket = ownOf(known, key)
    for (;;) {
      let wait = bucket.emptyUntil - now()
      // Tokens and wait times last up to a minute. A longer time means that the clock was set back.
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
