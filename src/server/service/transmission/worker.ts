/** Processes the queues of all companies in the background. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app/app.ts'
import { afterFailure, plausible } from './backoff.ts'
import type { Sending, System } from './channel.ts'
import { step as lookAt } from './step.ts'
import type { Types } from './types.ts'

/** The result of one step of a queue. */
type Looked =
  | { readonly is: 'idle' | 'busy' | 'done' }
  /** Something may be sent from a time on (milliseconds since 1970). */
  | { readonly is: 'later'; readonly at: number }

/** A set of queues and how to process one. */
interface Lines<Place> {
  /** Lists the queues that have something pending. */
  readonly places: () => Promise<readonly Place[]>
  readonly nameOf: (place: Place) => string
  readonly companyOf: (place: Place) => string
  /** Runs one step of a queue; `signal` aborts it. */
  readonly step: (place: Place, signal: AbortSignal) => Promise<Looked>
}

export interface WorkerOptions {
  /** Milliseconds between two passes. */
  readonly every?: number
  /** Queues processed at the same time. */
  readonly lines?: number
  /** Milliseconds for steps in progress to finish when the worker stops. */
  readonly grace?: number
  readonly owner?: string
  /** Whether the authority can be reached now; if not, nothing is tried. */
  readonly isReachable?: () => boolean
}

/** Returns the pause after an unexpected internal error, for example of the store. */
const unforeseen = (): number => afterFailure(1)

/** Longest pause between two passes while nothing is pending, in milliseconds: a pass queries every shard. */
const IDLE = 5000

/** Milliseconds after which all queues are listed again even if nothing was written: deferred records become due. */
const SOME_TIME = 30_000

type Rhythm = Required<Pick<WorkerOptions, 'every' | 'lines' | 'isReachable'>>

class Looking<Place> {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>
  readonly #of: Lines<Place>
  readonly #rhythm: Rhythm
  readonly #end = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  /** When each queue is processed again, to skip needless steps. */
  readonly #resting = new Map<string, number>()
  readonly #looping: Promise<void>
  #isStopped = false
  #seen: string | null = null
  #lookedAt = 0
  /** Passes in a row that found nothing. */
  #idle = 0

  constructor(app: Pick<App, 'store' | 'clock' | 'log'>, of: Lines<Place>, rhythm: Rhythm) {
    this.#app = app
    this.#of = of
    this.#rhythm = rhythm
    this.#looping = this.#loop()
  }

  /** Returns when a queue is processed again; 0 if the clock has been set back since. */
  #restsUntil(name: string, now: number): number {
    return plausible(this.#resting.get(name) ?? 0, now, SOME_TIME)
  }

  async #work(place: Place, name: string): Promise<void> {
    const { clock, log } = this.#app
    try {
      for (;;) {
        const next = await this.#of.step(place, this.#end.signal)
        if (next.is === 'later') this.#resting.set(name, Math.min(next.at, clock.now() + SOME_TIME))
        // The holder may have died without a trace; checking that takes two reads.
        if (next.is === 'busy') this.#resting.set(name, clock.now() + this.#rhythm.every)
        if (next.is !== 'done' || this.#isStopped) return
      }
    } catch (error) {
      this.#resting.set(name, clock.now() + unforeseen())
      log.error({ err: error, company_id: this.#of.companyOf(place) }, 'sending failed')
    }
  }

  /** Whether a pass may find something: the store was written to since the last one, or a queue is due. */
  #mayFind(version: string | null, now: number): boolean {
    return (
      version === null ||
      version !== this.#seen ||
      this.#running.size > 0 ||
      Math.abs(now - this.#lookedAt) >= SOME_TIME ||
      [...this.#resting.keys()].some((name) => this.#restsUntil(name, now) <= now)
    )
  }

  /** Processes the queues that have waited longest first, so that no company blocks the others. */
  async #look(): Promise<void> {
    const { clock, store } = this.#app
    const { lines, isReachable } = this.#rhythm
    const now = clock.now()
    const version = store.version()
    if (!isReachable() || !this.#mayFind(version, now)) return
    const places = (await this.#of.places()).map((place) => ({ place, name: this.#of.nameOf(place) }))
    this.#seen = version
    this.#lookedAt = now
    this.#idle = places.length === 0 ? this.#idle + 1 : 0
    const names = new Set(places.map(({ name }) => name))
    for (const name of this.#resting.keys()) if (!names.has(name)) this.#resting.delete(name)
    const due = places
      .filter(({ name }) => !this.#running.has(name) && this.#restsUntil(name, now) <= now)
      .sort((a, b) => this.#restsUntil(a.name, now) - this.#restsUntil(b.name, now))
    for (const { place, name } of due.slice(0, Math.max(0, lines - this.#running.size))) {
      this.#resting.delete(name)
      const working = this.#work(place, name).finally(() => this.#running.delete(name))
      this.#running.set(name, working)
    }
    // Queues over the limit are processed in the next pass.
    if (due.length > lines) this.#seen = null
  }

  /**
   * Returns the milliseconds until the next pass. If every pass queries the database, passes become rarer while idle.
   */
  #pause(): number {
    const { every } = this.#rhythm
    if (this.#idle === 0 || this.#app.store.version() !== null) return every
    return Math.max(every, Math.min(IDLE, every * 2 ** Math.min(this.#idle, 12)))
  }

  async #loop(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#look()
      } catch (error) {
        this.#app.log.error({ err: error }, 'pending records cannot be listed')
      }
      await sleep(this.#pause(), undefined, { signal: this.#end.signal, ref: false }).catch(() => undefined)
    }
  }

  /** Stops the worker; steps in progress have `grace` milliseconds to finish. */
  async stop(grace: number): Promise<void> {
    this.#isStopped = true
    const finished = Promise.all(this.#running.values())
    await Promise.race([finished, sleep(grace, undefined, { ref: false })])
    this.#end.abort()
    await Promise.all([this.#looping, finished])
  }
}

/**
 * Starts to process queues until the returned function is called. Any number of processes may do so: one of them holds
 * each queue. Steps that do not finish in time are aborted and settled later by a query.
 */
export function startLines<Place>(
  app: Pick<App, 'store' | 'clock' | 'log'>,
  of: Lines<Place>,
  { every = 1000, lines = 4, grace = 8000, isReachable = () => true }: Omit<WorkerOptions, 'owner'> = {},
): () => Promise<void> {
  const looking = new Looking(app, of, { every, lines, isReachable })
  return () => looking.stop(grace)
}

/** Starts to send the pending records of a system until the returned function is called. */
export const startTransmission = <S extends Types>(
  system: System<S>,
  app: Sending<unknown>['app'] & Pick<App, 'owner'>,
  wire: S['wire'],
  { owner = app.owner, ...options }: WorkerOptions = {},
): (() => Promise<void>) =>
  startLines(
    app,
    {
      places: () => system.places(app),
      nameOf: ({ companyId, environment = '' }) => `${companyId} ${environment}`,
      companyOf: ({ companyId }) => companyId,
      step: (place, signal) => lookAt(system, { app, wire, owner, signal }, place),
    },
    options,
  )
