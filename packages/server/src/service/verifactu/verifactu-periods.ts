/** Periods on the administrator's command line: open, close, list, and change them now or on a planned day. */
import { randomUUID } from 'node:crypto'
import { CuadraError } from '#core/errors/index.ts'
import { addDays, type Clock } from '../../environment/clock.ts'
import { issuedWithoutRecord } from '../../store/missing-records.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment, Mode } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { invoicesNeedingAttention } from './attention.ts'
import { lockChain } from './company-chains.ts'
import { periodForGenerating, replacePeriod, stopPeriod } from './mode-change.ts'
import { countPending } from './queries.ts'
import { canSign, signingMeansOf } from './signing.ts'
import { activateVerifactu, requireVerifactu } from './verifactu-config.ts'
import {
  environmentOf,
  isChangeDue,
  lastPeriodOf,
  periodOf,
  plannedPeriodOf,
  requirePeriodOpen,
  storedPeriodOf,
  type VerifactuPeriod,
} from './verifactu-period.ts'

export interface PeriodDates {
  readonly mode: Mode
  readonly environment: Environment
  readonly start_date: string
  readonly end_date: string | null
}

const datesOf = (
  period: Pick<VerifactuPeriod, 'mode' | 'sandbox' | 'start_date'>,
  end_date: string | null = null,
): PeriodDates => ({
  mode: period.mode,
  environment: environmentOf(period),
  start_date: period.start_date,
  end_date,
})

/** Returns a command about the periods of a company, in backticks. */
const command = ({ companyId }: Rows, act: string, options = ''): string =>
  `\`cuadra-admin verifactu period ${act} --company ${companyId}${options}\``

/** Returns the number of invoices that were issued between two timestamps and have no registration record. */
export const countWithoutRecord = (db: Rows, since: string, until: string | null): Promise<number> =>
  db.countOf(issuedWithoutRecord(db, since, until))

export interface PeriodOpened extends PeriodDates {
  /** Number of invoices without a record that were issued since the last period was closed. */
  readonly without_record: number
}

/**
 * Opens a period from today. Default: the environment of the last period, or the test environment if there was none.
 * Throws if a period is already open, or if the company must not have one.
 */
export async function openPeriod(
  tx: Tx,
  call: Call,
  { mode, ...wanted }: { readonly mode: Mode; readonly sandbox?: boolean | undefined },
): Promise<PeriodOpened> {
  const open = await periodForGenerating(tx, call)
  if (open)
    throw new CuadraError(
      `A period in mode ${open.mode} (${environmentOf(open)}) has been open since ${open.start_date}. To change mode or environment, use ${command(tx, 'change', ' --mode MODE')}.`,
    )
  const last = await lastPeriodOf(tx)
  const sandbox = wanted.sandbox ?? last?.sandbox ?? true
  await activateVerifactu(tx, call, { mode, sandbox })
  return {
    ...datesOf({ mode, sandbox, start_date: call.app.clock.today() }),
    without_record: last ? await countWithoutRecord(tx, last.updated_at, null) : 0,
  }
}

/** Throws if a change is planned, because the requested operation would contradict the plan. */
function requireNoPlan(db: Rows, { planned_from }: VerifactuPeriod): void {
  if (planned_from !== null)
    throw new CuadraError(
      `A change is planned for ${planned_from}. Withdraw it first: ${command(db, 'withdraw')}. ${command(db, 'list')} shows it.`,
    )
}

/** Whether the tax authority knows the end of VERI*FACTU. `pending`: a later message will announce it. */
export type EndAnnounced = 'announced' | 'pending' | 'not_announced'

