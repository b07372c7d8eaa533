/**
 * Gauges of the installation for monitoring. The gauges of companies have the company id as a label, so that one
 * company whose records can never be sent does not hide the others. Inactive companies are omitted. `/metrics` needs no
 * API key, so the gauges reveal nothing else about a company.
 */
import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { createClock } from '../environment/clock.ts'
import type { Config } from '../environment/config.ts'
import { readLastBackup, timestampOfBackup } from '../environment/last-backup.ts'
import { missingCancellations } from '../store/missing-records.ts'
import type { Store } from '../store/store.ts'
import { OPEN_CANCELLATION_GAPS, type OpenGap } from '../store/tables.ts'

/** Names and help texts of the gauges that have one value per company. */
export const COMPANY_GAUGES = {
  cuadra_verifactu_pending_records: 'VeriFactu records of a company waiting to be sent or for a response.',
  cuadra_verifactu_pending_oldest_seconds: 'Age of the oldest pending VeriFactu record of a company.',
  cuadra_verifactu_sending_failures: 'Consecutive sending failures of a company.',
  cuadra_sii_overdue_records: 'Records of a company for the SII that were not accepted by their deadline.',
  cuadra_anomalies_open: 'Unresolved anomalies found by checks of the chains of a company.',
  cuadra_verifactu_cancellations_missing:
    'Cancelled invoices of a company that lack a VeriFactu cancellation record, by reason.',
  cuadra_certificate_left_seconds:
    'Time until a company with a certificate has no valid one; negative if it has expired.',
  cuadra_authority_clock_skew_seconds:
    'Difference from the clock of the tax authority, by its latest response to a company.',
} as const

/** Names and help texts of the gauges that have one value per installation. */
export const GAUGES = {
  cuadra_mails_waiting: 'Mails waiting to be sent.',
  cuadra_last_backup_timestamp_seconds:
    'Unix time of the last `cuadra-admin backup` of this data folder; 0 if there is none.',
  cuadra_disk_free_bytes: 'Free space on the disk of the data folder.',
  cuadra_disk_size_bytes: 'Size of the disk of the data folder.',
  cuadra_database_readable:
    '1 if the gauges of the database could be read; otherwise 0, and those gauges are absent.',
  cuadra_database_writable: '0 if the database has refused a change as read-only, and accepted none since.',
  cuadra_database_damaged: '1 if this process has met damaged data since its start.',
} as const

export type CompanyGauge = keyof typeof COMPANY_GAUGES

/** Labels of the gauges that have one value per company. */
export const COMPANY_LABELS = ['company_id', 'reason'] as const

/** The value of one gauge for one company. */
export interface CompanyReading {
  readonly gauge: CompanyGauge
  readonly labels: { readonly company_id: string; readonly reason?: OpenGap }
  readonly value: number
}

export interface Readings {
  readonly installation: Partial<Record<keyof typeof GAUGES, number>>
  readonly companies: readonly CompanyReading[]
}

const seconds = (stamp: string, now: number): number =>
  Math.max(0, Math.round((now - Date.parse(`${stamp}Z`)) / 1000))

/** Counts the missing cancellation records. Few companies have any, so one query per company is fast enough. */
async function cancellationsMissing(store: Store): Promise<CompanyReading[]> {
  const companies = await store
    .acrossCompanies('the metrics name every company with a problem')
    .selectFrom('invoices')
    .select('company_id')
    .distinct()
    .where('cancellation_gap', 'in', OPEN_CANCELLATION_GAPS)
    .execute()
  const counts: CompanyReading[] = []
  for (const { company_id } of companies) {
    const missing = await missingCancellations(store.of(company_id))
    for (const reason of new Set(missing.map((gap) => gap.reason)))
      counts.push({
        gauge: 'cuadra_verifactu_cancellations_missing',
        labels: { company_id, reason },
        value: missing.filter((gap) => gap.reason === reason).length,
      })
  }
  return counts
}

type Database = ReturnType<Store['acrossCompanies']>

const of = (gauge: CompanyGauge, company_id: string, value: number): CompanyReading => ({
  gauge,
  labels: { company_id },
  value,
})

/** Returns the gauge values of the queues to the tax authority. */
async function ofQueues(db: Database): Promise<CompanyReading[]> {
  const queues = await db
    .selectFrom('verifactu_queues')
    .select(({ fn }) => [
      'company_id',
      fn.max('failures').as('failures'),
      fn.max('skew_ms').as('ahead'),
      fn.min('skew_ms').as('behind'),
    ])
    .groupBy('company_id')
    .execute()
  return queues.flatMap(({ company_id, failures, ahead, behind }) => [
    of('cuadra_verifactu_sending_failures', company_id, Number(failures)),
    of(
      'cuadra_authority_clock_skew_seconds',
      company_id,
      Math.max(Math.abs(Number(ahead)), Math.abs(Number(behind))) / 1000,
    ),
  ])
}

