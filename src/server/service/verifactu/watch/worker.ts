/**
 * What a running server records of itself for companies that work without VERI*FACTU: that it starts, every six hours
 * what it did, what its checks find, and that it ends. Any number of processes do it together; one at a time answers
 * for a company, and another goes on when it leaves or dies.
 */
import { sql } from 'kysely'
import type { App } from '../../../app/app.ts'
import type { CompanyStore } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import { companyOf, ofEachReachable } from '../../company/company.ts'
import { lockChain } from '../chain.ts'
import {
  beginOperation,
  endOperation,
  isSummaryDue,
  keepWorked,
  makeSummary,
  totalsSince,
} from '../operation.ts'
import { lengthOf, lockOperation, readOperation, updateOperation } from '../operation-state.ts'
import { environmentOf, openPeriodOf, type VerifactuPeriod } from '../period.ts'
import { gone, HEARTBEAT, leave, processesNow, signOfLife, successor } from '../processes.ts'
import { cannotBeMade } from '../sif-events.ts'
import type { SigningContext } from '../signing.ts'
import { checkChain } from './check.ts'
import { recordCheck } from './record-check.ts'

/** Companies with an open period without VERI*FACTU. */
async function companiesWithout(app: App): Promise<readonly string[]> {
  try {
    const rows = await app.store
      .acrossCompanies('the server records its events for every company; it does so one by one')
      .selectFrom('verifactu_periods')
      .select('company_id')
      .where('mode', '=', sql.lit('no_verifactu'))
      .where('end_date', 'is', null)
      .execute()
    return rows.map(({ company_id }) => company_id)
  } catch {
    return ofEachReachable(app, async (own) =>
      (await openPeriodOf(own))?.mode === 'no_verifactu' ? [own.companyId] : [],
    )
  }
}

interface Place {
  readonly store: CompanyStore
  readonly context: SigningContext
  readonly period: VerifactuPeriod
  readonly environment: Environment
}

/** A company that works without VERI*FACTU now; undefined where it does not any more. */
async function placeOf(app: App, companyId: string): Promise<Place | undefined> {
  const store = app.store.of(companyId)
  const [company, period] = [await companyOf(store), await openPeriodOf(store)]
  if (!company || period?.mode !== 'no_verifactu') return undefined
  const context = { app, company, locale: 'es', requestId: 'events' } as const
  return { store, context, period, environment: environmentOf(period) }
}

/** Looks for anomalies, and records what came of it. An anomaly stops nothing: it is told. */
export async function check(
  app: App,
  { store, context, period, environment }: Omit<Place, 'period'> & { readonly period: VerifactuPeriod },
): Promise<void> {
  const operation = await readOperation(store, environment)
  if (!operation) return
  const round = operation.checks
  const of = async (chain: 'records' | 'events', before: number) =>
    checkChain(store, app, {
      environment,
      chain,
      round,
      before,
      end: await lengthOf(store, environment, chain),
    })
  const records = await of('records', operation.checked_records)
  const events = await of('events', operation.checked_events)
  const { found, fixed } = await store.transaction(
    async (tx) => {
      const outcome = await recordCheck(tx, context, period, [records, events])
      await updateOperation(tx, app, environment, {
        checks: round + 1,
        checked_records: records.next,
        checked_events: events.next,
      })
      return outcome
    },
    { isOwn: true },
  )
  const company_id = store.companyId
  for (const { chain, sequence, type } of found.slice(0, 20))
    app.log.error({ company_id, environment, chain, sequence, type }, 'an anomaly was found: run verify')
  const still = records.found.length + events.found.length
  if (still > 0) app.log.warn({ company_id, environment, anomalies: still }, 'anomalies are not mended')
  if (fixed > 0) app.log.info({ company_id, environment, fixed }, 'anomalies are mended')
}

/** Answers whether this process has just recorded a start. */
async function begin(app: App, { store, context, period }: Place): Promise<boolean> {
  const begun = await store.transaction((tx) => beginOperation(tx, context, period, app.owner), {
    isOwn: true,
  })
  return begun === 'started'
}

export interface WatchOptions {
  /** Milliseconds between two looks; null: whoever starts it says when. */
  readonly every?: number | null
}

export interface Watch {
  /** Looks after every company once. */
  readonly look: () => Promise<void>
  /** Records summary and end of the companies that nobody else goes on with. */
  readonly stop: () => Promise<void>
}

class Watcher {
  readonly #app: App
  /** Companies whose start is to be recorded: all at first, then those of which it could not. */
  readonly #toStart = new Set<string>()
  #isFirst = true
  #visited: number