/** Returns whether a message has announced that VERI*FACTU ends on a day; null if this end is never announced. */
async function endAnnounced(
  db: Rows,
  period: Pick<VerifactuPeriod, 'mode' | 'sandbox'>,
  day: string,
  today: string,
): Promise<EndAnnounced | null> {
  if (period.mode !== 'verifactu' || !day.endsWith('-12-31')) return null
  const environment = environmentOf(period)
  const sent = await db
    .find('verifactu_submissions', { environment })
    .select('submission_id')
    .where('submitted_at', 'is not', null)
    .where('xml', 'like', `%FechaFinVeriFactu>${day.split('-').reverse().join('-')}<%`)
    .limit(1)
    .executeTakeFirst()
  if (sent) return 'announced'
  return day > today || (await countPending(db, environment)) > 0 ? 'pending' : 'not_announced'
}

/** What an operator must know when a period ends. */
export interface PeriodEndFacts {
  readonly end_announced: EndAnnounced | null
  /** Number of invoices whose record was rejected, or accepted with a warning that needs action. */
  readonly unresolved: number
}

const endOf = async (tx: Tx, call: Call, open: VerifactuPeriod, day: string): Promise<PeriodEndFacts> => ({
  end_announced: await endAnnounced(tx, open, day, call.app.clock.today()),
  unresolved: (await invoicesNeedingAttention(tx, call.app.clock, 'en')).filter(
    ({ estado }) => estado !== 'missing',
  ).length,
})

const MUST_STAY = 'VERI*FACTU must be used until 31 December (art. 16 RD 1007/2023)'

/** Returns a text that states when VERI*FACTU may end on another day. */
const exceptionOn = (lastDay: string): string =>
  lastDay < '2027-01-01'
    ? 'If these are trials of a company that is not obliged yet, or the period was opened by mistake, use --anyway.'
    : 'If the activity ends, or the period was opened by mistake, use --anyway.'

/**
 * Closes the open period today. Invoices issued afterwards have no record; pending records are still sent. VERI*FACTU
 * must be used until the end of the year (art. 16 RD 1007/2023), so a production period can be closed on another day
 * only with `anyway`.
 */
export async function closePeriod(
  tx: Tx,
  call: Call,
  { anyway = false } = {},
): Promise<PeriodDates & PeriodEndFacts> {
  const open = await periodForGenerating(tx, call)
  if (!open) throw new CuadraError('There is no open period to close.')
  requireNoPlan(tx, open)
  const end_date = call.app.clock.today()
  if (open.mode === 'verifactu' && !open.sandbox && !end_date.endsWith('-12-31') && !anyway)
    throw new CuadraError(
      `Today is ${end_date}, and ${MUST_STAY}. Close the period on that day, or change to another mode with ${command(tx, 'change', ' --mode MODE')}. ${exceptionOn(end_date)}`,
    )
  const end = await endOf(tx, call, open, end_date)
  await stopPeriod(tx, call, open, end_date)
  return { ...datesOf(open, end_date), ...end }
}

export interface WantedChange {
  readonly mode: Mode
  /** Default: that of the open period. */
  readonly environment?: Environment | undefined
  /** First day of the new period; default: now. */
  readonly from?: string | undefined
  readonly anyway?: boolean | undefined
}

export interface ModeChange extends PeriodEndFacts {
  readonly planned: boolean
  readonly closes: PeriodDates
  readonly opens: PeriodDates
}

/**
 * Replaces the open period with one of another mode or environment, now or at the first instant of a later day. Every
 * invoice is part of one of the two periods. VERI*FACTU in production ends on 31 December (art. 16 RD 1007/2023), on
 * another day only with `anyway`.
 */
