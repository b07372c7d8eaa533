/** Looks at the queues of all companies again and again: what waits is sent when it may go. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../app/app.ts'
import { afterFailure, plausible } from './backoff.ts'
import type { Sending, System } from './channel.ts'
import { step as lookAt } from './step.ts'
import type { Types } from './types.ts'

/** The result of a look at a queue. */
type Looked =
  | { readonly is: 'idle' | 'busy' | 'done' }
  /** Something may go at a time (milliseconds since 1970). */
  | { readonly is: 'later'; readonly at: number }

/** Queues, and what is done at a look at one. */
interface Lines<Place> {
  /** Where something waits. */
  readonly places: () => Promise<readonly Place[]>
  readonly nameOf: (place: Place) => string
  readonly companyOf: (place: Place) => string
  /** Does the one thing that is to be done now; `signal` ends what is under way. */
  readonly step: (place: Place, signal: AbortSignal) => Promise<Looked>
}

export interface WorkerOptions {
  /** Milliseconds between two looks. */
  readonly every?: number
  /** So many companies at once. */
  readonly lines?: number
  /** Milliseconds that what is under way has to finish at the end. */
  readonly grace?: number
  readonly owner?: string
  /** Whether there is a way to the authority now: while there is none, nothing is tried. */
  readonly isReachable?: () => boolean
}

/** After an unexpected internal error, for example of the store. */
const unforeseen = (): number => afterFailure(1)

/** Milliseconds between two looks, at most, while nothing waits: a look asks every machine of the database. */
const IDLE = 5000

/** Milliseconds after which all places are looked for again, written or not: what was deferred becomes due. */
const SOME_TIME = 30_000

type Rhythm = Required<Pick<WorkerOptions, 'every' | 'lines' | 'isReachable'>>

class Looking<Place> {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>
  readonly #of: Lines<Place>
  readonly #rhythm: Rhythm
  readonly #end = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  /** When to look at a queue again. What is known here only saves looks. */
  readonly #resting = new Map<string, number>()
  readonly #looping: Promise<void>
  #isStopped = false
  #visited: string | null = null
  #lookedAt = 0
  /** Looks in a row that found nothing. */
  #idle = 0

  constructor(app: Pick<App, 'store' | 'clock' | 'log'>, of: Lines<Place>, rhythm: Rhythm) {
    this.#app = app
    this.#of = of
    this.#rhythm = rhythm
    this.#looping = this.#loop()
  }

  /** When a queue is looked at again; at once where the clock has been set back since. */
  #restsUntil(name: string, now: number): number {
    return plausible(this.#resting.get(name) ?? 0, now, SOME_TIME)
  }

  async #work(place: Place, name: string): Promise<void> {
    const { clock, log } = this.#app
    try {
      for (;;) {
        const next = await this.#of.step(place, this.#end.signal)
        if (next.is === 'later') this.#resting.set(name, Math.min(next.at, clock.now() + SOME_TIME))
        // Its holder may have died, which nobody writes down: to see that costs two reads.
        if (next.is === 'busy') this.#resting.set(name, clock.now() + this.#rhythm.every)
        if (next.is !== 'done' || this.#isStopped) return
      }
    } catch (error) {
      this.#resting.set(name, clock.now() + unforeseen())
      log.error({ err: error, company_id: this.#of.companyOf(place) }, 'sending failed')
    }
  }

  /** Whether a look may find something: something was written since the last one, or has become due. */
  #mayFind(version: string | null, now: number): boolean {
    return (
      version === null ||
      version !== this.#visited ||
      this.#running.size > 0 ||
      Math.abs(now - this.#lookedAt) >= SOME_TIME ||
      [...this.#resting.keys()].some((name) => this.#restsUntil(name, now) <= now)
    )
  }

  /** What rested longest goes first, so that no company keeps the others waiting. */
  async #look(): Promise<void> {
    const { clock, store } = this.#app
    const { lines, isReachable } = this.#rhythm
    const now = clock.now()
    const version = store.version()
    if (!isReachable() || !this.#mayFind(version, now)) return
    const places = (await this.#of.places()).map((place) => ({ place, name: this.#of.nameOf(place) }))
    this.#visited = version
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
    // Those that found no room are looked at next time.
    if (due.length > lines) this.#visited = null
  }

  /** How long until the next look. Where every look asks the database, looks become rarer while nothing waits. */
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
        this.#app.log.error({ err: error }, 'the sender cannot look for what waits')
      }
      await sleep(this.#pause(), undefined, { signal: this.#end.signal, ref: false }).catch(() => undefined)
    }
  }

  /** Ends it; what is under way has so many milliseconds to finish. */
  async stop(grace: number): Promise<void> {
    this.#isStopped = true
    const finished = Promise.all(this.#running.values())
    await Promise.race([finished, sleep(grace, undefined, { ref: false })])
    this.#end.abort()
    await Promise.all([this.#looping, finished])
  }
}

/**
 * Starts to send, and goes on until it is stopped. Any number of processes may: each queue is held by one of them.
 * Returns a function that stops it: what is under way is finished, or, where that takes too long, left to be settled by
 * a query.
 */
export function startLines<Place>(
  app: Pick<App, 'store' | 'clock' | 'log'>,
  of: Lines<Place>,
  { every = 1000, lines = 4, grace = 8000, isReachable = () => true }: Omit<WorkerOptions, 'owner'> = {},
): () => Promise<void> {
  const looking = new Looking(app, of, { every, lines, isReachable })
  return () => looking.stop(grace)
}

/** Sends what waits of a system, and goes on until it is stopped. Any number of processes may. */
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