  constructor(app: App) {
    this.#app = app
    this.#visited = app.clock.now()
  }

  /** One look: never rejects. */
  async look(): Promise<void> {
    const { log, clock } = this.#app
    try {
      // While a machine of the database is away no process can write that it is there; the companies go on.
      await signOfLife(this.#app).catch((error: unknown) =>
        log.warn({ err: error }, 'the sign of life cannot be written'),
      )
      const companies = await companiesWithout(this.#app)
      if (this.#isFirst) for (const id of companies) this.#toStart.add(id)
      this.#isFirst = false
      const [before, now] = [this.#visited, clock.now()]
      this.#visited = now
      for (const id of companies)
        await this.#lookAt(id, now < before ? before : null).catch((error: unknown) =>
          log[cannotBeMade(error) ? 'warn' : 'error'](
            { err: error, company_id: id },
            'events of a company are not recorded',
          ),
        )
    } catch (error) {
      log.error({ err: error }, 'events cannot be recorded')
    }
  }

  /** `before`: what the clock showed when it was set back. */
  async #lookAt(id: string, before: number | null): Promise<void> {
    const app = this.#app
    const place = await placeOf(app, id)
    if (!place) return
    const { store, context, period, environment } = place
    if (before !== null)
      await store.transaction((tx) => keepWorked(tx, app, period, app.owner, before), { isOwn: true })
    const operation = await readOperation(store, environment)
    const { alive } = await processesNow(store.shared, app)
    const isWithout =
      !operation || (operation.owner !== null && !alive.some(({ owner }) => owner === operation.owner))
    if (isWithout || this.#toStart.has(id)) {
      const started = await begin(app, place)
      this.#toStart.delete(id)
      if (started) await check(app, place)
      return
    }
    if (operation.owner !== app.owner) return
    // A command, or a request, has opened the period beside this server: nothing follows the start that it recorded.
    if (
      operation.unclaimed !== null &&
      Number(operation.unclaimed) === (await lengthOf(store, environment, 'events'))
    )
      await check(app, place)
    if (!(await isSummaryDue(store, app, period, operation))) return
    await check(app, place)
    const ahead = await totalsSince(store, period)
    await store.transaction((tx) => makeSummary(tx, context, period, app.owner, ahead), { isOwn: true })
  }

  /** Leaves a company to another process, or records the end. */
  async leave(id: string): Promise<void> {
    const app = this.#app
    const place = await placeOf(app, id)
    if (!place) return
    const { store, context, period, environment } = place
    const ahead = await totalsSince(store, period)
    await store.transaction(
      async (tx) => {
        await lockChain(tx, environment, 'events')
        const operation = await lockOperation(tx, environment)
        if (operation?.owner !== app.owner) return
        const next = await successor(tx, app)
        if (next === null) await endOperation(tx, context, period, { ahead })
        else await updateOperation(tx, app, environment, { owner: next })
      },
      { isOwn: true },
    )
  }
}

/** Companies that this process answers for. */
async function ownOf(app: App): Promise<readonly string[]> {
  const { store, owner } = app
  try {
    const rows = await store
      .acrossCompanies('the server ends its work for every company; it does so one by one')
      .selectFrom('verifactu_operations')
      .select('company_id')
      .where('owner', '=', owner)
      .execute()
    return rows.map(({ company_id }) => company_id)
  } catch {
    return ofEachReachable(app, async (own) => {
      const row = await own
        .find('verifactu_operations', { owner })
        .select('owner')
        .limit(1)
        .executeTakeFirst()
      return row ? [own.companyId] : []
    })
  }
}

/**
 * Starts to record, and goes on until it is stopped. The starts of all companies are recorded when this resolves; a
 * company of which that fails, for want of a certificate say, is tried again at every look.
 */
export async function startWatching(app: App, { every = HEARTBEAT }: WatchOptions = {}): Promise<Watch> {
  const watcher = new Watcher(app)
  let running = watcher.look()
  const look = (): Promise<void> => {
    running = running.then(() => watcher.look())
    return running
  }
  await running
  const timer = every === null ? undefined : setInterval(look, every).unref()
  return {
    look,
    stop: async () => {
      clearInterval(timer)
      await running
      try {
        await leave(app).catch((error: unknown) =>
          app.log.warn({ err: error }, 'that this process leaves cannot be written'),
        )
        for (const id of await ownOf(app))
          await watcher
            .leave(id)
            .catch((error: unknown) =>
              app.log.error({ err: error, company_id: id }, 'the end of work of a company is not recorded'),
            )
        await gone(app)
      } catch (error) {
        app.log.error({ err: error }, 'the end of work is not recorded')
      }
    },
  }
}
