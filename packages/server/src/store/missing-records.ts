/**
 * Finds missing VeriFactu records of invoices. An invoice issued in a period must have a registration record. A
 * cancelled invoice must have a cancellation record in the mode of its company, or a reason in `cancellation_gap`.
 * Closed reasons require no action. An open reason is reported until `verifactu correct` generates the record (RD
 * 1007/2023 art. 11).
 */
import { sql } from 'kysely'
import { shiftedTimestamp } from '../environment/clock.ts'
import { inBatches } from './batches.ts'
import type { CompanyRow, Rows } from './rows.ts'
import {
  type CancellationGap,
  CLOSED_CANCELLATION_GAPS,
  type ClosedGap,
  OPEN_CANCELLATION_GAPS,
  type OpenGap,
} from './tables.ts'

/** Selects the invoices that were issued between two timestamps and have no registration record. */
export const issuedWithoutRecord = (db: Rows, since: string, until: string | null) =>
  db
    .select('events', { invoices: 'invoice_id' })
    .where('events.event_code', '=', 'issued')
    .where('events.occurred_at', '>', since)
    .where('events.occurred_at', '<', until ?? '9999')
    .where(({ not, exists }) =>
      not(
        exists(
          db
            .find('verifactu_records', { tipo: 'alta' })
            .select('sequence')
            .where('invoice_id', '=', sql.ref<string>('events.invoice_id')),
        ),
      ),
    )

/** Microseconds next to the bounds of a period that are not checked, because clocks of machines differ. */
const OVERLAP_US = 10_000_000

/** Returns the invoices that were issued in a period and have no registration record. */
export async function missingRegistrations(db: Rows) {
  const periods = await db
    .select('verifactu_periods')
    .select(['created_at', 'updated_at', 'end_date'])
    .orderBy('created_at')
    .execute()
  const missing = []
  for (const [at, { created_at, updated_at, end_date }] of periods.entries()) {
    // A change of mode ends a period and begins the next one at the same instant.
    const follows = periods[at - 1]?.updated_at === created_at
    const isFollowed = periods[at + 1]?.created_at === updated_at
    const since = follows ? created_at : shiftedTimestamp(created_at, OVERLAP_US)
    const until =
      end_date === null ? null : isFollowed ? updated_at : shiftedTimestamp(updated_at, -OVERLAP_US)
    const rows = await issuedWithoutRecord(db, since, until)
      .select(['events.invoice_id', 'invoices.number', 'invoices.issue_date'])
      .orderBy('events.occurred_at')
      .execute()
    missing.push(...rows)
  }
  return missing
}

/** Facts that determine why a cancellation record may be missing, apart from the cause that prevented it. */
export interface CancellationFacts {
  readonly isImported: boolean
  /** Whether the invoice has a registration record in any environment. */
  readonly isRegistered: boolean
  /** Whether one of its registration records was rejected. */
  readonly wasRejected: boolean
  readonly hasCancellation: boolean
  readonly wasSent: boolean
}

/** Returns the possible reasons for a missing cancellation record. Null means that no record is missing. */
export function possibleCancellationGaps(facts: CancellationFacts): readonly (CancellationGap | null)[] {
  if (facts.hasCancellation) return [null, 'not_sent']
  if (facts.isImported) return ['imported']
  if (!facts.isRegistered) return ['never_registered']
  if (facts.wasSent) return ['sent']
  const open = OPEN_CANCELLATION_GAPS.filter((gap) => gap !== 'not_sent')
  // The rejection may state that the tax authority has a record of another system.
  return facts.wasRejected ? [...open, 'never_registered'] : open
}

/** Statuses of records that the tax authority has, or will have. */
const TAKEN = ['pending', 'accepted', 'accepted_with_errors']

/** Whether the tax authority has a record, or will have it. */
export const isAtAuthority = ({ estado }: Pick<CompanyRow<'verifactu_records'>, 'estado'>): boolean =>
  TAKEN.includes(estado)

export interface MissingCancellation extends Pick<CompanyRow<'invoices'>, 'invoice_id' | 'updated_at'> {
  readonly number: string
  readonly reason: OpenGap
  /** Sequence of the last record of the invoice. */
  readonly sequence: number
}

type Period = Pick<CompanyRow<'verifactu_periods'>, 'mode' | 'sandbox' | 'end_date'>

