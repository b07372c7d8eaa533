/** Processes the queues of all companies in the background. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app/app.ts'
import { pauseAfterFailure, plausibleInstant } from './backoff.ts'
import type { Sending, System } from './channel.ts'
import { step as runStep } from './step.ts'
import type { SystemTypes } from './transmission-types.ts'

/** The result of one step of a queue. */
type StepResult =
  | { readonly is: 'idle' | 'busy' | 'done' }
  /** Records may be sent from this later time on (milliseconds since 1970). */
  | { readonly is: 'later'; readonly at: number }

/** A set of queues, and the functions that process them. */
interface QueueSource<Ref> {
  /** Lists the queues that have something pending. */
  readonly pendingQueues: () => Promise<readonly Ref[]>
  readonly nameOf: (ref: Ref) => string
  readonly companyOf: (ref: Ref) => string
  /** Runs one step of a queue; `signal` aborts it. */
  readonly step: (ref: Ref, signal: AbortSignal) => Promise<StepResult>
}

export interface WorkerOptions {
  /** Milliseconds between two passes. */
  readonly intervalMs?: number
  /** Maximum number of queues processed at the same time. */
  readonly concurrency?: number
  /** Milliseconds that steps in progress may take to finish when the worker stops. */
  readonly gracePeriodMs?: number
  readonly owner?: string
  /** Whether the authority can be reached now. If not, no queue is processed. */
  readonly isReachable?: () => boolean
}

/** Returns the milliseconds to pause after an unexpected internal error, for example of the store. */
const pauseAfterInternalError = (): number => pauseAfterFailure(1)

/** Maximum milliseconds between two passes while nothing is pending, because a pass queries every shard. */
const IDLE_MS = 5000

/** Milliseconds until all queues are listed again even if nothing was written: deferred records may be due. */
const RELIST_MS = 30_000

type Settings = Required<Pick<WorkerOptions, 'intervalMs' | 'concurrency' | 'isReachable'>>

class QueueWorker<Ref> {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>
  readonly #source: QueueSource<Ref>
  readonly #settings: Settings
  readonly #end = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  /** When each queue is processed again (milliseconds since 1970), by its name. Avoids needless steps. */
  readonly #resting = new Map<string, number>()
  readonly #loopDone: Promise<void>
  #isStopped = false
  #version: string | null = null
  #listedAt = 0
  /** Number of consecutive passes that found nothing. */
  #idle = 0

  constructor(app: Pick<App, 'store' | 'clock' | 'log'>, source: QueueSource<Ref>, settings: Settings) {
    this.#app = app
    this.#source = source
    this.#settings = settings
    this.#loopDone = this.#loop()
  }

  /** Returns when a queue is processed again; 0 if the clock was set back in the meantime. */
  #restsUntil(name: string, now: number): number {
    return plausibleInstant(this.#resting.get(name) ?? 0, now, RELIST_MS)
  }

