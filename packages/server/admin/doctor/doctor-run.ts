/** Runs all checks of `doctor`. They change nothing and do not migrate the database. */
import { existsSync } from 'node:fs'
import { isDamaged, isDatabaseUnreachable } from 'cuadra-storage/storage-faults.ts'
import type { Locale } from '#core/invoice/index.ts'
import type { App } from '../../src/app/app.ts'
import type { Config } from '../../src/environment/config.ts'
import { allTaxpayers } from '../../src/service/company/company.ts'
import { processesNow } from '../../src/service/verifactu/processes.ts'
import { damagedDatabaseError, requireCompany, withOpenApp } from '../session.ts'
import { companyFindings } from './doctor-company.ts'
import {
  clockFindings,
  pageFindings,
  postgresFindings,
  processesFinding,
  restoreFindings,
  versionFinding,
} from './doctor-database.ts'
import { type BilingualFinding, type Finding, finding, findingInLocale } from './doctor-finding.ts'
import { diskFindings, permissionFindings } from './doctor-machine.ts'
import { backupFinding, settingsFindings, unfinishedRestoreFinding } from './doctor-settings.ts'

async function ofApp(app: App, locale: Locale): Promise<BilingualFinding[]> {
  const { alive } = await processesNow(app.store.shared, app)
  const findings = [
    ...(await postgresFindings(app)),
    await processesFinding(app, alive.length),
    ...(await restoreFindings(app)),
    ...(await clockFindings(app).catch((error: Error) => {
      if (isDamaged(error)) throw error
      return [finding('warning', 'clock.unread', { message: error.message })]
    })),
  ]
  // If a company cannot be read, the other companies are still checked.
  for (const { taxpayer_id: company_id } of await allTaxpayers(app.store.shared))
    try {
      findings.push(
        ...(await companyFindings(app, await requireCompany(app, app.store.of(company_id)), locale)),
      )
    } catch (error) {
      if (isDamaged(error as Error)) throw error
      const { message } = error as Error
      const name = isDatabaseUnreachable(error) ? 'company.away' : 'company.unread'
      findings.push({ ...finding('error', name, { message }), company_id })
    }
  return findings
}

async function findingsOf(config: Config, locale: Locale): Promise<BilingualFinding[]> {
  if (!existsSync(config.dataDir)) return [finding('error', 'data_folder', { folder: config.dataDir })]
  const half = unfinishedRestoreFinding(config)
  const findings = [
    ...diskFindings(config),
    ...permissionFindings(config),
    ...settingsFindings(config),
    backupFinding(config, Date.now()),
    ...(half ? [half] : []),
  ]
  if (half) return findings
  let database: BilingualFinding | undefined
  try {
    database = await versionFinding(config)
    findings.push(database)
    if (database.level !== 'ok') return findings
    findings.push(...(await pageFindings(config)))
    findings.push(...(await withOpenApp(config, (app) => ofApp(app, locale))))
  } catch (error) {
    const problem = await damagedDatabaseError(error, config)
    if (!problem) throw error
    // Replaces the earlier finding about the database, which did not detect the damage.
    return [
      ...findings.filter((one) => one !== database),
      finding('error', 'database.damaged', { file: problem.path ?? '', message: (error as Error).message }),
    ]
  }
  return findings
}

export const diagnose = async (config: Config, locale: Locale): Promise<Finding[]> =>
  (await findingsOf(config, locale)).map((one) => findingInLocale(one, locale))
