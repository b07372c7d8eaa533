/** Checks the database: availability, version, clock, and acceptance of a restore. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { checkIntegrity } from 'cuadra-storage/integrity.ts'
import {
  damagedDatabase,
  fileProblem,
  isDamaged,
  isDatabaseUnreachable,
} from 'cuadra-storage/storage-faults.ts'
import { sql } from 'kysely'
import type { App } from '../../src/app/app.ts'
import type { Config } from '../../src/environment/config.ts'
import { type FoundTables, type Steps, statusOf, tablesVersion, VERSION } from '../../src/store/migrate.ts'
import { DATABASE_FILE, openUnmigrated } from '../../src/store/store.ts'
import { PARTS } from '../generated/texts/doctor.ts'
import {
  type BilingualFinding,
  countText,
  decimalText,
  durationText,
  finding,
  levelFor,
  localDateText,
  sizeText,
  timestampText,
} from './doctor-finding.ts'

type AllCompanies = ReturnType<App['store']['acrossCompanies']>

/** Returns the version of the tables, without migrating them. */
async function versionOf(config: Config): Promise<FoundTables> {
  const db = await openUnmigrated(config)
  try {
    return await tablesVersion(db)
  } finally {
    await db.destroy()
  }
}

/** Returns the finding about the availability and version of the database. Tests pass `steps`. */
export async function versionFinding(config: Config, steps?: Steps): Promise<BilingualFinding> {
  const file = config.databaseUrl ? undefined : join(config.dataDir, DATABASE_FILE)
  const none = finding('error', 'database.none', { place: file ? config.dataDir : PARTS.url })
  if (file && !existsSync(file)) return none
  let found: FoundTables
  try {
    found = await versionOf(config)
  } catch (error) {
    return unusableFinding(error, file)
  }
  const status = statusOf(found, steps)
  if (status === 'none') return none
  if (status !== 'current')
    return finding(status === 'earlier' ? 'warning' : 'error', `database_version.${status}`, {
      version: found.version,
    })
  if (!file) return finding('ok', 'database.postgres', { version: VERSION })
  const size = statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  return finding('ok', 'database', { file, version: VERSION, size: sizeText(size) })
}

/**
 * Returns the finding that states why a database cannot be used. Damage has its own finding, so its error is rethrown.
 */
function unusableFinding(error: unknown, file: string | undefined): BilingualFinding {
  const { message } = error as Error
  if (isDamaged(error)) throw error
  const database = file ?? PARTS.database
  return isDatabaseUnreachable(error)
    ? finding('error', 'database.away', { database, message: message || PARTS.silent })
    : finding('error', 'database.unusable', { database, message: fileProblem(error) ?? message })
}

const MINUTE = 60_000
/** Maximum milliseconds for checking all pages of the embedded database. */
const CHECK_MS = 20_000

/** Checks all pages of the embedded database. Throws an error if the database is damaged. */
export async function pageFindings({ databaseUrl, dataDir }: Config): Promise<BilingualFinding[]> {
  if (databaseUrl) return []
  const file = join(dataDir, DATABASE_FILE)
  const found = await checkIntegrity(file, CHECK_MS)
  if (found === undefined) return [finding('ok', 'database.not_finished', { seconds: CHECK_MS / 1000 })]
  if (found !== 'ok') throw damagedDatabase(file, new Error(found))
  return []
}

/** Returns findings about page checksums and failures of PostgreSQL, and about whether it accepts changes. */
export async function postgresFindings({ store }: App): Promise<BilingualFinding[]> {
  if (store.kind !== 'postgres') return []
  const { rows } = await sql<{ read_only: string; checksums: string; failures: number | null }>`
    select current_setting('transaction_read_only') as read_only, current_setting('data_checksums') as checksums,
      checksum_failures as failures
    from pg_stat_database where datname = current_database()`.execute(
    store.acrossCompanies('this reads only the settings of the database'),
  )
  return rows.flatMap(({ read_only, checksums, failures }) => [
    ...(read_only === 'on' ? [finding('error', 'database.read_only')] : []),
    ...(checksums === 'off' ? [finding('warning', 'database.no_checksums')] : []),
    ...(Number(failures) > 0
      ? [finding('error', 'database.checksum_failures', { failures: Number(failures) })]
      : []),
  ])
}

