/** Sending at the administrator's word: at once after a failure, within the authority's own waiting time. */
import type { Environment } from '../../../store/tables.ts'
import { ENVIRONMENTS } from '../../../store/tables.ts'
import type { Stopped } from '../../sending/stops.ts'
import type { Sending } from './line.ts'
import { countWaiting } from './records.ts'
import { step } from './step.ts'

export interface Report {
  readonly environment: Environment
  /** Records that have their verdict now. */
  readonly settled: number
  /** Records that still wait, counted up to a thousand. */
  readonly waiting: number
  /** When the next message may go, milliseconds since 1970; null where nothing waits, or another process is at it. */
  readonly next: number | null
  readonly stopped: Stopped | null
  readonly busy: boolean
}

const MOST_STEPS = 1000

async function sendOne(sending: Sending, companyId: string, environment: Environment): Promise<Report> {
  let settled = 0
  let last: Awaited<ReturnType<typeof step>> = { is: 'idle' }
  let urgent = true
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    last = await step(sending, companyId, environment, { urgent })
    if (last.is !== 'done') break
    settled += last.records
    urgent = false
  }
  const waiting = await countWaiting(sending.app.store.of(companyId), environment, 1000)
  return {
    environment,
    settled,
    waiting,
    next: last.is === 'later' ? last.at : null,
    stopped: (last.is === 'later' && last.stopped) || null,
    busy: last.is === 'busy',
  }
}

/** Sends what waits of a company now, in both environments; answers those in which something waited. */
export async function sendNow(sending: Sending, companyId: string): Promise<readonly Report[]> {
  const reports: Report[] = []
  const store = sending.app.store.of(companyId)
  for (const environment of ENVIRONMENTS)
    if ((await countWaiting(store, environment, 1)) > 0)
      reports.push(await sendOne(sending, companyId, environment))
  return reports
}

/** Lets the servers that run try at once, where this process has no way to the authority of its own. */
export async function askForSending(
  { store, clock }: Pick<Sending['app'], 'store' | 'clock'>,
  companyId: string,
): Promise<number> {
  const own = store.of(companyId)
  let waiting = 0
  for (const environment of ENVIRONMENTS) {
    waiting += await countWaiting(own, environment, 1000)
    await own.transaction((tx) =>
      tx
        .update('verifactu_queues', { retry_ms: 0, updated_at: clock.stamp() })
        .where('environment', '=', environment)
        .execute(),
    )
  }
  return waiting
}
