/**
 * Gauges of the installation for monitoring, as totals of all companies. The metrics need no API key, so they must not
 * reveal anything about a single company.
 */
import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Config } from '../environment/config.ts'
import { lastBackup, timestampOfBackup } from '../environment/last-backup.ts'
import type { Store } from '../store/store.ts'

/** Metric names with their help texts. */
export const GAUGES = {
  cuadra_verifactu_pending_records: 'VeriFactu records waiting to be sent or for a response.',
  cuadra_verifactu_pending_oldest_seconds:
    'Age of the oldest pending VeriFactu record; 0 if none is pending.',
  cuadra_verifactu_sending_failures:
    'Consecutive sending failures of the company with the most; 0 if sending works.',
  cuadra_sii_overdue_records: 'Records for the SII that were not accepted by their deadline.',
  cuadra_anomalies_open: 'Unresolved anomalies found by checks of the chains.',
  cuadra_mails_waiting: 'Mails waiting to be sent.',
  cuadra_certificate_left_seconds:
    'Time until the first company with a certificate has no valid one; negative if it has expired.',
  cuadra_authority_clock_skew_seconds:
    'Largest difference from the clock of the tax authority, by its latest responses.',
  cuadra_last_backup_timestamp_seconds:
    'Unix time of the last `cuadra-admin backup` of this data folder; 0 if there is none.',
  cuadra_disk_free_bytes: 'Free space on the disk of the data folder.',
  cuadra_disk_size_bytes: 'Size of the disk of the data folder.',
  cuadra_database_readable:
    '1 if the gauges of the database could be read; otherwise 0, and those gauges are absent.',
} as const

export type Gauge = keyof typeof GAUGES
export type Readings = Partial<Record<Gauge, number>>

const seconds = (stamp: string, now: number): number =>
  Math.max(0, Math.round((now - Date.parse(`${stamp}Z`)) / 1000))

/** Statuses are literals, because SQLite would not use the partial indexes with parameters. */
async function ofDatabase(store: Store, now: number): Promise<Readings> {
  const db = store.acrossCompanies('the metrics are of all companies together')
  const today = new Date(now).toISOString().slice(0, 10)
  const count = ({ n }: { readonly n: unknown }): number => Number(n)
  const pending = await db
    .selectFrom('verifactu_records')
    .select(({ fn }) => [fn.countAll().as('n'), fn.min('created_at').as('oldest')])
    .where('estado', '=', sql.lit('pending'))
    .executeTakeFirstOrThrow()
  const queue = await db
    .selectFrom('verifactu_queues')
    .select(({ fn }) => [
      fn.max('failures').as('failures'),
      fn.max('skew_ms').as('ahead'),
      fn.min('skew_ms').as('behind'),
    ])
    .executeTakeFirstOrThrow()
  const overdue = await db
    .selectFrom('sii_records')
    .select(({ fn }) => fn.countAll().as('n'))
    .where('status', '=', sql.lit('pending'))
    .where('deadline', '<', today)
    .executeTakeFirstOrThrow()
  const anomalies = await db
    .selectFrom('verifactu_anomalies')
    .select(({ fn }) => fn.countAll().as('n'))
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow()
  const mails = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll().as('n'))
    .where('state', 'in', [sql.lit<'pending'>('pending'), sql.lit<'sending'>('sending')])
    .executeTakeFirstOrThrow()
  const certificates = await db
    .selectFrom('certificates')
    .select(({ fn }) => fn.max('valid_to').as('until'))
    .groupBy('company_id')
    .execute()
  const ends = certificates.map(({ until }) => (Date.parse(`${until}Z`) - now) / 1000)
  const skew = Math.max(Math.abs(Number(queue.ahead ?? 0)), Math.abs(Number(queue.behind ?? 0)))
  return {
    cuadra_verifactu_pending_records: count(pending),
    cuadra_verifactu_pending_oldest_seconds: pending.oldest ? seconds(pending.oldest, now) : 0,
    cuadra_verifactu_sending_failures: Number(queue.failures ?? 0),
    cuadra_sii_overdue_records: count(overdue),
    cuadra_anomalies_open: count(anomalies),
    cuadra_mails_waiting: count(mails),
    cuadra_authority_clock_skew_seconds: skew / 1000,
    ...(ends.length > 0 ? { cuadra_certificate_left_seconds: Math.round(Math.min(...ends)) } : {}),
  }
}

/** Milliseconds for which values are cached, since several monitoring systems may read them. */
const CACHE_MS = 10_000

/**
 * Returns a function that reads the gauges from the store at most every ten seconds. It never rejects. Gauges that
 * cannot be read are omitted.
 */
export function createGauges(config: Pick<Config, 'dataDir'>, store: Store): () => Promise<Readings> {
  let read: { readonly at: number; readonly readings: Promise<Readings> } | undefined
  const readAll = async (now: number): Promise<Readings> => {
    const backup = lastBackup(config)
    const disk = await statfs(config.dataDir).catch(() => null)
    const rows = await ofDatabase(store, now).catch(() => null)
    return {
      ...rows,
      cuadra_database_readable: rows ? 1 : 0,
      cuadra_last_backup_timestamp_seconds: backup ? Math.round(timestampOfBackup(backup) / 1000) : 0,
      ...(disk
        ? {
            cuadra_disk_free_bytes: disk.bavail * disk.bsize,
            cuadra_disk_size_bytes: disk.blocks * disk.bsize,
          }
        : {}),
    }
  }
  return () => {
    const now = Date.now()
    if (!read || now - read.at > CACHE_MS || now < read.at) read = { at: now, readings: readAll(now) }
    return read.readings
  }
}
