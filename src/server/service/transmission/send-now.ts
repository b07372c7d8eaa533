/** Sending at the administrator's command: at once, without waiting after a failure. */
import type { CompanyStore } from '../../store/store.ts'
import { ENVIRONMENTS } from '../../store/tables.ts'
import type { Blocked } from './blocked.ts'
import type { Search, Sending, Step, System } from './channel.ts'
import type { Types } from './types.ts'

/** How a queue stands after that. */
export interface QueueReport {
  /** What still waits, counted up to a thousand of each channel. */
  readonly waiting: number
  /** When the next message may go, milliseconds since 1970; null where nothing waits, or another process is at it. */
  readonly next: number | null
  readonly stopped: Blocked | null
  readonly busy: boolean
}

type Done = Extract<Step, { is: 'done' }>

const MOST_STEPS = 10_000
const COUNTED = 1000
const ALWAYS = Number.MAX_SAFE_INTEGER

/** How much waits, deferred or not. */
export async function countWaiting<S extends Types>(
  { channels }: System<S>,
  store: CompanyStore,
  { environment = 'production', invoiceId }: Partial<Pick<Search, 'environment' | 'invoiceId'>> = {},
): Promise<number> {
  const search = { environment, invoiceId, now: ALWAYS, most: COUNTED }
  let count = 0
  for (const { waiting } of channels) count += (await waiting(store, search)).length
  return count
}

/** Goes on until there is nothing more to do now. */
export async function sendAll(
  step: (isFirst: boolean) => Promise<Step>,
): Promise<Omit<QueueReport, 'waiting'> & { readonly done: readonly Done[] }> {
  const done: Done[] = []
  let last = await step(true)
  for (let steps = 1; last.is === 'done'; steps++) {
    done.push(last)
    if (steps >= MOST_STEPS) break
    last = await step(false)
  }
  const later = last.is === 'later' ? last : null
  return { done, next: later?.at ?? null, stopped: later?.stopped ?? null, busy: last.is === 'busy' }
}

/** Lets the servers that run try at once, where this process has no way to the authority of its own. */
export async function wake<S extends Types>(
  { queues }: System<S>,
  store: CompanyStore,
  { clock }: Pick<Sending<unknown>['app'], 'clock'>,
): Promise<void> {
  for (const environment of ENVIRONMENTS)
    await store.transaction((tx) => queues.update(tx, { environment }, clock.stamp(), { retry_ms: 0 }))
}
