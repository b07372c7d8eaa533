/** A message that went out. */
import type { Caller } from '../../../../authority/verifactu-wire.ts'
import type { Isolation } from './isolation.ts'
import type { waitingWithXml } from './records.ts'

export type SentRecords = Awaited<ReturnType<typeof waitingWithXml>>

export interface Sent {
  readonly id: string
  readonly rows: SentRecords
  readonly isolation: Isolation | null
  readonly submitted_at: string
  readonly caller: Caller
}
