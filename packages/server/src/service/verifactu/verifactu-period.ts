/**
 * Periods in which a company generates VeriFactu records. At most one period is open. A change of mode can be planned:
 * on its day, the planned period replaces the open one.
 */
import { addDays, type Clock } from '../../environment/clock.ts'
import type { CompanyRow, Rows } from '../../store/store.ts'
import type { Environment, Mode } from '../../store/tables.ts'
import { concurrentChangeError } from '../invoice/refusals.ts'

const COLUMNS = ['period_id', 'mode', 'sandbox', 'certificate_id', 'start_date', 'updated_at'] as const

/** Time during which a company generates VeriFactu records in one mode. */
export type VerifactuPeriod = Omit<
  Pick<CompanyRow<'verifactu_periods'>, (typeof COLUMNS)[number]>,
  'sandbox'
> & {
  readonly sandbox: boolean
  /** The day on which a planned period replaces this one; null if none is planned. */
  readonly planned_from: string | null
}

export const environmentOf = ({ sandbox }: Pick<VerifactuPeriod, 'sandbox'>): Environment =>
  sandbox ? 'test' : 'production'

/** Returns a period from its row. */
export const periodOf = <Row extends { readonly sandbox: number }>(
  row: Row,
): Omit<Row, 'sandbox'> & { readonly sandbox: boolean } => ({
  ...row,
  sandbox: row.sandbox === 1,
})

/** Returns the open period as stored, even if a planned change is due. */
export async function storedPeriodOf(db: Rows): Promise<VerifactuPeriod | null> {
  const row = await db
    .select('verifactu_periods')
    .select(COLUMNS)
    .select(db.select('verifactu_planned_periods').select('start_date').as('planned_from'))
    .where('end_date', 'is', null)
    .executeTakeFirst()
  return row ? periodOf(row) : null
}

/**
 * Throws a conflict if the period was replaced or closed while the transaction waited for the lock of its chain. The
 * store then repeats the transaction in the period that is open now.
 */
export async function requirePeriodOpen(
  db: Rows,
  { mode, environment }: { readonly mode: Mode; readonly environment: Environment },
): Promise<void> {
  const open = await storedPeriodOf(db)
  if (open?.mode !== mode || environmentOf(open) !== environment) throw concurrentChangeError()
}

/** Returns the period that will replace the open one; null if none is planned. */
export async function plannedPeriodOf(db: Rows): Promise<VerifactuPeriod | null> {
  const row = await db.select('verifactu_planned_periods').select(COLUMNS).executeTakeFirst()
  return row ? { ...periodOf(row), planned_from: null } : null
}

/** Whether the day of the planned change has begun. */
export const isChangeDue = (
  period: Pick<VerifactuPeriod, 'planned_from'> | null,
  { today }: Pick<Clock, 'today'>,
): boolean => period !== null && period.planned_from !== null && period.planned_from <= today()

/**
 * Returns the open period for reading; null if VeriFactu is not active. From the first instant of its day on, a planned
 * period counts as open. To generate records or events, call `periodForGenerating` instead.
 */
export async function openPeriodOf(db: Rows, clock: Pick<Clock, 'today'>): Promise<VerifactuPeriod | null> {
  const stored = await storedPeriodOf(db)
  return isChangeDue(stored, clock) ? await plannedPeriodOf(db) : stored
}

/** Returns the period that was opened last; null if the company never had one. */
export async function lastPeriodOf(db: Rows): Promise<VerifactuPeriod | null> {
  const row = await db
    .select('verifactu_periods')
    .select(COLUMNS)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { ...periodOf(row), planned_from: null } : null
}

/** Returns the environment of a company's records: that of the open period, otherwise of the last period. */
export async function environmentNow(db: Rows, clock: Pick<Clock, 'today'>): Promise<Environment | null> {
  const open = await openPeriodOf(db, clock)
  if (open) return environmentOf(open)
  const last = await lastPeriodOf(db)
  return last && environmentOf(last)
}

/**
 * Returns the last day of VERI*FACTU of a company that stops using it, if it must be announced now. This is 31 December
 * of this or the previous year, if no later period follows. The authority accepts no other day (web service design,
 * 4120). A planned end is announced on the last day itself, because no record may be pending afterwards.
 */
export async function lastVerifactuDayOf(
  db: Rows,
  environment: Environment,
  today: string,
): Promise<string | null> {
  const stored = await db.select('verifactu_periods').select(['mode', 'sandbox', 'end_date']).execute()
  const planned = await plannedPeriodOf(db)
  const end = planned && addDays(planned.start_date, -1)
  const periods = stored.map((row) => ({ ...periodOf(row), end_date: row.end_date ?? end }))
  if (planned) periods.push({ ...planned, end_date: null })
  const ofVerifactu = periods.filter((one) => one.mode === 'verifactu' && environmentOf(one) === environment)
  if (ofVerifactu.some(({ end_date }) => end_date === null)) return null
  const last =
    ofVerifactu
      .map(({ end_date }) => end_date)
      .sort()
      .at(-1) ?? null
  if (last === null || last > today) return null
  const year = Number(today.slice(0, 4))
  return [year, year - 1].some((one) => last === `${one}-12-31`) ? last : null
}
