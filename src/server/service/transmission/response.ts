/** What came back from a call to the authority: whatever is not a whole answer to what was sent counts as none. */

import type { RetryAfter } from '../../../authority/verifactu-wire.ts'
import type { Text } from '../../../invoice/index.ts'
import type { Blocked } from './blocked.ts'

export interface Fault {
  readonly is: 'fault'
  readonly code: number | null
  readonly reason: Text
  /** The service failed, not the message. */
  readonly resend: boolean
}

export type Unanswered =
  | Fault
  | ({ readonly is: 'refused' | 'unreachable' | 'unknown'; readonly reason: Text } & RetryAfter)

export type Response<Value> = { readonly is: 'answered'; readonly value: Value } | Unanswered

/** What tells the faults of a system from each other. */
export interface Faults {
  readonly name: 'verifactu' | 'sii'
  /** Codes of faults that a single record can cause for a whole message. */
  readonly recordFaults: ReadonlySet<number>
}

/** What the text of a reason needs; VeriFactu is what it names by itself. */
export const valuesFor = ({ name }: Faults, reason: Text) =>
  name === 'verifactu' ? { reason } : { reason, service: name }

export const isOfRecord = ({ recordFaults }: Faults, code: number | null): boolean =>
  code !== null && recordFaults.has(code)

/** Why the queue is blocked after a call without an answer. */
export function blockedBy(faults: Faults, response: Unanswered): Blocked {
  const told = valuesFor(faults, response.reason)
  if (response.is !== 'fault') return { stop: response.is, told, retryAfter: response.retryAfter ?? null }
  const { code, resend } = response
  const stop = resend ? 'fault_service' : isOfRecord(faults, code) ? 'fault_record' : 'fault_message'
  return { stop, code, told }
}

/** The same after a query, which has no records that could be the reason. */
export function queryBlockedBy(faults: Faults, response: Unanswered): Blocked {
  const blocked = blockedBy(faults, response)
  return blocked.stop === 'fault_record' ? { ...blocked, stop: 'fault_message' } : blocked
}
