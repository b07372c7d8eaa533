/**
 * The line to the tax authority of one chain: who may send now, and when the next message may go. What waits is not
 * here: that is every record in state `pending`, in the order of the chain. Nothing here locks what issuing locks.
 */
import type { Own } from '../../../store/store.ts'
import { linesOf } from '../../sending/lease.ts'

export { isFree, LEASE, type Lease, LostLease } from '../../sending/lease.ts'

export type Queue = Own<'verifactu_queues'>

/** Seconds between two messages until the authority says otherwise (web service description, flow control). */
const FIRST_WAIT = 60

export const {
  read: readQueue,
  take: takeLine,
  asHolder,
  update: updateQueue,
  leave: leaveLine,
} = linesOf('verifactu_queues', (environment, stamp) => ({
  environment,
  owner: null,
  fence: 0,
  lease_ms: 0,
  flow_ms: 0,
  retry_ms: 0,
  wait_seconds: FIRST_WAIT,
  failures: 0,
  submission_id: null,
  delayed_to: 0,
  isolation: null,
  skew_ms: 0,
  updated_at: stamp,
}))
