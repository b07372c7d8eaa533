/**
 * Working without VERI*FACTU: the events of its start, its summaries and its end (Orden HAC/1177/2024, art. 9). Any
 * number of processes make one sequence of them: whoever writes holds the end of the chain of events, and one process
 * at a time answers for the operation of a company.
 */
import { spanishTimestamp } from '../../../fiscal/timestamp.ts'
import type { App } from '../../app/app.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import { lockChain } from './chain.ts'
import {
  insertOperation,
  lengthOf,
  lockOperation,
  type Operation,
  readOperation,
  updateOperation,
} from './operation-state.ts'
import { environmentOf, type VerifactuPeriod } from './period.ts'
import { type Processes, processesNow, serving } from './processes.ts'
import { cannotBeMade, writeEvent } from './sif-events.ts'
import type { SigningContext } from './signing.ts'
import { addTotals, eventCounts, noTotals, summaryOf, type Totals } from './summary.ts'

const HOUR = 3_600_000
/** A summary is due at least every 6 hours of operation: it is made a little before. */
const SUMMARY_AFTER = 6 * HOUR - 5 * 60_000
/** Six digits hold the records of a summary, four the events of a type. */
const MOST_RECORDS = 900_000
const MOST_EVENTS = 5000

const UNKNOWN = 'La parada anterior no quedó registrada; se desconoce su momento'

/** Moment of the end that nobody recorded, as an event says it. */
const missingEnd = (seen: number | undefined): string =>
  seen === undefined
    ? UNKNOWN
    : `La parada anterior no quedó registrada; última actividad: ${spanishTimestamp(seen)}`

export type Begun = 'started' | 'taken_over' | 'works_already'

/** Milliseconds of operation since the last summary. A clock that was set back takes nothing away. */
const worked = ({ carried_ms, since_ms }: Operation, until: number): number =>
  carried_ms + Math.max(0, until - since_ms)

/** Somebody who was there when a process ended, and still is: the system went on. */
const whoWentOn = ({ alive, named }: Processes, owner: string): string | undefined => {
  const ended = named(owner)
  return ended && alive.find(({ started_ms }) => started_ms <= ended.seen_ms)?.owner
}

/**
 * Records that the system starts to work, unless it works already. After a crash the end is missing: the start says so,
 * with the last moment that is known. Throws `not_signed` where nobody can sign.
 */
export async function beginOperation(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  owner: string,
): Promise<Begun> {
  const { app } = context
  const environment = environmentOf(period)
  const { sequence } = await lockChain(tx, environment, 'events')
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
  const wentOn = whoWentOn(processes, found.owner)
  if (wentOn !== undefined) {
    await updateOperation(tx, app, environment, { owner: wentOn })
    return 'taken_over'
  }
  const seen = processes.named(found.owner)?.seen_ms
  const { sequence: unclaimed } = await writeEvent(tx, context, period, {
    type: '01',
    text: missingEnd(seen),
  })
  const carried_ms = worked(found, seen ?? found.since_ms)
  await updateOperation(tx, app, environment, { ...state, carried_ms, unclaimed })
  return 'started'
}

/** Records that work without VERI*FACTU begins with a new period, where a server runs; otherwise the next start does. */
export async function beginPeriod(tx: Tx, context: SigningContext, period: VerifactuPeriod): Promise<void> {
  const owner = await serving(tx.shared, context.app)
  if (period.mode !== 'no_verifactu' || owner === null) return
  try {
    await beginOperation(tx, context, period, owner)
  } catch (error) {
    // The server tries again every minute.
    if (!cannotBeMade(error)) throw error
    context.app.log.warn(
      { err: error, company_id: tx.companyId },
      'the start of NO VERI*FACTU is not recorded yet',
    )
  }
}