export async function changePeriod(tx: Tx, call: Call, wanted: WantedChange): Promise<ModeChange> {
  requireVerifactu(call)
  const open = await periodForGenerating(tx, call)
  if (!open)
    throw new CuadraError(
      `There is no open period to change. Open one with ${command(tx, 'open', ' --mode MODE')}.`,
    )
  requireNoPlan(tx, open)
  const { clock } = call.app
  const today = clock.today()
  const { mode, environment = environmentOf(open), from = today, anyway = false } = wanted
  if (from < today) throw new CuadraError(`--from ${from} is before today, ${today}.`)
  if (mode === open.mode && environment === environmentOf(open))
    throw new CuadraError(`The open period already has mode ${mode} (${environment}). Nothing was changed.`)
  const isPlanned = from > today
  const end_date = isPlanned ? addDays(from, -1) : today
  const leaves = open.mode === 'verifactu' && !open.sandbox
  if (leaves && !(isPlanned && end_date.endsWith('-12-31')) && !anyway)
    throw new CuadraError(
      `${MUST_STAY}. Plan the change for 1 January: --from ${Number(today.slice(0, 4)) + 1}-01-01. ${exceptionOn(end_date)}`,
    )
  const means = await signingMeansOf(tx, call, open.certificate_id, from)
  if (!canSign(means))
    throw new CuadraError(
      `The company has no certificate or delegated signature that is valid on ${from}. Add a certificate with \`cuadra-admin certificate add\`, then run this command again.`,
    )
  const next = {
    period_id: randomUUID(),
    mode,
    sandbox: environment === 'test' ? 1 : 0,
    certificate_id: means.certificate?.id ?? null,
    start_date: from,
  }
  // If two changes run at once, the second one waits here and then finds another period open.
  await lockChain(tx, call.app, environmentOf(open), 'records')
  await requirePeriodOpen(tx, { mode: open.mode, environment: environmentOf(open) })
  const end = await endOf(tx, call, open, end_date)
  const stamp = clock.stamp()
  if (isPlanned)
    await tx.insert('verifactu_planned_periods', { ...next, created_at: stamp, updated_at: stamp })
  else await replacePeriod(tx, call, open, next, end_date)
  return { planned: isPlanned, closes: datesOf(open, end_date), opens: datesOf(periodOf(next)), ...end }
}

/** Withdraws the planned change; the open period continues. Returns the period that was planned. */
export async function withdrawChange(
  tx: Tx,
  call: Call,
): Promise<PeriodDates & Pick<PeriodEndFacts, 'end_announced'>> {
  const open = await periodForGenerating(tx, call)
  const planned = await plannedPeriodOf(tx)
  if (!planned)
    throw new CuadraError(
      `No change is planned. The open period: ${open ? `mode ${open.mode}, ${environmentOf(open)}, from ${open.start_date}` : 'none'}.`,
    )
  await tx.delete('verifactu_planned_periods').execute()
  const day = addDays(planned.start_date, -1)
  return {
    ...datesOf(planned),
    end_announced: open && (await endAnnounced(tx, open, day, call.app.clock.today())),
  }
}

export interface ListedPeriod extends PeriodDates {
  readonly state: 'closed' | 'open' | 'planned'
  /** Number of invoices without a record that were issued between the end of this period and the next one. */
  readonly without_record: number
}

/** Returns the periods of a company, the earliest first. */
export async function listPeriods(db: Rows, clock: Pick<Clock, 'today'>): Promise<readonly ListedPeriod[]> {
  const rows = await db
    .select('verifactu_periods')
    .select(['mode', 'sandbox', 'start_date', 'end_date', 'created_at', 'updated_at'])
    .orderBy('created_at')
    .execute()
  const planned = await plannedPeriodOf(db)
  const isDue = isChangeDue(await storedPeriodOf(db), clock)
  const listed: ListedPeriod[] = []
  for (const [at, row] of rows.entries()) {
    const isClosed = row.end_date !== null
    const end_date = row.end_date ?? (planned && addDays(planned.start_date, -1))
    listed.push({
      ...datesOf(periodOf(row), end_date),
      state: isClosed || isDue ? 'closed' : 'open',
      without_record: isClosed
        ? await countWithoutRecord(db, row.updated_at, rows[at + 1]?.created_at ?? null)
        : 0,
    })
  }
  if (planned) listed.push({ ...datesOf(planned), state: isDue ? 'open' : 'planned', without_record: 0 })
  return listed
}
