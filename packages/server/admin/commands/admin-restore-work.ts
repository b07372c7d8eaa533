/** Implements `restore`: restores the data, checks them, and accepts the restore. */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { isDiskFull } from 'cuadra-storage/storage-faults.ts'
import { CuadraError } from '#core/errors/index.ts'
import type { App } from '../../src/app/app.ts'
import { readConfig } from '../../src/environment/config.ts'
import { newOwnerName } from '../../src/environment/process-owner.ts'
import { fingerprintOfKey } from '../../src/environment/secrets.ts'
import type { Manifest } from '../backup/manifest.ts'
import type { RestoreRow } from '../backup/restores.ts'
import type { SinceBackup } from '../backup/since.ts'
import type { Io } from '../io.ts'
import { companiesOf, databaseLocationOf, withApp } from '../session.ts'
import { counterCommand } from './commands.ts'

async function restoreInto(io: Io, folder: string): Promise<Manifest> {
  const { readManifest } = await import('../backup/manifest.ts')
  const { RestoreTarget } = await import('../backup/target.ts')
  const { restoreBackup, requireIntact } = await import('../backup/restore.ts')
  const config = readConfig(io.env)
  const manifest = await readManifest(folder)
  await requireIntact(folder, manifest)
  const state = { restore_id: randomUUID(), owner: newOwnerName() }
  const { target, isDone } = await RestoreTarget.claim(config, state)
  try {
    if (!isDone) await restoreBackup(folder, manifest, config, target, state.restore_id)
  } catch (error) {
    await target.abandon()
    if (isDiskFull(error))
      throw new CuadraError(
        `The disk of ${config.dataDir} is full, or that of the database. Nothing was restored. Free about twenty times the size of the tables in the backup, and try again.`,
      )
    throw error
  }
  await target.finish()
  return manifest
}

/** Checks every company after its data was restored. */
async function checkCompanies(app: App, row: RestoreRow) {
  const { verifyCompany } = await import('../verify/verify-run.ts')
  const { recordRestoreEvent } = await import('../backup/restores.ts')
  const { checkSinceBackup, nextNumbers } = await import('../backup/since.ts')
  const checked = []
  for (const company of await companiesOf(app)) {
    // The restore must be recorded before any other event, such as that of a check.
    const event = await recordRestoreEvent(app, company, row)
    const { ok, failures, checks } = await verifyCompany(app, company, 'en')
    const since: SinceBackup = await checkSinceBackup(app, company, row.made_at)
    const next = await nextNumbers(app.store.of(company.id))
    checked.push({ ...since, next, event, ok, failures, checks })
  }
  return checked
}

export type CheckedCompany = Awaited<ReturnType<typeof checkCompanies>>[number]

export async function restoreFrom(io: Io, from: string) {
  const folder = resolve(from)
  const manifest = await restoreInto(io, folder)
  const { unacceptedRestoreOf } = await import('../backup/restores.ts')
  return withApp(io, async (app) => {
    const row = await unacceptedRestoreOf(app)
    if (!row) throw new CuadraError('The restore has already been accepted by another command.')
    const { made_at, program, migration, tables, files, sealed_with, problems } = manifest
    const companies = await checkCompanies(app, row)
    return {
      restored: databaseLocationOf(app),
      from: folder,
      backup_id: manifest.backup_id,
      made_at,
      program,
      migration,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      files: files.count,
      problems,
      sealed_with,
      key_fits: sealed_with === null || fingerprintOfKey(app.config) === sealed_with,
      ok: companies.every(({ ok }) => ok),
      companies,
    }
  })
}

export type RestoreResult = Awaited<ReturnType<typeof restoreFrom>>

/** Returns the reasons not to accept the restore, one per line. */
function obstaclesOf({ since, problem }: { since: SinceBackup; problem: string | null }): string[] {
  const { legal_name, counters_to_advance, unmatched, comparison_error } = since
  const lines = counters_to_advance.map(
    (one) =>
      `${legal_name}: series ${one.series_code} would assign numbers that the tax authority already has. Run \`${counterCommand(since.company_id, one)}\`.`,
  )
  for (const { num_serie } of unmatched)
    lines.push(
      `${legal_name}: the tax authority has ${num_serie}, which fits no series here. Set the counter of its series with \`cuadra-admin series configure\`.`,
    )
  if (comparison_error !== null)
    lines.push(
      `${legal_name}: invoices issued since are unknown, as the tax authority could not be queried: ${comparison_error}`,
    )
  if (problem !== null) lines.push(`${legal_name}: event 07 (restore) could not be recorded: ${problem}`)
  return lines
}

/** The administrator's decision on the numbers assigned after the backup. */
export interface Acceptance {
  /** Accepts the restore despite obstacles. */
  readonly anyway: boolean
  /** Whether the administrator compared the next numbers with the invoices of customers. */
  readonly numbersChecked: boolean
  /** Number of invoice numbers to skip in each series. */
  readonly skipNumbers: number
}

const UNSENT =
  'Numbers assigned after the backup but not sent to the tax authority are unknown, so the next invoice could repeat one. Add `--skip-numbers N`, with N greater than the invoices of any series since the backup. Or compare the next number of each series with the last invoices of your customers, and add `--numbers-checked`.'

export async function acceptRestored(app: App, { anyway, numbersChecked, skipNumbers }: Acceptance) {
  const { acceptRestores, unacceptedRestoreOf, recordRestoreEvent, skipNumbersOf } = await import(
    '../backup/restores.ts'
  )
  const { checkSinceBackup, nextNumbers } = await import('../backup/since.ts')
  const row = await unacceptedRestoreOf(app)
  if (!row) throw new CuadraError(`No restore to accept in ${databaseLocationOf(app)}.`)
  const obstacles: string[] = []
  const checked = []
  for (const company of await companiesOf(app)) {
    const since = await checkSinceBackup(app, company, row.made_at)
    const event = await recordRestoreEvent(app, company, row)
    obstacles.push(...obstaclesOf({ since, problem: event?.problem ?? null }))
    checked.push(since)
  }
  if (!numbersChecked && skipNumbers === 0) obstacles.push(UNSENT)
  if (obstacles.length > 0 && !anyway)
    throw new CuadraError(
      `The restore cannot be accepted yet:\n${obstacles.map((line) => `  ${line}`).join('\n')}\nFix these and try again, or add \`--anyway\` to ignore them.`,
    )
  const companies = []
  for (const since of checked) {
    const store = app.store.of(since.company_id)
    if (skipNumbers > 0) await skipNumbersOf(store, skipNumbers)
    companies.push({ ...since, next: await nextNumbers(store) })
  }
  await acceptRestores(app, skipNumbers)
  return { made_at: row.made_at, backup_id: row.backup_id, obstacles, skipped: skipNumbers, companies }
}

export type AcceptanceResult = Awaited<ReturnType<typeof acceptRestored>>
