/**
 * Operation without VERI*FACTU: events of its start, summaries and end (art. 9 Orden HAC/1177/2024). Several processes
 * write one sequence of events. A writer locks the end of the chain, and one process at a time owns the operation of a
 * company.
 */
import { spanishTimestamp } from '#records/fiscal/index.ts'
import type { App } from '../../app/app.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import { lockChain } from './company-chains.ts'
import {
  insertOperation,
  lengthOf,
  lockOperation,
  type Operation,
  readOperation,
  updateOperation,
} from './operation-state.ts'
import { type Processes, processesNow, servingProcess } from './processes.ts'
import { isEventImpossible, writeEvent } from './sif-events.ts'
import type { SigningContext } from './signing.ts'
import { environmentOf, type VerifactuPeriod } from './verifactu-period.ts'
import { addTotals, emptyTotals, eventCounts, summaryEventData, type Totals } from './verifactu-summary.ts'

const HOUR = 3_600_000
/** Milliseconds of operation until a summary is generated: 5 minutes before the 6 hours that the law allows. */
const SUMMARY_AFTER = 6 * HOUR - 5 * 60_000
/** Maximum numbers in a summary, which has six digits for records and four for the events of a type. */
const MAX_RECORDS = 900_000
const MAX_EVENTS = 5000

const UNKNOWN = 'La parada anterior no quedó registrada; se desconoce su momento'

/** Returns the text of a start event if the previous end was not recorded. */
const missingEndText = (lastActivity: number | undefined): string =>
  lastActivity === undefined
    ? UNKNOWN
    : `La parada anterior no quedó registrada; última actividad: ${spanishTimestamp(lastActivity)}`

export type OperationStart = 'started' | 'taken_over' | 'works_already'

/** Returns the milliseconds of operation since the last summary. If the clock was set back, nothing is subtracted. */
const operationMs = ({ carried_ms, since_ms }: Operation, until: number): number =>
  carried_ms + Math.max(0, until - since_ms)

/** Returns a process that was running when the owner ended, and still runs. Operation was then not interrupted. */
const continuingProcess = ({ alive, byOwner }: Processes, owner: string): string | undefined => {
  const ended = byOwner(owner)
  return ended && alive.find(({ started_ms }) => started_ms <= ended.seen_ms)?.owner
}

/**
 * Records that operation starts, unless it is already running. If a crash prevented the end from being recorded, the
 * start event states this, with the last known activity. Throws `not_signed` if no signature is possible.
 */
export async function beginOperation(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  owner: string,
): Promise<OperationStart> {
  const { app } = context
  const environment = environmentOf(period)
  const { sequence } = await lockChain(tx, app, environment, 'events')
  const found = await lockOperation(tx, environment)
  if (!found) {
    const { sequence: unclaimed } = await writeEvent(tx, context, period, { type: '01' })
    await insertOperation(tx, app, environment, { owner, summed_events: sequence, unclaimed })
    return 'started'
  }
  const state = { owner, since_ms: app.clock.now() }
  if (found.owner === null) {
    const { sequence: unclaimed } = await writeEvent(tx, context, period, { type: '01' })
    await updateOperation(tx, app, environment, { ...state, unclaimed })
    return 'started'
  }
  const processes = await processesNow(tx.shared, app)
  if (processes.alive.some((one) => one.owner === found.owner)) return 'works_already'
  const continuing = continuingProcess(processes, found.owner)
  if (continuing !== undefined) {
    await updateOperation(tx, app, environment, { owner: continuing })
    return 'taken_over'
  }
  const lastActivity = processes.byOwner(found.owner)?.seen_ms
  const { sequence: unclaimed } = await writeEvent(tx, context, period, {
    type: '01',
    text: missingEndText(lastActivity),
  })
  const carried_ms = operationMs(found, lastActivity ?? found.since_ms)
  await updateOperation(tx, app, environment, { ...state, carried_ms, unclaimed })
  return 'started'
}

/**
 * Records the start of operation in a new period if a server is running. Otherwise, the next server to start does so.
 */
export async function beginPeriod(tx: Tx, context: SigningContext, period: VerifactuPeriod): Promise<void> {
  const owner = await servingProcess(tx.shared, context.app)
  if (period.mode !== 'no_verifactu' || owner === null) return
  try {
    await beginOperation(tx, context, period, owner)
  } catch (error) {
    // The server retries every minute.
    if (!isEventImpossible(error)) throw error
    context.app.log.warn(
      { err: error, company_id: tx.companyId },
      'the start of NO VERI*FACTU is not recorded yet',
    )
  }
}