async function waitingMails(db: Database): Promise<number> {
  const { n } = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll().as('n'))
    .where('state', 'in', [sql.lit<'pending'>('pending'), sql.lit<'sending'>('sending')])
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Returns the gauges of records, anomalies and certificates. SQLite uses partial indexes only for literal statuses. */
async function ofRows(db: Database, now: number): Promise<CompanyReading[]> {
  const today = createClock(() => now).today()
  const pending = await db
    .selectFrom('verifactu_records')
    .select(({ fn }) => ['company_id', fn.countAll().as('n'), fn.min('created_at').as('oldest')])
    .where('estado', '=', sql.lit('pending'))
    .groupBy('company_id')
    .execute()
  const overdue = await db
    .selectFrom('sii_records')
    .select(({ fn }) => ['company_id', fn.countAll().as('n')])
    .where('status', '=', sql.lit('pending'))
    .where('deadline', '<', today)
    .groupBy('company_id')
    .execute()
  const anomalies = await db
    .selectFrom('verifactu_anomalies')
    .select(({ fn }) => ['company_id', fn.countAll().as('n')])
    .where('resolved_at', 'is', null)
    .groupBy('company_id')
    .execute()
  const certificates = await db
    .selectFrom('certificates')
    .select([
      'company_id',
      // The self-signed certificate counts only if the company has no other certificate.
      sql<string>`coalesce(max(case when self_signed = 0 then valid_to end), max(valid_to))`.as('until'),
    ])
    .groupBy('company_id')
    .execute()
  return [
    ...pending.flatMap(({ company_id, n, oldest }) => [
      of('cuadra_verifactu_pending_records', company_id, Number(n)),
      of('cuadra_verifactu_pending_oldest_seconds', company_id, seconds(oldest, now)),
    ]),
    ...overdue.map(({ company_id, n }) => of('cuadra_sii_overdue_records', company_id, Number(n))),
    ...anomalies.map(({ company_id, n }) => of('cuadra_anomalies_open', company_id, Number(n))),
    ...certificates.map(({ company_id, until }) =>
      of('cuadra_certificate_left_seconds', company_id, Math.round((Date.parse(`${until}Z`) - now) / 1000)),
    ),
  ]
}

/** Returns the ids of inactive companies. */
async function inactiveCompanies(db: Database): Promise<ReadonlySet<string>> {
  // In JSON, quotation marks inside a text are escaped, so the pattern matches only the member `is_active` itself.
  const rows = await db
    .selectFrom('companies')
    .select('company_id')
    .where('data', 'like', sql.lit('%"is_active":false%'))
    .execute()
  return new Set(rows.map(({ company_id }) => company_id))
}

async function ofDatabase(store: Store, now: number) {
  const db = store.acrossCompanies('the metrics name every active company with a problem')
  const readings = [
    ...(await ofQueues(db)),
    ...(await ofRows(db, now)),
    ...(await cancellationsMissing(store)),
  ]
  const inactive = await inactiveCompanies(db)
  return {
    mails: await waitingMails(db),
    companies: readings.filter(({ labels }) => !inactive.has(labels.company_id)),
  }
}

/** Milliseconds for which values are cached, because several monitoring systems may read them. */
const CACHE_MS = 10_000

/**
 * Returns a function that reads the gauges from the store at most every ten seconds. It never rejects. Gauges that
 * cannot be read are omitted.
 */
export function createGauges(config: Pick<Config, 'dataDir'>, store: Store): () => Promise<Readings> {
  let read: { readonly at: number; readonly readings: Promise<Readings> } | undefined
  const readAll = async (now: number): Promise<Readings> => {
    const backup = readLastBackup(config)
    const disk = await statfs(config.dataDir).catch(() => null)
    const rows = await ofDatabase(store, now).catch(() => null)
    const installation = {
      ...(rows ? { cuadra_mails_waiting: rows.mails } : {}),
      cuadra_database_readable: rows ? 1 : 0,
      cuadra_database_writable: store.faults.errorOf('read_only') ? 0 : 1,
      cuadra_database_damaged: store.faults.errorOf('damaged') ? 1 : 0,
      cuadra_last_backup_timestamp_seconds: backup ? Math.round(timestampOfBackup(backup) / 1000) : 0,
      ...(disk
        ? {
            cuadra_disk_free_bytes: disk.bavail * disk.bsize,
            cuadra_disk_size_bytes: disk.blocks * disk.bsize,
          }
        : {}),
    }
    return { installation, companies: rows?.companies ?? [] }
  }
  return () => {
    const now = Date.now()
    if (!read || now - read.at > CACHE_MS || now < read.at) read = { at: now, readings: readAll(now) }
    return read.readings
  }
}