/** Returns the open period of the company, otherwise its last period. */
const currentPeriod = (db: Rows): Promise<Period | undefined> =>
  db
    .select('verifactu_periods')
    .select(['mode', 'sandbox', 'end_date'])
    .orderBy(sql`case when end_date is null then 0 else 1 end`)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()

const RECORD = ['invoice_id', 'sequence', 'tipo', 'estado', 'submission_id'] as const
type RecordRow = Pick<CompanyRow<'verifactu_records'>, (typeof RECORD)[number]>

async function recordsOf(db: Rows, { sandbox }: Period, ids: readonly string[]) {
  const records = new Map<string, RecordRow[]>()
  for (const some of inBatches(ids, 500)) {
    const rows = await db
      .find('verifactu_records', { environment: sandbox === 1 ? 'test' : 'production' })
      .select(RECORD)
      .where('invoice_id', 'in', some)
      .orderBy('sequence')
      .execute()
    for (const row of rows) records.set(row.invoice_id, [...(records.get(row.invoice_id) ?? []), row])
  }
  return records
}

/**
 * Returns the cancelled invoices whose cancellation record is missing in the current environment, latest first. While
 * records are not sent, a cancellation record that was not sent is not missing, and neither is one whose sending
 * `stop-sending` ended.
 */
export async function missingCancellations(
  db: Rows,
  invoiceId?: string,
): Promise<readonly MissingCancellation[]> {
  const gaps = db
    .select('invoices')
    .select(['invoice_id', 'number', 'updated_at', 'cancellation_gap'])
    .where('cancellation_gap', 'in', OPEN_CANCELLATION_GAPS)
  const rows = await (invoiceId === undefined ? gaps : gaps.where('invoice_id', '=', invoiceId))
    .orderBy('updated_at', 'desc')
    .orderBy('invoice_id')
    .execute()
  const period = rows.length > 0 && (await currentPeriod(db))
  if (!period) return []
  const records = await recordsOf(
    db,
    period,
    rows.map(({ invoice_id }) => invoice_id),
  )
  const isSending = period.mode === 'verifactu' && period.end_date === null
  const stops = await db
    .find('verifactu_submissions', { estado_envio: 'stopped' })
    .select('submission_id')
    .execute()
  const stopped = new Set<string | null>(stops.map(({ submission_id }) => submission_id))
  return rows.flatMap(({ invoice_id, number, updated_at, cancellation_gap }) => {
    const own = records.get(invoice_id) ?? []
    const registrations = own.filter(({ tipo }) => tipo === 'alta')
    const last = own.at(-1)
    if (number === null || last === undefined || registrations.length === 0) return []
    if (!isSending && own.every(({ submission_id }) => stopped.has(submission_id))) return []
    if (cancellation_gap === 'not_sent' && !(isSending && registrations.some(isAtAuthority))) return []
    return [
      {
        invoice_id,
        number,
        updated_at,
        reason: cancellation_gap as OpenGap,
        sequence: Number(last.sequence),
      },
    ]
  })
}

/** Counts the cancelled invoices that the tax authority has as valid, because their cancellation record is not sent. */
export async function countNotSent(
  db: Rows,
  environment: CompanyRow<'verifactu_records'>['environment'],
): Promise<number> {
  const registrations = db
    .find('verifactu_records', { tipo: 'alta', environment })
    .select('sequence')
    .where('invoice_id', '=', sql.ref<string>('invoices.invoice_id'))
    .where('estado', 'in', TAKEN)
  const cancelled = db.find('invoices', { cancellation_gap: 'not_sent' })
  return db.countOf(cancelled.where(({ exists }) => exists(registrations)))
}

export type ClosedCounts = Readonly<Record<ClosedGap, number>>

/**
 * Counts the cancellations without a record that require none, by reason. Returns null if there are none, or if the
 * company never used VeriFactu.
 */
export async function countClosedGaps(db: Rows): Promise<ClosedCounts | null> {
  if (!(await currentPeriod(db))) return null
  const rows = await db
    .select('invoices')
    .select(['cancellation_gap', ({ fn }) => fn.countAll().as('n')])
    .where('cancellation_gap', 'in', CLOSED_CANCELLATION_GAPS)
    .groupBy('cancellation_gap')
    .execute()
  const counts = new Map(rows.map(({ cancellation_gap, n }) => [cancellation_gap, Number(n)]))
  const of = (gap: ClosedGap): number => counts.get(gap) ?? 0
  return rows.length === 0
    ? null
    : { sent: of('sent'), imported: of('imported'), never_registered: of('never_registered') }
}
