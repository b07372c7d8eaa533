/**
 * Events that a running server records for companies without VERI*FACTU: its start, a summary every six hours, the
 * results of its checks, and its end. Several processes share the work. One process at a time owns a company; if it
 * leaves or crashes, another one takes over.
 */
import { sql } from 'kysely'
import type { App } from '../../../app/app.ts'
import type { CompanyStore } from '../../../store/store.ts'
import type { Environment } from '../../../store/tables.ts'
import { collectFromReachable, companyOf } from '../../company/company.ts'
import { lockChain } from '../company-chains.ts'
import { periodForGenerating } from '../mode-change.ts'
import {
  beginOperation,
  endOperation,
  isSummaryDue,
  makeSummary,
  saveOperationTime,
  totalsSince,
} from '../no-verifactu-operation.ts'
import { lengthOf, lockOperation, readOperation, updateOperation } from '../operation-state.ts'
import {
  deleteProcess,
  findSuccessor,
  HEARTBEAT_MS,
  markLeaving,
  processesNow,
  writeHeartbeat,
} from '../processes.ts'
import { isEventImpossible } from '../sif-events.ts'
import type { SigningContext } from '../signing.ts'
import {
  environmentOf,
  isChangeDue,
  openPeriodOf,
  storedPeriodOf,
  type VerifactuPeriod,
} from '../verifactu-period.ts'
import { checkChain } from './check-chains.ts'
import { recordCheck } from './record-check.ts'

/** Returns the companies with an open period without VERI*FACTU, or with a planned change that is due. */
async function companiesWithoutVerifactu(app: App): Promise<readonly string[]> {
  try {
    const all = app.store.acrossCompanies(
      'the server records its events for every company; it does so one by one',
    )
    const rows = await all
      .selectFrom('verifactu_periods')
      .select('company_id')
      .where('mode', '=', sql.lit('no_verifactu'))
      .where('end_date', 'is', null)
      .union(
        all
          .selectFrom('verifactu_planned_periods')
          .select('company_id')
          .where('start_date', '<=', app.clock.today()),
      )
      .execute()
    return rows.map(({ company_id }) => company_id)
  } catch {
    return collectFromReachable(app, async (own) =>
      (await openPeriodOf(own, app.clock))?.mode === 'no_verifactu' ? [own.companyId] : [],
    )
  }
}

interface CompanyContext {
  readonly store: CompanyStore
  readonly context: SigningContext
  readonly period: VerifactuPeriod
  readonly environment: Environment
}

/**
 * Returns the context of a company without VERI*FACTU; undefined if it no longer has such a period. Applies a planned
 * change that is due, so that its events of end and start are recorded soon after its first instant.
 */
async function contextOf(app: App, companyId: string): Promise<CompanyContext | undefined> {
  const store = app.store.of(companyId)
  const company = await companyOf(store)
  if (!company) return undefined
  const context = { app, company, locale: 'es', requestId: 'events' } as const
  const stored = await storedPeriodOf(store)
  const period = isChangeDue(stored, app.clock)
    ? await store.transaction((tx) => periodForGenerating(tx, context), { isOwn: true })
    : stored
  if (period?.mode !== 'no_verifactu') return undefined
  return { store, context, period, environment: environmentOf(period) }
}

/** Checks the chains for anomalies and records the result. Anomalies are reported, but block nothing. */
export async function check(
  app: App,
  {
    store,
    context,
    period,
    environment,
  }: Omit<CompanyContext, 'period'> & { readonly period: VerifactuPeriod },
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
    app.log.error(
      { company_id, environment, chain, sequence, type },
      'anomaly found: run cuadra-admin verify',
    )
  const still = records.found.length + events.found.length
  if (still > 0) app.log.warn({ company_id, environment, anomalies: still }, 'anomalies are still open')
  if (fixed > 0) app.log.info({ company_id, environment, fixed }, 'anomalies are resolved')
}

/** Records the start of operation if necessary; returns whether it was recorded. */
async function begin(app: App, { store, context, period }: CompanyContext): Promise<boolean> {
  const begun = await store.transaction((tx) => beginOperation(tx, context, period, app.owner), {
    isOwn: true,
  })
  return begun === 'started'
}

export interface WatchOptions {
  /** Milliseconds between two passes. If null, the caller starts each pass. */
  readonly intervalMs?: number | null
}

export interface Watch {
  /** Runs one pass over all companies. */
  readonly runPass: () => Promise<void>
  /** Records a last summary and the end for companies that no other process takes over. */
  readonly stop: () => Promise<void>
}

