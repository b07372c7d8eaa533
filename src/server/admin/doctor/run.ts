/** Everything that `doctor` looks at. It changes nothing, and brings no database to another version. */
import { existsSync } from 'node:fs'
import type { App } from '../../app/app.ts'
import { openApp } from '../../app/open.ts'
import type { Config } from '../../environment/config.ts'
import { allTaxpayers } from '../../service/company/company.ts'
import { processesNow } from '../../service/verifactu/processes.ts'
import { isAway, isDamaged } from '../../store/faults.ts'
import { damaged, requireCompany } from '../session.ts'
import { companyFindings } from './company.ts'
import { acceptedOf, clockOf, processesOf, versionFindingOf } from './database.ts'
import { bad, type Finding, warning } from './finding.ts'
import { diskOf, permissionsOf } from './machine.ts'
import { backupOf, halfRestoreOf, settingsOf } from './settings.ts'

async function ofApp(app: App): Promise<Finding[]> {
  const { alive } = await processesNow(app.store.shared, app)
  const findings = [
    await processesOf(app, alive.length),
    ...(await acceptedOf(app)),
    ...(await clockOf(app).catch((error: Error) => {
      if (isDamaged(error)) throw error
      return [
        warning(
          'clock',
          'The clocks of all companies cannot be read',
          error.message,
          'Start the machine of the database that is away; see the companies below.',
        ),
      ]
    })),
  ]
  // One company that cannot be read keeps nothing from being said of the others.
  for (const { taxpayer_id: company_id } of await allTaxpayers(app.store.shared))
    try {
      findings.push(...(await companyFindings(app, await requireCompany(app, app.store.of(company_id)))))
    } catch (error) {
      if (isDamaged(error as Error)) throw error
      const cause = (error as Error).message
      findings.push({
        ...(isAway(error)
          ? bad(
              'company',
              'Cannot be reached',
              cause,
              'Start the machine of the database that has this company.',
            )
          : bad('company', 'Cannot be looked at', cause, 'Run `cuadra-admin verify`.')),
        company_id,
      })
    }
  return findings
}

const AS_BACKUP =
  'Stop every server that uses it, keep a copy of it as it is, and put your last backup in its place (docs/operations.md, "Restore").'

export async function diagnose(config: Config): Promise<Finding[]> {
  if (!existsSync(config.dataDir))
    return [
      bad(
        'data_folder',
        `CUADRA_DATA_DIR ${config.dataDir} is not there`,
        'Most likely this is not the folder that the server uses.',
        'Run doctor with the environment of the server, or start the server once.',
      ),
    ]
  const half = halfRestoreOf(config)
  const findings = [
    ...diskOf(config),
    ...permissionsOf(config),
    ...settingsOf(config),
    backupOf(config, Date.now()),
    ...(half ? [half] : []),
  ]
  if (half) return findings
  let database: Finding | undefined
  try {
    database = await versionFindingOf(config)
    findings.push(database)
    if (database.level !== 'ok') return findings
    const app = await openApp({ ...config, logLevel: 'silent' })
    try {
      findings.push(...(await ofApp(app)))
    } finally {
      await app.work.close()
      app.authority.close()
      await app.store.close()
    }
  } catch (error) {
    const problem = await damaged(error, config)
    if (!problem) throw error
    const why = 'What is in the damaged pages cannot be read, and whatever is written now may be lost.'
    // What was said of it before its pages were read does not hold.
    return [
      ...findings.filter((one) => one !== database),
      bad('database', `${problem.path} is damaged`, `${why} (${(error as Error).message})`, AS_BACKUP),
    ]
  }
  return findings
}
