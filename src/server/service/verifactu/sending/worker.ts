/** Looks after the lines of all companies: whatever waits is sent when it may go. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Wire } from '../../../aeat/verifactu-wire.ts'
import type { App } from '../../../app/app.ts'
import type { Environment } from '../../../store/tables.ts'
import { ENVIRONMENTS } from '../../../store/tables.ts'
import { allTaxpayers } from '../../company/company.ts'
import { afterFailure } from '../../sending/backoff.ts'
import type { Sending } from './line.ts'
import { countWaiting } from './records.ts'
import { step } from './step.ts'

interface Place {
  readonly companyId: string
  readonly environment: Environment
}

const nameOf = ({ companyId, environment }: Place): string => `${companyId} ${environment}`

/** Company by company: one whose machine is away keeps none of the others waiting. */
async function oneByOne({ store, log }: Sending['app']): Promise<Place[]> {
  const places: Place[] = []
  for (const { taxpayer_id: companyId } of await allTaxpayers(store.shared))
    for (const environment of ENVIRONMENTS)
      try {
        if ((await countWaiting(store.of(companyId), environment, 1)) > 0)
          places.push({ companyId, environment })
      } catch (error) {
        log.warn({ err: error, company_id: companyId }, 'what waits of a company cannot be read')
      }
  return places
}

/** Companies of which something waits. */
async function placesOf(app: Sending['app']): Promise<Place[]> {
  try {
    const rows = await app.store
      .acrossCompanies('the sender looks after every company; it sends one by one')
      .selectFrom('verifactu_records')
      .select(['company_id', 'environment'])
      .distinct()
      .where('estado', '=', sql.lit('pending'))
      .execute()
    return rows.map(({ company_id, environment }) => ({ companyId: company_id, environment }))
  } catch {
    return oneByOne(app)
  }
}

export interface WorkerOptions {
  /** Milliseconds between two looks. */
  readonly every?: number
  /** So many companies at once. */
  readonly lines?: number
  /** Milliseconds that what is under way has to finish at the end. */
  readonly grace?: number
  readonly owner?: string
}

/** After a failure of ours that nobody foresaw, the store's say. */
const unforeseen = (): number => afterFailure(1)

/**
 * Starts to send, and goes on until it is stopped. Any number of processes may: each line is held by one of them. Tells
 * how to stop: what is under way is finished, or, where that takes too long, left to be settled by a query.
 */
export function startSending(
  app: Sending['app'] & Pick<App, 'owner'>,
  wire: Wire,
  { every = 1000, lines = 4, grace = 8000, owner = app.owner }: WorkerOptions = {},
): () => Promise<void> {
  const end = new AbortController()
  const sending: Sending = { app, wire, owner, signal: end.signal }
  const running = new Map<string, Promise<void>>()
  /** When to look at a line again. What is known here is only for saving looks. */
  const resting = new Map<string, number>()
  let stopped = false
  let seen: string | null = null

  const work = async (place: Place): Promise<void> => {
    const name = nameOf(place)
    try {
      for (;;) {
        const next = await step(sending, place.companyId, place.environment)
        if (next.is === 'later') resting.set(name, Math.min(next.at, app.clock.now() + 30_000))
        // Its holder may have died, which nobody writes down.
        if (next.is === 'busy') resting.set(name, app.clock.now() + 5000)
        if (next.is !== 'done' || stopped) return
      }
    } catch (error) {
      resting.set(name, app.clock.now() + unforeseen())
      app.log.error({ err: error, company_id: place.companyId }, 'sending failed')
    }
  }

  /** What rested longest goes first, so that no company keeps the others waiting. */
  const look = async (): Promise<void> => {
    const now = app.clock.now()
    const version = app.store.version()
    const isDue = [...resting.values()].some((at) => at <= now)
    // Nothing was written since the last look found nothing to do, and nothing has become due.
    if (version !== null && version === seen && !isDue && running.size === 0) return
    const places = await placesOf(app)
    seen = version
    const names = new Set(places.map(nameOf))
    for (const name of resting.keys()) if (!names.has(name)) resting.delete(name)
    const due = places
      .filter((place) => !running.has(nameOf(place)) && (resting.get(nameOf(place)) ?? 0) <= now)
      .sort((a, b) => (resting.get(nameOf(a)) ?? 0) - (resting.get(nameOf(b)) ?? 0))
    for (const place of due.slice(0, Math.max(0, lines - running.size))) {
      const name = nameOf(place)
      resting.delete(name)
      const done = work(place).finally(() => running.delete(name))
      running.set(name, done)
    }
    // Those that found no room are looked at next time.
    if (due.length > lines) seen = null
  }

  const loop = async (): Promise<void> => {
    while (!stopped) {
      try {
        await look()
      } catch (error) {
        app.log.error({ err: error }, 'the sender cannot look for what waits')
      }
      await sleep(every, undefined, { signal: end.signal, ref: false }).catch(() => undefined)
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
