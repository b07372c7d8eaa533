/** The authority's own waiting time between two messages, and what an outage has delayed. */
import { plausible } from '../../transmission/backoff.ts'
import type { Outbox, Pacing } from '../../transmission/channel.ts'
import type { Queue } from '../../transmission/queue.ts'
import { lengthOf } from '../operation-state.ts'
import { STATUSES } from './ledger.ts'
import type { Waiting } from './records.ts'
import type { Verifactu } from './types.ts'

/** The authority takes records of up to four minutes ago for fresh ones (reference 12.4). */
const FRESH = 240_000
const TOLERATED_SKEW = 60_000

/** The earliest next message by the authority's own waiting time; 0 where a wrong clock has put it too far ahead. */
export const flowUntil = ({ flow_ms, wait_seconds }: Queue, now: number): number =>
  plausible(flow_ms, now, (wait_seconds + 1) * 1000)

const flowFrom = ({ sending, queue }: Outbox<Verifactu>, seconds = queue.wait_seconds): number =>
  sending.app.clock.now() + seconds * 1000

const timeOf = (stamp: string): number => Date.parse(`${stamp.slice(0, -3)}Z`)

/** Whether records were kept from going when they were made: by an outage, or because nothing ran here. */
export function isDelayed({ queue, sending }: Outbox<Verifactu>, [first]: readonly Waiting[]): boolean {
  if (!first) return false
  const patience = Math.max(FRESH, (queue.wait_seconds + 60) * 1000)
  return (
    queue.failures > 0 ||
    first.sequence <= queue.delayed_to ||
    sending.app.clock.now() - timeOf(first.created_at) > patience
  )
}

/** The authority's clock against ours, in milliseconds; null where it does not say. */
const skewOf = (presented: string | null, now: number): number | null => {
  const theirs = Date.parse(presented ?? '')
  return Number.isNaN(theirs) ? null : Math.round(now - theirs)
}

export const PACING: Pacing<Verifactu> = {
  sent: (outbox) => ({ flow_ms: flowFrom(outbox) }),
  answered(outbox, { presented_at = null, wait_seconds: asked }) {
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
  async settled(tx, outbox, { status }, isWhole) {
    return {
      // The process that sent it failed before it could write down when the next one may go.
      ...(status === STATUSES.sending ? { flow_ms: flowFrom(outbox) } : {}),
      // What has to go again goes on being counted as failures. Where nothing has to, the outage is over: what was made
      // during it was delayed, what is made from now on is not.
      ...(isWhole ? { failures: 0, delayed_to: await lengthOf(tx, outbox.environment, 'records') } : {}),
    }
  },
}
