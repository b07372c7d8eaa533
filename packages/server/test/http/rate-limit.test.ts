import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { temporaryFolder } from '#test/folders.ts'
import { ApiError } from '../../src/errors/api-error.ts'
import { createRateLimit } from '../../src/http/request/rate-limit.ts'
import { openStore, type Store } from '../../src/store/store.ts'

/** A store that counts its transactions. */
let store: Store
let folder: string
let transactions = 0
let clock = 1_800_000_000_000
const now = () => clock

beforeEach(async () => {
  folder = temporaryFolder()
  const opened = await openStore({ dataDir: folder })
  transactions = 0
  store = {
    ...opened,
    transaction: (work) => {
      transactions++
      return opened.transaction(work)
    },
  }
})
afterEach(() => store.close())

const key = (ratePerMinute: number, keyId = 'k') => ({ companyId: 'c', keyId, ratePerMinute })

/** Counts how many of some consecutive requests pass. */
async function passing(
  limit: ReturnType<typeof createRateLimit>,
  rate: number,
  requests: number,
): Promise<number> {
  let passed = 0
  for (let n = 0; n < requests; n++) {
    try {
      await limit(key(rate))
      passed++
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'rate_limited') throw error
    }
  }
  return passed
}

describe('the bucket', () => {
  it('holds a minute of requests, and fills evenly', async () => {
    const limit = createRateLimit(store, now)
    expect(await passing(limit, 30, 100)).toBe(30)
    clock += 2000
    expect(await passing(limit, 30, 100)).toBe(1)
    clock += 20_000
    expect(await passing(limit, 30, 100)).toBe(10)
    clock += 3_600_000
    expect(await passing(limit, 30, 100)).toBe(30)
  })

  it('is the same for all processes', async () => {
    const [one, two] = [createRateLimit(store, now), createRateLimit(store, now)]
    expect((await passing(one, 10, 7)) + (await passing(two, 10, 7)) + (await passing(one, 10, 7))).toBe(10)
  })

  it('is separate for each key', async () => {
    const limit = createRateLimit(store, now)
    expect(await passing(limit, 2, 5)).toBe(2)
    await limit(key(2, 'other'))
  })

  it('does not count time twice for a machine whose clock is behind', async () => {
    const ahead = createRateLimit(store, () => clock + 30_000)
    const behind = createRateLimit(store, now)
    expect(await passing(ahead, 10, 20)).toBe(10)
    for (let round = 0; round < 5; round++) {
      expect(await passing(behind, 10, 3)).toBe(0)
      expect(await passing(ahead, 10, 3)).toBe(0)
    }
  })
})

describe('a clock that is set back', () => {
  const HOUR = 3_600_000

  it('delays requests by at most a minute', async () => {
    const limit = createRateLimit(store, now)
    expect(await passing(limit, 30, 40)).toBe(30)
    clock -= HOUR
    const seconds = limit(key(30)).catch(({ headers }: ApiError) => Number(headers['Retry-After']))
    expect(await seconds).toBeLessThanOrEqual(60)
    clock += 60_000
    expect(await passing(limit, 30, 40)).toBe(30)
  })

  it('gives no process tokens for longer than a minute, and other processes theirs', async () => {
    const [one, two] = [createRateLimit(store, now), createRateLimit(store, now)]
    expect(await passing(one, 10, 5)).toBe(5)
    clock -= HOUR
    // The bucket follows the new clock, with the tokens it had.
    expect((await passing(two, 10, 10)) + (await passing(one, 10, 10))).toBe(5)
    clock += 30_000
    expect((await passing(two, 10, 10)) + (await passing(one, 10, 10))).toBe(5)
  })
})

describe('the response', () => {
  it('states when the next request may be sent, in whole seconds', async () => {
    const limit = createRateLimit(store, now)
    expect(await passing(limit, 6, 6)).toBe(6)
    expect(await limit(key(6)).catch((refusal: ApiError) => refusal)).toMatchObject({
      code: 'rate_limited',
      extra: { limit: 6, retry_after: 10 },
      headers: { 'Retry-After': '10' },
    })
    clock += 9_999
    await expect(limit(key(6))).rejects.toMatchObject({ headers: { 'Retry-After': '1' } })
    clock += 1
    await limit(key(6))
  })

  it('follows a new rate of the key at once', async () => {
    const limit = createRateLimit(store, now)
    expect(await passing(limit, 2, 3)).toBe(2)
    clock += 1000
    expect(await passing(limit, 600, 3)).toBe(3)
  })
})

describe('the store', () => {
  it('is not queried for each refused request, since only time fills the bucket', async () => {
    const limit = createRateLimit(store, now)
    await passing(limit, 3, 3)
    const before = transactions
    expect(await passing(limit, 3, 1000)).toBe(0)
    expect(transactions - before).toBeLessThanOrEqual(1)
  })

  it('returns several tokens at once from a large bucket', async () => {
    const limit = createRateLimit(store, now)
    expect(await passing(limit, 6000, 600)).toBe(600)
    expect(transactions).toBe(10)
  })

  it('is queried once for many concurrent requests', async () => {
    const limit = createRateLimit(store, now)
    await Promise.all(Array.from({ length: 60 }, () => limit(key(6000))))
    expect(transactions).toBe(1)
    const { tokens } = await store.of('c').select('rate_buckets').select('tokens').executeTakeFirstOrThrow()
    expect(tokens).toBe(5940)
  })

  it('never allows more than the bucket had, under any concurrency', async () => {
    const limits = [createRateLimit(store, now), createRateLimit(store, now), createRateLimit(store, now)]
    const answers = await Promise.allSettled(
      Array.from({ length: 900 }, (_, n) => required(limits[n % 3])(key(300))),
    )
    const passed = answers.filter(({ status }) => status === 'fulfilled').length
    expect(passed).toBeLessThanOrEqual(300)
    // Tokens that a process took and did not use are lost to the others for a minute: less than a share each.
    expect(passed).toBeGreaterThanOrEqual(300 - 3 * 3)
  })

  it('does not refuse requests permanently after a failure', async () => {
    let fails = true
    const limit = createRateLimit(
      {
        ...store,
        transaction: (work) => (fails ? Promise.reject(new Error('gone')) : store.transaction(work)),
      },
      now,
    )
    await expect(limit(key(5))).rejects.toThrow('gone')
    fails = false
    await limit(key(5))
  })
})
