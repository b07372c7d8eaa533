/**
 * A rate per key that holds over all processes: a bucket in the store that fills evenly and holds a minute's worth.
 * Processes take several requests' worth at once from large buckets, so that not every request writes; of a small
 * one they take one at a time, so that the limit is exact.
 */
import type { Store } from '../store/store.ts'
import { ApiError } from './errors.ts'

const MINUTE = 60_000
/** A process takes this part of the bucket at once. */
const SHARE = 100

interface Taken {
  tokens: number
  until: number
}

export interface Keyed {
  readonly companyId: string
  readonly keyId: string
  readonly ratePerMinute: number
}

export function createRateLimit(store: Store, now: () => number) {
  const taken = new Map<string, Taken>()
  /** Tokens for this process, or the milliseconds until there is one. */
  const take = ({ companyId, keyId, ratePerMinute: rate }: Keyed): Promise<{ tokens: number } | { wait: number }> =>
    store.transaction(async ({ db, locks }) => {
      const at = now()
      let query = db.selectFrom('rate_buckets').select(['tokens', 'updated_ms']).where('company_id', '=', companyId).where('key_id', '=', keyId)
      if (locks) query = query.forUpdate()
      const row = await query.executeTakeFirst()
      const passed = row ? Math.max(0, at - Number(row.updated_ms)) : 0
      const filled = row ? Math.min(rate, row.tokens + (passed * rate) / MINUTE) : rate
      const tokens = Math.min(Math.floor(filled), Math.max(1, Math.floor(rate / SHARE)))
      if (tokens < 1) return { wait: Math.ceil(((1 - filled) * MINUTE) / rate) }
      const left = { tokens: filled - tokens, updated_ms: at }
      if (row)
        await db.updateTable('rate_buckets').set(left).where('company_id', '=', companyId).where('key_id', '=', keyId).execute()
      else await db.insertInto('rate_buckets').values({ company_id: companyId, key_id: keyId, ...left }).execute()
      return { tokens }
    })
  /** Counts one request. Throws `rate_limited` with `Retry-After`. */
  return async (key: Keyed): Promise<void> => {
    const id = `${key.companyId}/${key.keyId}`
    const own = taken.get(id)
    if (own && own.tokens > 0 && now() < own.until) {
      own.tokens--
      return
    }
    const answer = await take(key)
    if ('wait' in answer) {
      const retry_after = Math.max(1, Math.ceil(answer.wait / 1000))
      throw new ApiError('rate_limited', { limit: key.ratePerMinute, retry_after }, { 'Retry-After': String(retry_after) })
    }
    if (taken.size > 10_000) taken.clear()
    if (answer.tokens > 1) taken.set(id, { tokens: answer.tokens - 1, until: now() + MINUTE })
  }
}