/** What was recorded since the last summary, added up outside of a transaction. */
export async function totalsSince(db: Rows, period: VerifactuPeriod): Promise<Totals | null> {
  const environment = environmentOf(period)
  const operation = await readOperation(db, environment)
  if (!operation) return null
  const end = await lengthOf(db, environment, 'records')
  const to = Math.min(end, operation.summed_records + MOST_RECORDS)
  return addTotals(db, environment, noTotals(operation.summed_records), to)
}

/** Whether a summary is to be made now. */
export async function isSummaryDue(
  db: Rows,
  { clock }: Pick<App, 'clock'>,
  period: VerifactuPeriod,
  operation: Operation,
): Promise<boolean> {
  const environment = environmentOf(period)
  if (worked(operation, clock.now()) >= SUMMARY_AFTER) return true
  const records = (await lengthOf(db, environment, 'records')) - operation.summed_records
  const events = (await lengthOf(db, environment, 'events')) - operation.summed_events
  return records >= MOST_RECORDS || events >= MOST_EVENTS
}

/** Writes summaries until every record is in one: seldom more than one. The chain of events is locked already. */
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
    const begun = ahead?.from === from ? ahead : noTotals(from)
    const totals = await addTotals(tx, environment, begun, Math.min(end, from + MOST_RECORDS))
    const counts = await eventCounts(tx, environment, summed_events)
    const data = summaryOf(counts, totals)
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

/** Makes the summary that is due, if `owner` still answers for the company. Answers whether it did. */
export async function makeSummary(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  owner: string,
  ahead: Totals | null,
): Promise<boolean> {
  const environment = environmentOf(period)
  await lockChain(tx, environment, 'events')
  const operation = await lockOperation(tx, environment)
  if (operation?.owner !== owner || !(await isSummaryDue(tx, context.app, period, operation))) return false
  await summarise(tx, context, period, operation, ahead)
  return true
}

/** Records the end of work, after its last summary. Answers whether it was working. */
export async function endOperation(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  { ahead = null, text }: { readonly ahead?: Totals | null; readonly text?: string } = {},
): Promise<boolean> {
  const environment = environmentOf(period)
  await lockChain(tx, environment, 'events')
  const operation = await lockOperation(tx, environment)
  if (!operation || operation.owner === null) return false
  await summarise(tx, context, period, operation, ahead)
  await writeEvent(tx, context, period, { type: '02', ...(text === undefined ? {} : { text }) })
  await updateOperation(tx, context.app, environment, { owner: null, unclaimed: null })
  return true
}

/** What a late end says of the one that nobody recorded; null where somebody serves, or served until he left. */
async function lateEnd(tx: Tx, app: App, environment: Environment): Promise<string | null> {
  const owner = (await readOperation(tx, environment))?.owner ?? null
  const { alive, named } = await processesNow(tx.shared, app)
  return owner === null || alive.length > 0 ? null : missingEnd(named(owner)?.seen_ms)
}

/** Records that work without VERI*FACTU ends with its period. What cannot be made keeps no period open. */
export async function endPeriod(tx: Tx, context: SigningContext, period: VerifactuPeriod): Promise<void> {
  if (period.mode !== 'no_verifactu') return
  const environment = environmentOf(period)
  try {
    const text = await lateEnd(tx, context.app, environment)
    await endOperation(tx, context, period, text === null ? {} : { text })
  } catch (error) {
    if (!cannotBeMade(error)) throw error
    context.app.log.error(
      { err: error, company_id: tx.companyId },
      'the end of NO VERI*FACTU is not recorded',
    )
  }
  await tx.delete('verifactu_operations', { environment }).execute()
}

/** Hours that were worked by a clock that has been set back since are kept. */
export async function keepWorked(
  tx: Tx,
  app: Pick<App, 'clock'>,
  period: VerifactuPeriod,
  owner: string,
  before: number,
): Promise<void> {
  const environment = environmentOf(period)
  const operation = await lockOperation(tx, environment)
  if (operation?.owner !== owner) return
  const carried_ms = worked(operation, before)
  await updateOperation(tx, app, environment, { carried_ms, since_ms: app.clock.now() })
}
