/** Sending requested by the administrator: immediately, without the pause after a failure. */
import type { CompanyStore } from '../../store/store.ts'
import { ENVIRONMENTS } from '../../store/tables.ts'
import type { Blocked } from './blocked.ts'
import type { PendingSearch, Sending, Step, System } from './channel.ts'
import type { SystemTypes } from './transmission-types.ts'

/** The state of a queue after sending. */
export interface QueueReport {
  /** Number of records still pending. At most a thousand are counted per channel. */
  readonly waiting: number
  /**
   * When the next message may be sent, in milliseconds since 1970; null if none is pending or another process sends.
   */
  readonly next: number | null
  readonly blocked: Blocked | null
  readonly busy: boolean
}

type Done = Extract<Step, { is: 'done' }>

const MAX_STEPS = 10_000
const COUNTED = 1000
const ALWAYS = Number.MAX_SAFE_INTEGER

/** Counts pending records, including deferred ones. */
export async function countWaiting<S extends SystemTypes>(
  { channels }: System<S>,
  store: CompanyStore,
  { environment = 'production', invoiceId }: Partial<Pick<PendingSearch, 'environment' | 'invoiceId'>> = {},
): Promise<number> {
  const search = { environment, invoiceId, now: ALWAYS, most: COUNTED }
  let count = 0
  for (const { waiting } of channels) count += (await waiting(store, search)).length
  return count
}

/** Repeats a step until nothing more can be done now. */
export async function repeatStep(
  step: (isFirst: boolean) => Promise<Step>,
): Promise<Omit<QueueReport, 'waiting'> & { readonly done: readonly Done[] }> {
  const done: Done[] = []
  let last = await step(true)
  for (let steps = 1; last.is === 'done'; steps++) {
    done.push(last)
    if (steps >= MAX_STEPS) break
    last = await step(false)
  }
  const later = last.is === 'later' ? last : null
  return { done, next: later?.at ?? null, blocked: later?.blocked ?? null, busy: last.is === 'busy' }
}

/** Makes running servers retry immediately. For a process that cannot call the authority itself. */
export async function requestRetry<S extends SystemTypes>(
  { queues }: System<S>,
  store: CompanyStore,
  { clock }: Pick<Sending<unknown>['app'], 'clock'>,
): Promise<void> {
  for (const environment of ENVIRONMENTS)
    await store.transaction((tx) => queues.update(tx, { environment }, clock.stamp(), { retry_ms: 0 }))
}
