/** Handles the authority's flow control, and records that an outage delayed. */
import { plausibleInstant } from '../../transmission/backoff.ts'
import type { Outbox, Pacing } from '../../transmission/channel.ts'
import type { Queue } from '../../transmission/queue.ts'
import { lengthOf } from '../operation-state.ts'
import { STATUSES } from './verifactu-ledger.ts'
import type { Verifactu } from './verifactu-queue-types.ts'
import type { PendingRecord } from './verifactu-records.ts'

/**
 * Maximum age in milliseconds at which the authority does not regard a record as delayed: four minutes (error 2004).
 */
const FRESH = 240_000
const TOLERATED_SKEW = 60_000

/** Returns when flow control allows the next message; 0 if a wrong clock has set the time too far in the future. */
export const flowControlEndOf = ({ flow_ms, wait_seconds }: Queue, now: number): number =>
  plausibleInstant(flow_ms, now, (wait_seconds + 1) * 1000)

const flowFrom = ({ sending, queue }: Outbox<Verifactu>, seconds = queue.wait_seconds): number =>
  sending.app.clock.now() + seconds * 1000

const timeOf = (stamp: string): number => Date.parse(`${stamp.slice(0, -3)}Z`)

/** Whether records were delayed, either by an outage or because no server was running. */
export function isDelayed({ queue, sending }: Outbox<Verifactu>, [first]: readonly PendingRecord[]): boolean {
  if (!first) return false
  const patience = Math.max(FRESH, (queue.wait_seconds + 60) * 1000)
  return (
    queue.failures > 0 ||
    first.sequence <= queue.delayed_to ||
    sending.app.clock.now() - timeOf(first.created_at) > patience
  )
}

/** Returns how many milliseconds this clock is ahead of the authority's; null if the response has no timestamp. */
const skewOf = (presented: string | null, now: number): number | null => {
  const theirs = Date.parse(presented ?? '')
  return Number.isNaN(theirs) ? null : Math.round(now - theirs)
}

export const PACING: Pacing<Verifactu> = {
  afterSending: (outbox) => ({ flow_ms: flowFrom(outbox) }),
  afterResponse(outbox, { presented_at = null, wait_seconds: asked }) {
    const { sending, queue, environment } = outbox
    const { clock, log } = sending.app
    const skew = skewOf(presented_at, clock.now())
    if (skew !== null && Math.abs(skew) > TOLERATED_SKEW)
      log.warn({ skew_ms: skew }, 'the clock of this machine differs from that of the tax authority')
    return async (tx) => {
      const wait_seconds = asked ?? queue.wait_seconds
      const end = queue.failures > 0 ? await lengthOf(tx, environment, 'records') : 0
      return {
        wait_seconds,
        flow_ms: flowFrom(outbox, wait_seconds),
        delayed_to: Math.max(queue.delayed_to, end),
        skew_ms: skew ?? queue.skew_ms,
      }
    }
  },
  async afterSettling(tx, outbox, { status }, isWhole) {
    return {
      // The process that sent the message ended before it could store when the next message may be sent.
      ...(status === STATUSES.sending ? { flow_ms: flowFrom(outbox) } : {}),
      // If the authority has all records, the outage has ended. Records generated during the outage were delayed; later
      // records are not. Otherwise records must be sent again, and the number of failures does not change.
      ...(isWhole ? { failures: 0, delayed_to: await lengthOf(tx, outbox.environment, 'records') } : {}),
    }
  },
}
