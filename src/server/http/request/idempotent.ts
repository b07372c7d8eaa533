/**
 * `Idempotency-Key` for work of several transactions. The key is taken before it begins, so that it cannot serve for
 * another request, and the answer is stored when it is done. After a crash in between the work is done again, which
 * is why it must be repeatable by itself.
 */

import { refusalOf } from '../../errors/api-error.ts'
import type { Answer, Encoded } from '../../service/access/answer.ts'
import { claim, release, settle } from '../../service/access/idempotency.ts'
import { claimOf } from './perform.ts'
import type { RouteCall } from './route.ts'

/** Answers what was answered before, or does the work. Of two at the same time, both answer what the first one did. */
export async function idempotent<A extends Answer>(
  call: RouteCall,
  work: () => Promise<A>,
  /** What tells its body from another one. */
  content: string = JSON.stringify(call.body),
): Promise<A | Encoded> {
  if (call.idempotencyKey === undefined) return work()
  const { store } = call
  const url = new URL(call.incoming.url ?? '/', 'http://server.invalid')
  const key = claimOf(call, { method: 'post' }, url, content)
  const earlier = await store.transaction((tx) => claim(tx, key), { isOwn: true })
  if (earlier) return earlier
  const answer = await work().catch(async (error: unknown) => {
    if (refusalOf(error).status < 500) await store.transaction((tx) => release(tx, key))
    throw error
  })
  try {
    return await store.transaction(async (tx) => {
      const first = await claim(tx, key)
      if (!first) await settle(tx, key, answer)
      return first ?? answer
    })
  } catch (error) {
    // The work is done: that its answer could not be kept is no reason to say that nothing was changed.
    call.app.log.error({ request_id: call.requestId, err: error }, 'an answer could not be kept')
    return answer
  }
}
