/** What `restore` does: puts the data back, looks at it, and lets it be served. */
import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { CuadraError } from '../../errors/index.ts'
import type { App } from '../../server/app/app.ts'
import { readConfig } from '../../server/environment/config.ts'
import { newOwner } from '../../server/environment/owner.ts'
import { fingerprintOfKey } from '../../server/environment/secrets.ts'
import { isFull } from '../../storage/faults.ts'
import type { Manifest } from '../backup/manifest.ts'
import type { RestoreRow } from '../backup/restores.ts'
import type { Since } from '../backup/since.ts'
import type { Io } from '../io.ts'
import { companiesOf, placeOf, withApp } from '../session.ts'
import { counterCommand } from './commands.ts'

async function putBackInto(io: Io, folder: string): Promise<Manifest> {
  const { readManifest } = await import('../backup/manifest.ts')
  const { RestorePlace } = await import('../backup/place.ts')
  const { putBack, requireWhole } = await import('../backup/put-back.ts')
  const config = readConfig(io.env)
  const manifest = await readManifest(folder)
  await requireWhole(folder, manifest)
  const state = { restore_id: randomUUID(), owner: newOwner() }
  const { place, isDone } = await RestorePlace.take(config, state)
  try {
    if (!isDone) await putBack(folder, manifest, config, place, state.restore_id)
  } catch (error) {
    await place.abandon()
    if (isFull(error))
      throw new CuadraError(
        `The disk of ${config.dataDir} is full, or that of the database. Nothing was restored; make room, some twenty times what the tables of the backup take, and try again.`,
      )
    throw error
  }
  await place.finish()
  return manifest
}

/** What is so after a restore, company by company. */
async function lookedAt(app: App, row: RestoreRow) {
  const { verifyCompany } = await import('../verify/run.ts')
  const { recordRestoreOf } = await import('../backup/restores.ts')
  const { lookSince, nextNumbers } = await import('../backup/since.ts')
  const looked = []
  for (const company of await companiesOf(app)) {
    // Before anything else is recorded, a check say.
    const event = await recordRestoreOf(app, company, row)
    const { ok, breaks, checks } = await verifyCompany(app, company, 'en')
    const since: Since = await lookSince(app, company, row.made_at)
    const next = await nextNumbers(app.store.of(company.id))
    looked.push({ ...since, next, event, ok, breaks, checks })
  }
  return looked
}

export type Looked = Awaited<ReturnType<typeof lookedAt>>[number]

export async function restored(io: Io, from: string) {
  const folder = resolve(from)
  const manifest = await putBackInto(io, folder)
  const { openRestore } = await import('../backup/restores.ts')
  return withApp(io, async (app) => {
    const row = await openRestore(app)
    if (!row) throw new CuadraError('The restore was accepted already, by somebody else.')
    const { made_at, program, migration, tables, files, sealed_with, problems } = manifest
    const companies = await lookedAt(app, row)
    return {
      restored: placeOf(app),
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

export type Restored = Awaited<ReturnType<typeof restored>>

/** What stands in the way of serving again, a line for each. */
function obstaclesOf({ since, problem }: { since: Since; problem: string | null }): string[] {
  const { legal_name, behind, strange, unasked } = since
  const lines = behind.map(
    (one) =>
      `${legal_name}: series ${one.series_code} would give numbers again that the tax authority has. Run \`${counterCommand(since.company_id, one)}\`.`,
  )
  for (const { num_serie } of strange)
    lines.push(
      `${legal_name}: the tax authority has ${num_serie}, which fits no series here. Set the counter of its series with \`cuadra-admin series configure\`.`,
    )
  if (unasked !== null)
    lines.push(`${legal_name}: the tax authority could not be asked what was issued since: ${unasked}`)
  if (problem !== null) lines.push(`${legal_name}: event 07 (restore) could not be recorded: ${problem}`)
  return lines
}

/** What the administrator states of numbers that were assigned after the backup. */
export interface Acceptance {
  /** Accepts although obstacles are known. */
  readonly anyway: boolean
  /** The numbers in use were compared with what customers have. */
  readonly numbersChecked: boolean
  /** How many numbers each series skips; 0 for none. */
  readonly skipNumbers: number
}

const UNSENT =
  'Numbers that were assigned after the backup and not sent to the tax authority are unknown here and there: the next invoice could get one of them again. Add `--skip-numbers N`, with N greater than the invoices of one series since the backup, or compare the next number of each series with the last invoice of your customers and add `--numbers-checked`.'

export async function accepted(app: App, { anyway, numbersChecked, skipNumbers }: Acceptance) {
  const { acceptRestores, openRestore, recordRestoreOf, skipNumbersOf } = await import(
    '../backup/restores.ts'
  )
  const { lookSince, nextNumbers } = await import('../backup/since.ts')
  const row = await openRestore(app)
  if (!row) throw new CuadraError(`Nothing waits to be accepted in ${placeOf(app)}.`)
  const obstacles: string[] = []
  const looked = []
  for (const company of await companiesOf(app)) {
    const since = await lookSince(app, company, row.made_at)
    const event = await recordRestoreOf(app, company, row)
    obstacles.push(...obstaclesOf({ since, problem: event?.problem ?? null }))
    looked.push(since)
  }
  if (!numbersChecked && skipNumbers === 0) obstacles.push(UNSENT)
  if (obstacles.length > 0 && !anyway)
    throw new CuadraError(
      `No server serves yet, since\n${obstacles.map((line) => `  ${line}`).join('\n')}\nFix this and try again. \`--anyway\` accepts all of it.`,
    )
  const companies = []
  for (const since of looked) {
    const store = app.store.of(since.company_id)
    if (skipNumbers > 0) await skipNumbersOf(store, skipNumbers)
    companies.push({ ...since, next: await nextNumbers(store) })
  }
  await acceptRestores(app)
  return { made_at: row.made_at, backup_id: row.backup_id, obstacles, skipped: skipNumbers, companies }
}

export type Accepted = Awaited<ReturnType<typeof accepted>>
