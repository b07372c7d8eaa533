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

/**
 * Starts to send, and goes on until it is stopped. Any number of processes may: each queue is held by one of them.
 * Returns a function that stops it: what is under way is finished, or, where that takes too long, left to be settled by
 * a query.
 */
export function startLines<Place>(
  app: Pick<App, 'store' | 'clock' | 'log'>,
  { places: findPlaces, nameOf, companyOf, step }: Lines<Place>,
  { every = 1000, lines = 4, grace = 8000, isReachable = () => true }: Omit<WorkerOptions, 'owner'> = {},
): () => Promise<void> {
  const end = new AbortController()
  const running = new Map<string, Promise<void>>()
  /** When to look at a queue again. What is known here only saves looks. */
  const resting = new Map<string, number>()
  let stopped = false
  let seen: string | null = null
  let lookedAt = 0
  /** Looks in a row that found nothing. */
  let idle = 0

  /** When a queue is looked at again; at once where the clock has been set back since. */
  const restsUntil = (name: string, now: number): number => plausible(resting.get(name) ?? 0, now, SOME_TIME)

  const work = async (place: Place): Promise<void> => {
    const name = nameOf(place)
    try {
      for (;;) {
        const next = await step(place, end.signal)
        if (next.is === 'later') resting.set(name, Math.min(next.at, app.clock.now() + SOME_TIME))
        // Its holder may have died, which nobody writes down: to see that costs two reads.
        if (next.is === 'busy') resting.set(name, app.clock.now() + every)
        if (next.is !== 'done' || stopped) return
      }
    } catch (error) {
      resting.set(name, app.clock.now() + unforeseen())
      app.log.error({ err: error, company_id: companyOf(place) }, 'sending failed')
    }
  }

  /** Whether a look may find something: something was written since the last one, or has become due. */
  const mayFind = (version: string | null, now: number): boolean =>
    version === null ||
    version !== seen ||
    running.size > 0 ||
    Math.abs(now - lookedAt) >= SOME_TIME ||
    [...resting.keys()].some((name) => restsUntil(name, now) <= now)

  const start = (place: Place): void => {
    const name = nameOf(place)
    resting.delete(name)
    running.set(
      name,
      work(place).finally(() => running.delete(name)),
    )
  }

  /** What rested longest goes first, so that no company keeps the others waiting. */
  const look = async (): Promise<void> => {
    const now = app.clock.now()
    const version = app.store.version()
    if (!isReachable() || !mayFind(version, now)) return
    const places = await findPlaces()
    seen = version
    lookedAt = now
    idle = places.length === 0 ? idle + 1 : 0
    const names = new Set(places.map(nameOf))
    for (const name of resting.keys()) if (!names.has(name)) resting.delete(name)
    const due = places
      .filter((place) => !running.has(nameOf(place)) && restsUntil(nameOf(place), now) <= now)
      .sort((a, b) => restsUntil(nameOf(a), now) - restsUntil(nameOf(b), now))
    for (const place of due.slice(0, Math.max(0, lines - running.size))) start(place)
    // Those that found no room are looked at next time.
    if (due.length > lines) seen = null
  }

  /** How long until the next look. Where every look asks the database, looks become rarer while nothing waits. */
  const pause = (): number =>
    idle === 0 || app.store.version() !== null
      ? every
      : Math.max(every, Math.min(IDLE, every * 2 ** Math.min(idle, 12)))

  const loop = async (): Promise<void> => {
    while (!stopped) {
      try {
        await look()
      } catch (error) {
        app.log.error({ err: error }, 'the sender cannot look for what waits')
      }
      await sleep(pause(), undefined, { signal: end.signal, ref: false }).catch(() => undefined)
    }
  }
  const looping = loop()

  return async () => {
    stopped = true
    const finished = Promise.all(running.values())
    await Promise.race([finished, sleep(grace, undefined, { ref: false })])
    end.abort()
    await Promise.all([looping, finished])
  }
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
