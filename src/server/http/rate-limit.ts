/**
 * A rate per key that holds over all processes: a bucket in the store that fills evenly and holds a minute's worth.
 * Processes take several requests' worth at once from large buckets, so that not every request writes; of a small
 * one they take one at a time, so that the limit is exact.
 */

import { ApiError } from '../errors/api-error.ts'
import { isFull } from '../store/faults.ts'
import type { Store } from '../store/store.ts'

const MINUTE = 60_000
/** A process takes this part of the bucket at once. */
const SHARE = 100
/** Tokens that are lost with a connection come back with time. */
const OWN = { isOwn: true }
/** Keys that a process remembers. What is forgotten is asked of the store again. */
const REMEMBERED = 10_000

export interface Keyed {
  readonly companyId: string
  readonly keyId: string
  readonly ratePerMinute: number
}

/** What a process knows of a bucket. */
interface Own {
  readonly rate: number
  /** Requests that it may still let through, until the moment. */
  tokens: number
  until: number
  /** Before this moment the bucket cannot have a token: nobody fills it but time. */
  emptyUntil: number
  /** The store is being asked: whoever comes meanwhile waits for the same answer. */
  asked: Promise<void> | undefined
}

export function createRateLimit(store: Store, now: () => number) {
  const known = new Map<string, Own>()
  /** Tokens for this process, or the milliseconds until there is one. */
  const take = ({
    companyId,
    keyId,
    ratePerMinute: rate,
  }: Keyed): Promise<{ tokens: number } | { wait: number }> =>
    store.transaction(async ({ db, locks }) => {
      const at = now()
      let query = db
        .selectFrom('rate_buckets')
        .select(['tokens', 'updated_ms'])
        .where('company_id', '=', companyId)
        .where('key_id', '=', keyId)
      if (locks) query = query.forUpdate()
      const row = await query.executeTakeFirst()
      const before = row ? Number(row.updated_ms) : at
      // A machine whose clock is behind must not turn the bucket's back: time would be counted twice. By more than a
      // minute no two machines differ: then it is the clock itself that was set back, and the bucket goes by it.
      const wasSetBack = before - at > MINUTE
      const updated_ms = wasSetBack ? at : Math.max(at, before)
      const passed = Math.max(0, updated_ms - before)
      const filled = row ? Math.min(rate, row.tokens + (passed * rate) / MINUTE) : rate
      const tokens = Math.min(Math.floor(filled), Math.max(1, Math.floor(rate / SHARE)))
      const wait = Math.ceil(((1 - filled) * MINUTE) / rate)
      // From the moment that it goes by, an empty bucket has to be told of a new one.
      if (tokens < 1 && !wasSetBack) return { wait }
      const left = { tokens: filled - tokens, updated_ms }
      if (row)
        await db
          .updateTable('rate_buckets')
          .set(left)
          .where('company_id', '=', companyId)
          .where('key_id', '=', keyId)
          .execute()
      else
        await db
          .insertInto('rate_buckets')
          .values({ company_id: companyId, key_id: keyId, ...left })
          .execute()
      return tokens < 1 ? { wait } : { tokens }
    }, OWN)

  const ask = async (key: Keyed, own: Own): Promise<void> => {
    try {
      const answer = await take(key)
      if ('wait' in answer) own.emptyUntil = now() + answer.wait
      else Object.assign(own, { tokens: answer.tokens, until: now() + MINUTE })
    } catch (error) {
      if (!isFull(error)) throw error
      // Reading goes on without room to write the bucket down: this process lets a bucketful through each minute.
      const next = now() + MINUTE
      Object.assign(own, { tokens: own.rate, until: next, emptyUntil: next })
    } finally {
      own.asked = undefined
    }
  }

  const ownOf = ({ companyId, keyId, ratePerMinute: rate }: Keyed): Own => {
    const id = `${companyId}/${keyId}`
    const found = known.get(id)
    if (found && found.rate === rate) return found
    if (known.size >= REMEMBERED) known.clear()
    const own: Own = { rate, tokens: 0, until: 0, emptyUntil: 0, asked: undefined }
    known.set(id, own)
    return own
  }

  /** Counts one request. Throws `rate_limited` with `Retry-After`. */
  return async (key: Keyed): Promise<void> => {
    const own = ownOf(key)
    for (;;) {
      let wait = own.emptyUntil - now()
      // Nothing is empty, and nothing held, for more than a minute, unless the clock was set back meanwhile.
      if (wait > MINUTE || own.until - now() > MINUTE) {
        Object.assign(own, { tokens: 0, until: 0, emptyUntil: 0 })
        wait = 0
      }
      if (own.tokens > 0 && now() < own.until) {
        own.tokens--
        return
      }
      if (wait > 0) {
        const retry_after = Math.max(1, Math.ceil(wait / 1000))
        throw new ApiError(
          'rate_limited',
          { limit: key.ratePerMinute, retry_after },
          { 'Retry-After': String(retry_after) },
        )
      }
      own.asked ??= ask(key, own)
      await own.asked
    }
  }
}
