/** The database: there, of the right version, with the right time, and accepted after a restore. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { App } from '../../server/app/app.ts'
import type { Config } from '../../server/environment/config.ts'
import { VERSION, versionOfTables } from '../../server/store/migrate.ts'
import { DATABASE_FILE, openBare } from '../../server/store/store.ts'
import { fileProblem, isAway, isDamaged } from '../../storage/faults.ts'
import { counted, dated, decimal, type Found, finding, lasting, sized } from './finding.ts'
import { PARTS } from './words.ts'

/** Looks without bringing it to the version of this program. */
export async function versionFindingOf(config: Config): Promise<Found> {
  const isOfFile = !config.databaseUrl
  const file = join(config.dataDir, DATABASE_FILE)
  const none = finding('error', 'database.none', { place: isOfFile ? config.dataDir : PARTS.url })
  if (isOfFile && !existsSync(file)) return none
  try {
    const db = await openBare(config)
    try {
      const version = await versionOfTables(db)
      if (version === 0) return none
      if (version < VERSION) return finding('warning', 'database_version', { version, own: VERSION })
    } finally {
      await db.destroy()
    }
    if (!isOfFile) return finding('ok', 'database.postgres', { version: VERSION })
    const size = statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)
    return finding('ok', 'database', { file, version: VERSION, size: sized(size) })
  } catch (error) {
    const { message } = error as Error
    if (isOfFile && isDamaged(error)) throw error
    const database = isOfFile ? file : PARTS.database
    return isAway(error)
      ? finding('error', 'database.away', { database, message: message || PARTS.silent })
      : finding('error', 'database.unusable', { database, message: fileProblem(error) ?? message })
  }
}

const MINUTE = 60_000

/** The clock of this machine beside that of the database, and that of the authority by its last answers. */
export async function clockOf({ store, clock }: App): Promise<Found[]> {
  const findings: Found[] = []
  const db = store.acrossCompanies('doctor looks at every company')
  if (store.kind === 'postgres') {
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`.execute(store.shared)
    const drift = Math.abs(clock.now() - Number(rows[0]?.ms ?? clock.now()))
    const level = drift > MINUTE ? 'error' : drift > 5000 ? 'warning' : 'ok'
    findings.push(finding(level, 'clock.database', { seconds: decimal(drift / 1000) }))
  }
  const queues = await db
    .selectFrom('verifactu_queues')
    .select(['skew_ms', 'updated_at'])
    .where('skew_ms', '!=', 0)
    .orderBy('updated_at', 'desc')
    .limit(1)
    .execute()
  for (const { skew_ms, updated_at } of queues) {
    const skew = Number(skew_ms)
    findings.push(
      finding(
        Math.abs(skew) > MINUTE ? 'error' : 'ok',
        skew > 0 ? 'clock_authority.ahead' : 'clock_authority.behind',
        { seconds: decimal(Math.abs(skew / 1000)), at: dated(updated_at.slice(0, 16)) },
      ),
    )
  }
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
        date: dated(ahead.last_date ?? ''),
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
      finding('error', 'clock_behind.record', { before: lasting(before), at: dated(at.slice(0, 16)) }),
    )
  if (findings.length === 0)
    findings.push(finding('ok', 'clock', { now: dated(new Date(clock.now()).toISOString().slice(0, 16)) }))
  return findings
}

export async function acceptedOf({ store }: App): Promise<Found[]> {
  const row = await store.shared
    .selectFrom('restores')
    .select(['made_at'])
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  return row ? [finding('error', 'restore.open', { made: dated(row.made_at.slice(0, 16)) })] : []
}

/** Whether anybody serves. */
export async function processesOf({ store, clock }: App, alive: number): Promise<Found> {
  const { seen } = await store.shared
    .selectFrom('processes')
    .select(({ fn }) => fn.max('seen_ms').as('seen'))
    .executeTakeFirstOrThrow()
  if (alive > 0) return finding('ok', 'server', { processes: counted(alive, 'process') })
  return seen
    ? finding('warning', 'server.silent', { age: lasting(clock.now() - Number(seen)) })
    : finding('warning', 'server.none')
}
