/** Starts, ends and replaces periods. A record is part of the period that is open when its chain is locked. */
import { addDays, timestampAfter } from '../../environment/clock.ts'
import type { CompanyRow, Tx } from '../../store/store.ts'
import { lockChain } from './company-chains.ts'
import { beginPeriod, endPeriod } from './no-verifactu-operation.ts'
import type { SigningContext } from './signing.ts'
import {
  environmentOf,
  isChangeDue,
  lastPeriodOf,
  periodOf,
  storedPeriodOf,
  type VerifactuPeriod,
} from './verifactu-period.ts'

export type PeriodStart = Pick<
  CompanyRow<'verifactu_periods'>,
  'period_id' | 'mode' | 'sandbox' | 'certificate_id' | 'start_date'
>

/**
 * Stores a period and starts its operation. `end` is the end of the previous period, at which this one starts. If a
 * period is open, throws the error for a duplicate key.
 */
export async function startPeriod(tx: Tx, context: SigningContext, start: PeriodStart, end?: string) {
  const stamp = end ?? timestampAfter(context.app.clock, (await lastPeriodOf(tx))?.updated_at ?? '')
  const row = { ...start, created_at: stamp, updated_at: stamp }
  await tx.insert('verifactu_periods', row)
  const period = { ...periodOf(row), planned_from: null }
  await beginPeriod(tx, context, period)
  return { period, row }
}

/**
 * Ends the operation of a period, closes it, and removes a planned change of it. An invoice that is being issued either
 * is finished before, or finds the period closed. Returns the timestamp of the end.
 */
export async function stopPeriod(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  end_date: string,
): Promise<string> {
  await lockChain(tx, context.app, environmentOf(period), 'records')
  await endPeriod(tx, context, period)
  await tx.delete('verifactu_planned_periods').execute()
  const updated_at = timestampAfter(context.app.clock, period.updated_at)
  await tx.change('verifactu_periods', { end_date, updated_at }, { period_id: period.period_id })
  return updated_at
}

/** Replaces the open period with another one, which begins at the instant when the first one ends. */
export async function replacePeriod(
  tx: Tx,
  context: SigningContext,
  open: VerifactuPeriod,
  next: PeriodStart,
  end_date: string,
): Promise<VerifactuPeriod> {
  const stamp = await stopPeriod(tx, context, open, end_date)
  return (await startPeriod(tx, context, next, stamp)).period
}

/**
 * Returns the open period for generating records or events; null if VeriFactu is not active. If a planned change is
 * due, the first caller applies it, in its own transaction.
 */
export async function periodForGenerating(tx: Tx, context: SigningContext): Promise<VerifactuPeriod | null> {
  const open = await storedPeriodOf(tx)
  if (open === null || !isChangeDue(open, context.app.clock)) return open
  const planned = await tx
    .lock('verifactu_planned_periods')
    .select(['period_id', 'mode', 'sandbox', 'certificate_id', 'start_date'])
    .executeTakeFirst()
  // Another process has already applied the change.
  if (!planned) return storedPeriodOf(tx)
  return replacePeriod(tx, context, open, planned, addDays(planned.start_date, -1))
}
