/**
 * How the installation is, in numbers that a monitor watches: what waits, for how long, what runs out. Of all companies
 * together: the metrics are not behind a key, and say nothing of one.
 */
import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Config } from '../environment/config.ts'
import { lastBackup, timestampOfBackup } from '../environment/last-backup.ts'
import type { Store } from '../store/store.ts'

/** Names with what they say. */
export const GAUGES = {
  cuadra_verifactu_pending_records: 'VeriFactu records that wait to be sent, or for their answer.',
  cuadra_verifactu_pending_oldest_seconds: 'How long the oldest of them has waited; 0 where none waits.',
  cuadra_verifactu_sending_failures:
    'Tries in a row that failed, of the company with the most of them; 0 where sending works.',
  cuadra_sii_overdue_records: 'Records for the SII whose last day is over and that were not accepted.',
  cuadra_anomalies_open: 'Places of chains in which a check has found something that is not mended.',
  cuadra_mails_waiting: 'Mails that are to be sent again.',
  cuadra_certificate_left_seconds:
    'Until the first company is without a valid certificate, of those that have one; negative once it is.',
  cuadra_authority_clock_skew_seconds:
    'The greatest difference to the clock of the tax authority, by its last answers.',
  cuadra_last_backup_timestamp_seconds:
    'When the last `cuadra-admin backup` of this data folder was made, Unix time; 0 where none was.',
  cuadra_disk_free_bytes: 'Room on the disk of the data folder.',
  cuadra_disk_size_bytes: 'Size of that disk.',
  cuadra_database_readable:
    '1 where the database answered for these numbers, else 0 and those of it are absent.',
} as const

export type Gauge = keyof typeof GAUGES
export type Readings = Partial<Record<Gauge, number>>

const seconds = (stamp: string, now: number): number =>
  Math.max(0, Math.round((now - Date.parse(`${stamp}Z`)) / 1000))

/** States are written out: a parameter would keep SQLite from the indexes that hold nothing but these. */
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

/** Milliseconds for which readings are believed: several monitors may ask. */
const KEPT = 10_000

/** Reads them, at most every ten seconds. Never rejects: what cannot be read is left out. */
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
    if (!read || now - read.at > KEPT || now < read.at) read = { at: now, readings: readAll(now) }
    return read.readings
  }
}
