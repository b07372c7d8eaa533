/** One company's line to the SII while it is held: what is known, and how what happens is written down. */
import type { SiiWire } from '../../../../authority/sii-wire.ts'
import type { App } from '../../../app/app.ts'
import type { CompanyStore, Tx } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import type { CompanyRecord } from '../../company/company.ts'
import { afterFailure, afterRefusal, atLeast } from '../../sending/backoff.ts'
import type { Lease } from '../../sending/lease.ts'
import type { Stopped } from '../../sending/stops.ts'
import type { Entry, Kind } from './kind.ts'
import * as ledger from './ledger.ts'
import { asHolder, type Queue, updateQueue } from './queue.ts'

/** What sending needs of the process. */
export interface Sending {
  readonly app: Pick<App, 'config' | 'store' | 'clock' | 'log'>
  readonly wire: SiiWire
  /** Names this process in the lines that it holds. */
  readonly owner: string
  /** Ends what is under way. */
  readonly signal?: AbortSignal
}

export interface Line {
  readonly sending: Sending
  readonly store: CompanyStore
  readonly company: CompanyRecord
  readonly environment: Environment
  readonly certificateId: number
  readonly lease: Lease
  readonly queue: Queue
}

/** What came of a look at a line. */
export type Step =
  /** Nothing waits. */
  | { readonly is: 'idle' }
  /** Another process is at it. */
  | { readonly is: 'busy' }
  /** Something waits, and may go at a moment (milliseconds since 1970). */
  | { readonly is: 'later'; readonly at: number; readonly stopped?: Stopped }
  /** Something became of a submission, where there was one; there may be more to do. */
  | { readonly is: 'done'; readonly submission: string | null }

/** A message that went out. */
export interface Sent {
  readonly id: string
  readonly internal_id: number
  readonly kind: Kind
  readonly entries: readonly Entry[]
  readonly submitted_at: string
}

const MINUTE = 60_000

/** How long to wait after what went wrong. Of ours, somebody may mend it at any time: it is looked at again soon. */
function pauseAfter({ stop }: Stopped, failures: number): number {
  if (stop.startsWith('certificate_') || stop === 'no_certificate' || stop === 'no_message') return MINUTE
  return stop === 'fault_message' ? afterRefusal() : afterFailure(failures)
}

export const write = <T>(
  { sending, store, lease }: Pick<Line, 'sending' | 'store' | 'lease'>,
  work: (tx: Tx, stamp: string) => Promise<T>,
): Promise<T> => asHolder(store, sending.app.clock, lease, (tx) => work(tx, sending.app.clock.stamp()))

/** Whom the authority is asked by. */
export const askingOf = ({ sending, store, company, environment, certificateId }: Line) => ({
  db: store,
  wire: sending.wire,
  company,
  environment,
  certificateId,
  ...(sending.signal ? { signal: sending.signal } : {}),
})

/** Writes down that nothing came of it, why, and when it is tried again. */
export async function standStill(
  line: Pick<Line, 'sending' | 'store' | 'environment' | 'lease' | 'queue'>,
  submissionId: string | null,
  stopped: Stopped,
  changes: {
    readonly submission?: Parameters<typeof ledger.update>[2]
    readonly queue?: Partial<Pick<Queue, 'isolation'>>
    /** What else belongs to it. */
    readonly also?: (tx: Tx) => Promise<void>
  } = {},
): Promise<Step> {
  const { sending, queue, lease } = line
  const failures = queue.failures + 1
  const at = sending.app.clock.now() + Math.round(atLeast(pauseAfter(stopped, failures), stopped.retryAfter))
  await write(line, async (tx, stamp) => {
    if (submissionId !== null) await ledger.fail(tx, submissionId, stopped, changes.submission)
    await changes.also?.(tx)
    await updateQueue(tx, lease, stamp, {
      failures,
      retry_ms: at,
      submission_id: submissionId,
      ...changes.queue,
    })
  })
  const { stop, code } = stopped
  sending.app.log.warn(
    { company_id: line.store.companyId, environment: line.environment, stop, code, failures },
    'invoices wait for the SII',
  )
  return { is: 'later', at, stopped }
}
