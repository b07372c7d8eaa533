/** What came back from a call to the authority: whatever is not a whole answer to what was sent counts as none. */

import type { Message } from '../../../authority/wire/index.ts'
import type { Calling, NoResponse } from '../../../authority/wires.ts'
import type { Text } from '../../../invoice/index.ts'
import type { App } from '../../app/app.ts'
import { openCertificate } from '../company/certificates.ts'
import type { Blocked } from './blocked.ts'

export interface Fault {
  readonly is: 'fault'
  readonly code: number | null
  readonly reason: Text
  /** The service failed, not the message. */
  readonly resend: boolean
}

export type Unanswered = Fault | NoResponse

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

/** Sends a message, and says whether an answer came, or whether it may have arrived. */
export async function callAuthority(
  app: Pick<App, 'authority' | 'store' | 'config'>,
  { companyId, certificateId, signal }: Omit<Calling, 'environment'>,
  message: Message,
) {
  const certificate = await openCertificate(app.store.of(companyId), app, certificateId)
  const outcome = await app.authority.send(message, certificate, signal ? { signal } : {})
  if (outcome.kind === 'answered')
    return { is: 'answered', text: outcome.text, document: outcome.document } as const
  return {
    is: outcome.kind,
    reason: outcome.problem.message,
    retryAfter: outcome.exchange.retry_after,
  } as const
}