  async #work(ref: Ref, name: string): Promise<void> {
    const { clock, log } = this.#app
    try {
      for (;;) {
        const next = await this.#source.step(ref, this.#end.signal)
        if (next.is === 'later') this.#resting.set(name, Math.min(next.at, clock.now() + RELIST_MS))
        // The process that holds the queue may have crashed. Checking this takes only two reads, so it is done soon.
        if (next.is === 'busy') this.#resting.set(name, clock.now() + this.#settings.intervalMs)
        if (next.is !== 'done' || this.#isStopped) return
      }
    } catch (error) {
      this.#resting.set(name, clock.now() + pauseAfterInternalError())
      log.error({ err: error, company_id: this.#source.companyOf(ref) }, 'sending failed')
    }
  }

  /** Whether a pass may find something: the store was written to since the last one, or a queue is due. */
  #mayFind(version: string | null, now: number): boolean {
    return (
      version === null ||
      version !== this.#version ||
      this.#running.size > 0 ||
      Math.abs(now - this.#listedAt) >= RELIST_MS ||
      [...this.#resting.keys()].some((name) => this.#restsUntil(name, now) <= now)
    )
  }

  /** Processes the queues that have waited longest first, so that no company blocks others. */
  async #pass(): Promise<void> {
    const { clock, store } = this.#app
    const { concurrency, isReachable } = this.#settings
    const now = clock.now()
    const version = store.version()
    if (!isReachable() || !this.#mayFind(version, now)) return
    const refs = (await this.#source.pendingQueues()).map((ref) => ({ ref, name: this.#source.nameOf(ref) }))
    this.#version = version
    this.#listedAt = now
    this.#idle = refs.length === 0 ? this.#idle + 1 : 0
    const names = new Set(refs.map(({ name }) => name))
    for (const name of this.#resting.keys()) if (!names.has(name)) this.#resting.delete(name)
    const due = refs
      .filter(({ name }) => !this.#running.has(name) && this.#restsUntil(name, now) <= now)
      .sort((a, b) => this.#restsUntil(a.name, now) - this.#restsUntil(b.name, now))
    for (const { ref, name } of due.slice(0, Math.max(0, concurrency - this.#running.size))) {
      this.#resting.delete(name)
      const work = this.#work(ref, name).finally(() => this.#running.delete(name))
      this.#running.set(name, work)
    }
    // Queues over the limit are processed in the next pass.
    if (due.length > concurrency) this.#version = null
  }

  /** Returns the milliseconds until the next pass. If every pass must query the database, idle passes become rarer. */
  #pause(): number {
    const { intervalMs } = this.#settings
    if (this.#idle === 0 || this.#app.store.version() !== null) return intervalMs
    return Math.max(intervalMs, Math.min(IDLE_MS, intervalMs * 2 ** Math.min(this.#idle, 12)))
  }

  async #loop(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#pass()
      } catch (error) {
        this.#app.log.error({ err: error }, 'pending records cannot be listed')
      }
      await sleep(this.#pause(), undefined, { signal: this.#end.signal, ref: false }).catch(() => undefined)
    }
  }

  /** Stops the worker; steps in progress have `gracePeriodMs` milliseconds to finish. */
  async stop(gracePeriodMs: number): Promise<void> {
    this.#isStopped = true
    const finished = Promise.all(this.#running.values())
    await Promise.race([finished, sleep(gracePeriodMs, undefined, { ref: false })])
    this.#end.abort()
    await Promise.all([this.#loopDone, finished])
  }
}

/**
 * Starts to process queues, until the returned function is called. Any number of processes may do so: only one at a
 * time holds each queue. Steps that do not finish in time are aborted, and a later query settles them.
 */
export function startQueueWorker<Ref>(
  app: Pick<App, 'store' | 'clock' | 'log'>,
  source: QueueSource<Ref>,
  {
    intervalMs = 1000,
    concurrency = 4,
    gracePeriodMs = 8000,
    isReachable = () => true,
  }: Omit<WorkerOptions, 'owner'> = {},
): () => Promise<void> {
  const worker = new QueueWorker(app, source, { intervalMs, concurrency, isReachable })
  return () => worker.stop(gracePeriodMs)
}

/** Starts to send the pending records of a system until the returned function is called. */
export const startTransmission = <S extends SystemTypes>(
  system: System<S>,
  app: Sending<unknown>['app'] & Pick<App, 'owner'>,
  wire: S['wire'],
  { owner = app.owner, ...options }: WorkerOptions = {},
): (() => Promise<void>) =>
  startQueueWorker(
    app,
    {
      pendingQueues: () => system.pendingQueues(app),
      nameOf: ({ companyId, environment = '' }) => `${companyId} ${environment}`,
      companyOf: ({ companyId }) => companyId,
      step: (ref, signal) => runStep(system, { app, wire, owner, signal }, ref),
    },
    options,
  )
