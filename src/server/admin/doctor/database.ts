/** The database: there, of the right version, with the right time, and accepted after a restore. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { App } from '../../app/app.ts'
import type { Config } from '../../environment/config.ts'
import { fileProblem, isAway, isDamaged } from '../../store/faults.ts'
import { VERSION, versionOfTables } from '../../store/migrate.ts'
import { DATABASE_FILE, openBare } from '../../store/store.ts'
import { bad, type Finding, lasting, ok, sized, warning } from './finding.ts'

/** Looks without bringing it to the version of this program. */
export async function versionFindingOf(config: Config): Promise<Finding> {
  const place = config.databaseUrl ? 'the database of CUADRA_DATABASE_URL' : config.dataDir
  const none = (check: string): Finding =>
    bad(
      check,
      `There is no database of cuadra in ${place}`,
      'Most likely this is not the place that the server uses.',
      'Run doctor with the environment of the server (CUADRA_DATA_DIR, CUADRA_DATABASE_URL), or start the server once.',
    )
  const file = join(config.dataDir, DATABASE_FILE)
  if (!config.databaseUrl && !existsSync(file)) return none('database')
  try {
    const db = await openBare(config)
    try {
      const version = await versionOfTables(db)
      if (version === 0) return none('database')
      if (version < VERSION)
        return warning(
          'database_version',
          `The tables have version ${version}, this program works with ${VERSION}`,
          'The next start of a server, or another command, brings them to it; the earlier program does not take them then.',
          'Make a backup with the program that is installed now, then start the new one.',
        )
    } finally {
      await db.destroy()
    }
    const size = config.databaseUrl
      ? ''
      : `, ${sized(statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0))}`
    return ok('database', `${config.databaseUrl ? 'PostgreSQL' : file}, tables version ${VERSION}${size}`)
  } catch (error) {
    const { message } = error as Error
    const isOfFile = !config.databaseUrl
    if (isOfFile && isDamaged(error)) throw error
    return bad(
      'database',
      isOfFile ? `${file} cannot be used` : 'The database cannot be used',
      isAway(error)
        ? `It cannot be reached: ${message || 'nobody answers'}.`
        : (fileProblem(error) ?? message),
      isAway(error) ? 'Start it, or mend CUADRA_DATABASE_URL.' : 'See above.',
    )
  }
}

const MINUTE = 60_000

/** The clock of this machine beside that of the database, and that of the authority by its last answers. */
export async function clockOf({ store, clock }: App): Promise<Finding[]> {
  const findings: Finding[] = []
  const why =
    'Records whose moment is wrong come back with an error (2004); a series whose last number has a later date issues nothing (503 clock_behind).'
  const mend = 'Let the machine keep its time by NTP (timedatectl set-ntp true).'
  const db = store.acrossCompanies('doctor looks at every company')
  if (store.kind === 'postgres') {
    const { rows } = await sql<{ ms: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`.execute(store.shared)
    const drift = clock.now() - Number(rows[0]?.ms ?? clock.now())
    const what = `The clock of this machine and that of the database differ by ${Math.abs(drift / 1000).toFixed(1)} s`
    findings.push(
      Math.abs(drift) > MINUTE
        ? bad('clock', what, why, mend)
        : Math.abs(drift) > 5000
          ? warning('clock', what, why, mend)
          : ok('clock', what),
    )
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
    const what = `The clock of this machine was ${Math.abs(skew / 1000).toFixed(1)} s ${skew > 0 ? 'ahead of' : 'behind'} that of the tax authority (${updated_at.slice(0, 16)} UTC)`
    findings.push(
      Math.abs(skew) > MINUTE ? bad('clock_authority', what, why, mend) : ok('clock_authority', what),
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
      bad(
        'clock_behind',
        `Series ${ahead.series_code} of ${ahead.company_id} has a number of ${ahead.last_date}, which is after today`,
        'The clock was ahead once, or is behind now: nothing can be issued in that series for long.',
        mend,
      ),
    )
  const newest = await db
    .selectFrom('verifactu_records')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .executeTakeFirst()
  const before = newest?.at ? Date.parse(`${newest.at}Z`) - clock.now() : 0
  if (before > MINUTE)
    findings.push(
      bad(
        'clock_behind',
        `The last record was made ${lasting(before)} after now, on ${newest?.at?.slice(0, 16)} UTC`,
        'The clock is behind, or was ahead when that record was made. The records themselves are as they were.',
        mend,
      ),
    )
  if (findings.length === 0)
    findings.push(ok('clock', `${new Date(clock.now()).toISOString().slice(0, 16)} UTC`))
  return findings
}

export async function acceptedOf({ store }: App): Promise<Finding[]> {
  const row = await store.shared
    .selectFrom('restores')
    .select(['made_at'])
    .where('accepted_at', 'is', null)
    .executeTakeFirst()
  return row
    ? [
        bad(
          'restore',
          `Restored from the backup of ${row.made_at.slice(0, 16)} UTC, and not accepted`,
          'No server serves: what was issued after the backup is not known here.',
          'See docs/operations.md, then run `cuadra-admin restore --accept`.',
        ),
      ]
    : []
}

/** Whether anybody serves. */
export async function processesOf({ store, clock }: App, alive: number): Promise<Finding> {
  const { seen } = await store.shared
    .selectFrom('processes')
    .select(({ fn }) => fn.max('seen_ms').as('seen'))
    .executeTakeFirstOrThrow()
  if (alive > 0) return ok('server', `${alive} process${alive === 1 ? '' : 'es'} serving`)
  return warning(
    'server',
    seen
      ? `No server runs; the last sign of life is ${lasting(clock.now() - Number(seen))} old`
      : 'No server runs',
    'What waits for the tax authority is not sent.',
    'Start one.',
  )
}
