/** Types and constants of transmission to VeriFactu. */

import type { VerifactuSender } from 'cuadra-authority/index.ts'
import type { Text } from '#core/invoice/index.ts'
import type { NextStep, ResponseLine, StoredState } from '#records/verifactu/index.ts'
import type { Sending as AnySending } from '../../transmission/channel.ts'
import { Queues } from '../../transmission/queue.ts'
import type * as transmission from '../../transmission/transmission-types.ts'
import type { PendingRecord } from './verifactu-records.ts'

/** The current status of an invoice at the authority. */
export interface AuthorityRecord {
  readonly state: StoredState
  readonly huella: string | null
  readonly code: number | null
  readonly description: string | null
}

export interface EntryResult extends transmission.EntryResult {
  readonly entry: PendingRecord
  readonly outcome: 'accepted' | 'accepted_with_errors' | 'rejected'
  readonly literal: string
  /** The next step that the response requires, and the options of the invoice's next record (JSON). */
  readonly next_step: NextStep
  readonly next_options: string | null
}

export interface Verifactu extends transmission.SystemTypes {
  readonly wire: VerifactuSender
  readonly entry: PendingRecord
  readonly line: transmission.Line & ResponseLine
  readonly authorityRecord: AuthorityRecord
  readonly result: EntryResult
  readonly aside: { readonly sequence: number; readonly code: number | null; readonly reason: Text }
}

export type Sending = AnySending<VerifactuSender>

/** Submission type of records that are sent voluntarily. Replies to requests do not change these records. */
export const VOLUNTARY = 'remision_voluntaria'

/** Maximum number of records in a message. */
export const MAX_RECORDS = 1000

/** Seconds between two messages until the authority sets another value (web service description, flow control). */
const FIRST_WAIT = 60

export const QUEUES = new Queues('verifactu_queues', {
  flow_ms: 0,
  wait_seconds: FIRST_WAIT,
  delayed_to: 0,
  skew_ms: 0,
})
