/** The types of what is sent to VeriFactu, and what of the system does not change. */
import type { Wire } from '../../../../authority/wires.ts'
import type { Text } from '../../../../invoice/index.ts'
import type { NextStep, ResponseLine, StoredState } from '../../../../verifactu/index.ts'
import type { Sending as AnySending } from '../../transmission/channel.ts'
import { Queues } from '../../transmission/queue.ts'
import type * as transmission from '../../transmission/types.ts'
import type { Waiting } from './records.ts'

/** The present state of an invoice at the authority. */
export interface Held {
  readonly state: StoredState
  readonly huella: string | null
  readonly code: number | null
  readonly description: string | null
}

export interface Verdict extends transmission.Verdict {
  readonly entry: Waiting
  readonly outcome: 'accepted' | 'accepted_with_errors' | 'rejected'
  readonly literal: string
  /** What the answer asks for, with what the next record of the invoice needs for that (JSON). */
  readonly next_step: NextStep
  readonly next_options: string | null
}

export interface Verifactu extends transmission.Types {
  readonly wire: Wire
  readonly entry: Waiting
  readonly line: transmission.Line & ResponseLine
  readonly held: Held
  readonly verdict: Verdict
  readonly aside: { readonly sequence: number; readonly code: number | null; readonly reason: Text }
}

export type Sending = AnySending<Wire>

/** Records that are sent by themselves; answers to requests are a matter of their own, and change nothing of these. */
export const VOLUNTARY = 'remision_voluntaria'

/** The most records that a message may carry. */
export const MOST_RECORDS = 1000

/** Seconds between two messages until the authority says otherwise (web service description, flow control). */
const FIRST_WAIT = 60

export const QUEUES = new Queues('verifactu_queues', {
  flow_ms: 0,
  wait_seconds: FIRST_WAIT,
  delayed_to: 0,
  skew_ms: 0,
})