/** Compares the clock of this machine with that of the database. */
async function databaseClockFindings({ store, clock }: App): Promise<BilingualFinding[]> {
  if (store.kind !== 'postgres') return []
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`.execute(
    store.acrossCompanies('this reads only the clock'),
  )
  const drift = Math.abs(clock.now() - Number(rows[0]?.ms ?? clock.now()))
  return [finding(levelFor(drift, 5000, MINUTE), 'clock.database', { seconds: decimalText(drift / 1000) })]
}

/** Compares the clock of this machine with that of the authority, according to the authority's last response. */
async function authorityClockFindings(db: AllCompanies): Promise<BilingualFinding[]> {
  const queue = await db
    .selectFrom('verifactu_queues')
    .select(['skew_ms', 'updated_at'])
    .where('skew_ms', '!=', 0)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!queue) return []
  const skew = Number(queue.skew_ms)
  const name = skew > 0 ? 'clock_authority.ahead' : 'clock_authority.behind'
  const values = {
    seconds: decimalText(Math.abs(skew / 1000)),
    at: localDateText(queue.updated_at.slice(0, 16)),
  }
  return [finding(Math.abs(skew) > MINUTE ? 'error' : 'ok', name, values)]
}

/** Returns findings about series and records dated in the future. */
async function clockSetBackFindings(db: AllCompanies, { clock }: App): Promise<BilingualFinding[]> {
  const findings: BilingualFinding[] = []
  const ahead = await db
    .selectFrom('series')
    .select(['company_id', 'series_code', 'last_date'])
    .where('last_date', '>', clock.today())
    .limit(1)
    .executeTakeFirst()
  if (ahead)
    findings.push(
      finding('error', 'clock_behind.series', {
        series: ahead.series_code,
        company: ahead.company_id,
        date: localDateText(ahead.last_date ?? ''),
      }),
    )
  const newest = await db
    .selectFrom('verifactu_records')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .executeTakeFirst()
  const at = newest?.at ?? ''
  const before = at ? Date.parse(`${at}Z`) - clock.now() : 0
  if (before > MINUTE)
    findings.push(
      finding('error', 'clock_behind.record', {
        before: durationText(before),
        at: localDateText(at.slice(0, 16)),
      }),
    )
  return findings
}

/** Compares the clock of this machine with all other clocks that are known. */
export async function clockFindings(app: App): Promise<BilingualFinding[]> {
  const db = app.store.acrossCompanies('doctor checks every company')
  const findings = [
    ...(await databaseClockFindings(app)),
    ...(await authorityClockFindings(db)),
    ...(await clockSetBackFindings(db, app)),
  ]
  return findings.length > 0 ? findings : [finding('ok', 'clock', { now: timestampText(app.clock.now()) })]
}

export async function restoreFindings({ store }: App): Promise<BilingualFinding[]> {
  const row = await store.shared
    .selectFrom('restores')
    .select(['made_at'])
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  return row ? [finding('error', 'restore.open', { made: localDateText(row.made_at.slice(0, 16)) })] : []
}

/** Returns the finding about running servers. */
export async function processesFinding({ store, clock }: App, alive: number): Promise<BilingualFinding> {
  const { seen } = await store.shared
    .selectFrom('processes')
    .select(({ fn }) => fn.max('seen_ms').as('seen'))
    .executeTakeFirstOrThrow()
  if (alive > 0) return finding('ok', 'server', { processes: countText(alive, 'process') })
  return seen
    ? finding('warning', 'server.silent', { age: durationText(clock.now() - Number(seen)) })
    : finding('warning', 'server.none')
}
