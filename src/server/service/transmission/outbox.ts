/** Writing as the holder of a queue: what happened, and why nothing goes on. */
import type { Tx } from '../../store/store.ts'
import { afterFailure, afterRefusal, atLeast } from './backoff.ts'
import type { Blocked } from './blocked.ts'
import type { Outbox, Step } from './channel.ts'
import type { SubmissionChanges } from './ledger.ts'
import type { QueueChanges } from './queue.ts'
import type { Types } from './types.ts'

const MINUTE = 60_000

/** How long to wait after what went wrong. Of ours, somebody may fix it at any time: it is looked at again soon. */
function pauseAfter({ stop }: Blocked, failures: number): number {
  if (stop.startsWith('certificate_') || stop === 'no_certificate' || stop === 'no_message') return MINUTE
  return stop === 'fault_message' ? afterRefusal() : afterFailure(failures)
}

export const write = <S extends Types, T>(
  { system, sending, store, lease }: Outbox<S>,
  work: (tx: Tx, stamp: string) => Promise<T>,
): Promise<T> => {
  const { clock } = sending.app
  return system.queues.asHolder(store, clock, lease, (tx) => work(tx, clock.stamp()))
}

interface Changes {
  readonly submission?: SubmissionChanges
  readonly queue?: QueueChanges
  /** What else belongs to it. */
  readonly also?: (tx: Tx) => Promise<void>
}

/** Writes down why a submission did not go through, and when it is tried again. */
export async function block<S extends Types>(
  outbox: Outbox<S>,
  submission_id: string,
  blocked: Blocked,
  { submission, queue, also }: Changes = {},
): Promise<Step> {
  const { system, sending, store, environment, lease } = outbox
  const { app } = sending
  const failures = outbox.queue.failures + 1
  const at = app.clock.now() + Math.round(atLeast(pauseAfter(blocked, failures), blocked.retryAfter))
  await write(outbox, async (tx, stamp) => {
    await system.ledger.update(tx, submission_id, { blocked, ...submission })
    await also?.(tx)
    await system.queues.update(tx, lease, stamp, { failures, retry_ms: at, submission_id, ...queue })
  })
  const { stop, code } = blocked
  app.log.warn({ company_id: store.companyId, environment, stop, code, failures }, system.waitMessage)
  return { is: 'later', at, stopped: blocked }
}