class Watcher {
  readonly #app: App
  /** Companies whose start must still be recorded: all at first, later those for which recording failed. */
  readonly #toStart = new Set<string>()
  #isFirstPass = true
  #lastPass: number

  constructor(app: App) {
    this.#app = app
    this.#lastPass = app.clock.now()
  }

  /** Runs one pass; never rejects. */
  async runPass(): Promise<void> {
    const { log, clock } = this.#app
    try {
      // While a shard is unreachable, the heartbeat cannot be written. Companies are processed nevertheless.
      await writeHeartbeat(this.#app).catch((error: unknown) =>
        log.warn({ err: error }, 'the heartbeat cannot be written'),
      )
      const companies = await companiesWithoutVerifactu(this.#app)
      if (this.#isFirstPass) for (const id of companies) this.#toStart.add(id)
      this.#isFirstPass = false
      const [before, now] = [this.#lastPass, clock.now()]
      this.#lastPass = now
      for (const id of companies)
        await this.#process(id, now < before ? before : null).catch((error: unknown) =>
          log[isEventImpossible(error) ? 'warn' : 'error'](
            { err: error, company_id: id },
            'events of a company are not recorded',
          ),
        )
    } catch (error) {
      log.error({ err: error }, 'events cannot be recorded')
    }
  }

  /** Processes a company. `before` is the time that the clock showed before it was set back; null if it was not. */
  async #process(id: string, before: number | null): Promise<void> {
    const app = this.#app
    const companyContext = await contextOf(app, id)
    if (!companyContext) return
    const { store, context, period, environment } = companyContext
    if (before !== null)
      await store.transaction((tx) => saveOperationTime(tx, app, period, app.owner, before), { isOwn: true })
    const operation = await readOperation(store, environment)
    const { alive } = await processesNow(store.shared, app)
    const isWithout =
      !operation || (operation.owner !== null && !alive.some(({ owner }) => owner === operation.owner))
    if (isWithout || this.#toStart.has(id)) {
      const started = await begin(app, companyContext)
      this.#toStart.delete(id)
      if (started) await check(app, companyContext)
      return
    }
    if (operation.owner !== app.owner) return
    // A command or a request opened the period, and no check has followed its start event yet.
    if (
      operation.unclaimed !== null &&
      Number(operation.unclaimed) === (await lengthOf(store, environment, 'events'))
    )
      await check(app, companyContext)
    if (!(await isSummaryDue(store, app, period, operation))) return
    await check(app, companyContext)
    const ahead = await totalsSince(store, period)
    await store.transaction((tx) => makeSummary(tx, context, period, app.owner, ahead), { isOwn: true })
  }

  /** Hands a company over to another process, or records the end of operation. */
  async markLeaving(id: string): Promise<void> {
    const app = this.#app
    const companyContext = await contextOf(app, id)
    if (!companyContext) return
    const { store, context, period, environment } = companyContext
    const ahead = await totalsSince(store, period)
    await store.transaction(
      async (tx) => {
        await lockChain(tx, app, environment, 'events')
        const operation = await lockOperation(tx, environment)
        if (operation?.owner !== app.owner) return
        const next = await findSuccessor(tx, app)
        if (next === null) await endOperation(tx, context, period, { ahead })
        else await updateOperation(tx, app, environment, { owner: next })
      },
      { isOwn: true },
    )
  }
}

/** Returns the companies that this process owns. */
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
    return collectFromReachable(app, async (own) => {
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
 * Starts to record events, until stopped. Resolves when the starts of all companies are recorded. If this fails for a
 * company, for example without a certificate, every pass tries again.
 */
export async function startWatching(
  app: App,
  { intervalMs = HEARTBEAT_MS }: WatchOptions = {},
): Promise<Watch> {
  const watcher = new Watcher(app)
  let running = watcher.runPass()
  const runPass = (): Promise<void> => {
    running = running.then(() => watcher.runPass())
    return running
  }
  await running
  const timer = intervalMs === null ? undefined : setInterval(runPass, intervalMs).unref()
  return {
    runPass,
    stop: async () => {
      clearInterval(timer)
      await running
      try {
        await markLeaving(app).catch((error: unknown) =>
          app.log.warn({ err: error }, 'the end of this process cannot be written'),
        )
        for (const id of await ownOf(app))
          await watcher
            .markLeaving(id)
            .catch((error: unknown) =>
              app.log.error(
                { err: error, company_id: id },
                'the end of operation of a company is not recorded',
              ),
            )
        await deleteProcess(app)
      } catch (error) {
        app.log.error({ err: error }, 'the end of operation is not recorded')
      }
    },
  }
}
