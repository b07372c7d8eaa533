/** The line of a company to the SII: who may send now, and when the next message may go. */
import type { Own } from '../../../store/store.ts'
import { linesOf } from '../../sending/lease.ts'

export type Queue = Own<'sii_queues'>

export const {
  read: readQueue,
  take: takeLine,
  asHolder,
  update: updateQueue,
  leave: leaveLine,
} = linesOf('sii_queues', (environment, stamp) => ({
  environment,
  owner: null,
  fence: 0,
  lease_ms: 0,
  retry_ms: 0,
  failures: 0,
  submission_id: null,
  isolation: null,
  updated_at: stamp,
}))
