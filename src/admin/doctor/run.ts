/** Runs all checks of `doctor`. Changes nothing, and upgrades no database. */
import { existsSync } from 'node:fs'
import type { Locale } from '../../invoice/index.ts'
import type { App } from '../../server/app/app.ts'
import type { Config } from '../../server/environment/config.ts'
import { allTaxpayers } from '../../server/service/company/company.ts'
import { processesNow } from '../../server/service/verifactu/processes.ts'
import { isAway, isDamaged } from '../../storage/faults.ts'
import { damaged, requireCompany, withOpenApp } from '../session.ts'
import { companyFindings } from './company.ts'
import { acceptedOf, clockOf, processesOf, versionFindingOf } from './database.ts'
import { type Finding, type Found, finding, inLocale } from './finding.ts'
import { diskOf, permissionsOf } from './machine.ts'
import { backupOf, halfRestoreOf, settingsOf } from './settings.ts'

async function ofApp(app: App, locale: Locale): Promise<Found[]> {
  const { alive } = await processesNow(app.store.shared, app)
  const findings = [
    await processesOf(app, alive.length),
    ...(await acceptedOf(app)),
    ...(await clockOf(app).catch((error: Error) => {
      if (isDamaged(error)) throw error
      return [finding('warning', 'clock.unread', { message: error.message })]
    })),
  ]
  // A company that cannot be read does not prevent the checks of the others.
  for (const { taxpayer_id: company_id } of await allTaxpayers(app.store.shared))
    try {
      findings.push(
        ...(await companyFindings(app, await requireCompany(app, app.store.of(company_id)), locale)),
      )
    } catch (error) {
      if (isDamaged(error as Error)) throw error
      const { message } = error as Error
      const name = isAway(error) ? 'company.away' : 'company.unread'
      findings.push({ ...finding('error', name, { message }), company_id })
    }
  return findings
}

async function findingsOf(config: Config, locale: Locale): Promise<Found[]> {
  if (!existsSync(config.dataDir)) return [finding('error', 'data_folder', { folder: config.dataDir })]
  const half = halfRestoreOf(config)
  const findings = [
    ...diskOf(config),
    ...permissionsOf(config),
    ...settingsOf(config),
    backupOf(config, Date.now()),
    ...(half ? [half] : []),
  ]
  if (half) return findings
  let database: Found | undefined
  try {
    database = await versionFindingOf(config)
    findings.push(database)
    if (database.level !== 'ok') return findings
    findings.push(...(await withOpenApp(config, (app) => ofApp(app, locale))))
  } catch (error) {
    const problem = await damaged(error, config)
    if (!problem) throw error
    // The finding made before its pages were read is no longer valid.
    return [
      ...findings.filter((one) => one !== database),
      finding('error', 'database.damaged', { file: problem.path ?? '', message: (error as Error).message }),
    ]
  }
  return findings
}

export const diagnose = async (config: Config, locale: Locale): Promise<Finding[]> =>
  (await findingsOf(config, locale)).map((one) => inLocale(one, locale))