/** Adds up the records generated since the last summary, outside a transaction. */
export async function totalsSince(db: Rows, period: VerifactuPeriod): Promise<Totals | null> {
  const environment = environmentOf(period)
  const operation = await readOperation(db, environment)
  if (!operation) return null
  const end = await lengthOf(db, environment, 'records')
  const to = Math.min(end, operation.summed_records + MAX_RECORDS)
  return addTotals(db, environment, emptyTotals(operation.summed_records), to)
}

/** Whether a summary is due. */
export async function isSummaryDue(
  db: Rows,
  { clock }: Pick<App, 'clock'>,
  period: VerifactuPeriod,
  operation: Operation,
): Promise<boolean> {
  const environment = environmentOf(period)
  if (operationMs(operation, clock.now()) >= SUMMARY_AFTER) return true
  const records = (await lengthOf(db, environment, 'records')) - operation.summed_records
  const events = (await lengthOf(db, environment, 'events')) - operation.summed_events
  return records >= MAX_RECORDS || events >= MAX_EVENTS
}

/** Writes summaries, usually one, until they cover every record. The caller has locked the chain of events. */
async function summarise(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  operation: Operation,
  ahead: Totals | null = null,
): Promise<void> {
  const environment = environmentOf(period)
  const end = await lengthOf(tx, environment, 'records')
  let { summed_records: from, summed_events } = operation
  do {
    const begun = ahead?.from === from ? ahead : emptyTotals(from)
    const totals = await addTotals(tx, environment, begun, Math.min(end, from + MAX_RECORDS))
    const counts = await eventCounts(tx, environment, summed_events)
    const data = summaryEventData(counts, totals)
    summed_events = (await writeEvent(tx, context, period, { type: '10', data })).sequence
    from = totals.to
  } while (from < end)
  const { clock } = context.app
  await updateOperation(tx, context.app, environment, {
    since_ms: clock.now(),
    carried_ms: 0,
    summed_records: from,
    summed_events,
  })
}

/** Writes a due summary if `owner` still owns the operation. Returns whether it was written. */
export async function makeSummary(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  owner: string,
  ahead: Totals | null,
): Promise<boolean> {
  const environment = environmentOf(period)
  await lockChain(tx, context.app, environment, 'events')
  const operation = await lockOperation(tx, environment)
  if (operation?.owner !== owner || !(await isSummaryDue(tx, context.app, period, operation))) return false
  await summarise(tx, context, period, operation, ahead)
  return true
}

/** Records the end of operation after a last summary. Returns whether operation was running. */
export async function endOperation(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  { ahead = null, text }: { readonly ahead?: Totals | null; readonly text?: string } = {},
): Promise<boolean> {
  const environment = environmentOf(period)
  await lockChain(tx, context.app, environment, 'events')
  const operation = await lockOperation(tx, environment)
  if (!operation || operation.owner === null) return false
  await summarise(tx, context, period, operation, ahead)
  await writeEvent(tx, context, period, { type: '02', ...(text === undefined ? {} : { text }) })
  await updateOperation(tx, context.app, environment, { owner: null, unclaimed: null })
  return true
}

/** Returns the text for an end that is recorded late; null while a server is running, or if operation had no owner. */
async function lateEndText(tx: Tx, app: App, environment: Environment): Promise<string | null> {
  const owner = (await readOperation(tx, environment))?.owner ?? null
  const { alive, byOwner } = await processesNow(tx.shared, app)
  return owner === null || alive.length > 0 ? null : missingEndText(byOwner(owner)?.seen_ms)
}

/** Records the end of operation when its period ends. If this fails, the period is closed nevertheless. */
export async function endPeriod(tx: Tx, context: SigningContext, period: VerifactuPeriod): Promise<void> {
  if (period.mode !== 'no_verifactu') return
  const environment = environmentOf(period)
  try {
    const text = await lateEndText(tx, context.app, environment)
    await endOperation(tx, context, period, text === null ? {} : { text })
  } catch (error) {
    if (!isEventImpossible(error)) throw error
    context.app.log.error(
      { err: error, company_id: tx.companyId },
      'the end of NO VERI*FACTU is not recorded',
    )
  }
  await tx.delete('verifactu_operations', { environment }).execute()
}

/** Stores the operation time up to `before`, the time that the clock showed before it was set back. */
export async function saveOperationTime(
  tx: Tx,
  app: Pick<App, 'clock'>,
  period: VerifactuPeriod,
  owner: string,
  before: number,
): Promise<void> {
  const environment = environmentOf(period)
  const operation = await lockOperation(tx, environment)
  if (operation?.owner !== owner) return
  const carried_ms = operationMs(operation, before)
  await updateOperation(tx, app, environment, { carried_ms, since_ms: app.clock.now() })
}
