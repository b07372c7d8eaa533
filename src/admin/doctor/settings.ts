/** Settings that are each right and do not go together, and what the data folder says of backups. */
import { existsSync } from 'node:fs'
import type { Config } from '../../server/environment/config.ts'
import { lastBackup, momentOfBackup } from '../../server/environment/last-backup.ts'
import { unfinishedRestore } from '../../server/environment/restoring.ts'
import { keyFileOf } from '../../server/environment/secrets.ts'
import { type Found, finding, lasting } from './finding.ts'

export function settingsOf(config: Config): Found[] {
  const { aeat, databaseUrl, secret, smtpUrl, host, trustProxy, dataDir, installation } = config
  const findings: Found[] = []
  const isEarnest = aeat === 'production'
  const file = keyFileOf(config)
  if (databaseUrl && secret === undefined && existsSync(file))
    findings.push(finding('warning', 'settings.key_file', { file }))
  if (secret !== undefined && existsSync(file)) findings.push(finding('warning', 'settings.two_keys'))
  if (isEarnest && !smtpUrl) findings.push(finding('warning', 'settings.no_mail', { folder: dataDir }))
  if ((host === '0.0.0.0' || host === '::') && trustProxy.length === 0)
    findings.push(finding('warning', 'settings.no_proxy', { host }))
  if (isEarnest && installation === '1') findings.push(finding('warning', 'settings.installation'))
  if (findings.length === 0) findings.push(finding('ok', 'settings', { aeat }))
  return findings
}

const DAY = 86_400_000

export function backupOf(config: Config, now: number): Found {
  const last = lastBackup(config)
  if (!last) return finding(config.aeat === 'production' ? 'error' : 'warning', 'backup.none')
  const age = now - momentOfBackup(last)
  const values = { age: lasting(age), folder: last.out }
  if (!existsSync(last.out)) return finding('warning', 'backup.gone', values)
  if (age > 1.5 * DAY) return finding(age > 7 * DAY ? 'error' : 'warning', 'backup', values)
  return last.whole ? finding('ok', 'backup', values) : finding('warning', 'backup.partial', values)
}

export const halfRestoreOf = (config: Config): Found | null =>
  existsSync(unfinishedRestore(config)) ? finding('error', 'restore.half', { folder: config.dataDir }) : null
