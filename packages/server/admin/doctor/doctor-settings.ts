/** Finds conflicting settings, and checks the age of the last backup. */
import { existsSync } from 'node:fs'
import type { Config } from '../../src/environment/config.ts'
import { readLastBackup, timestampOfBackup } from '../../src/environment/last-backup.ts'
import { unfinishedRestoreFolder } from '../../src/environment/restoring.ts'
import { keyFileOf } from '../../src/environment/secrets.ts'
import type { FindingName } from './doctor-finding.ts'
import { type BilingualFinding, durationText, finding } from './doctor-finding.ts'

export function settingsFindings(config: Config): BilingualFinding[] {
  const { aeat, databaseUrl, secret, smtpUrl, host, trustProxy, dataDir } = config
  const isProduction = aeat === 'production'
  const isOpen = host === '0.0.0.0' || host === '::'
  const file = keyFileOf(config)
  const hasFile = existsSync(file)
  const wrong: readonly (readonly [boolean, FindingName])[] = [
    [databaseUrl !== undefined && secret === undefined && hasFile, 'settings.key_file'],
    [secret !== undefined && hasFile, 'settings.two_keys'],
    [isProduction && !smtpUrl, 'settings.no_mail'],
    [isOpen && trustProxy.length === 0, 'settings.no_proxy'],
  ]
  const values = { file, folder: dataDir, host }
  const findings = wrong.flatMap(([isSo, name]) => (isSo ? [finding('warning', name, values)] : []))
  return findings.length > 0 ? findings : [finding('ok', 'settings', { aeat })]
}

const DAY = 86_400_000

export function backupFinding(config: Config, now: number): BilingualFinding {
  const last = readLastBackup(config)
  if (!last) return finding(config.aeat === 'production' ? 'error' : 'warning', 'backup.none')
  const age = now - timestampOfBackup(last)
  const values = { age: durationText(age), folder: last.out }
  if (!existsSync(last.out)) return finding('warning', 'backup.gone', values)
  if (age > 1.5 * DAY) return finding(age > 7 * DAY ? 'error' : 'warning', 'backup', values)
  return last.complete ? finding('ok', 'backup', values) : finding('warning', 'backup.partial', values)
}

export const unfinishedRestoreFinding = (config: Config): BilingualFinding | null =>
  existsSync(unfinishedRestoreFolder(config))
    ? finding('error', 'restore.half', { folder: config.dataDir })
    : null
