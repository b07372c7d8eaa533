/** Settings that are each right and do not go together, and what the data folder says of backups. */
import { existsSync } from 'node:fs'
import type { Config } from '../../environment/config.ts'
import { lastBackup, momentOfBackup } from '../../environment/last-backup.ts'
import { unfinishedRestore } from '../../environment/restoring.ts'
import { keyFileOf } from '../../environment/secrets.ts'
import { bad, type Finding, lasting, ok, warning } from './finding.ts'

export function settingsOf(config: Config): Finding[] {
  const { aeat, databaseUrl, secret, smtpUrl, host, trustProxy, dataDir } = config
  const findings: Finding[] = []
  const isEarnest = aeat === 'production'
  if (databaseUrl && secret === undefined && existsSync(keyFileOf(config)))
    findings.push(
      warning(
        'settings',
        'The key of the certificates is a file, and the database is PostgreSQL',
        'Another machine with its own data folder cannot open the certificates.',
        `Set CUADRA_SECRET on every machine to what ${keyFileOf(config)} holds.`,
      ),
    )
  if (secret !== undefined && existsSync(keyFileOf(config)))
    findings.push(
      warning(
        'settings',
        'There is a CUADRA_SECRET and a secret.key',
        'Only CUADRA_SECRET is used; whoever finds the file may think that it is the key.',
        'Move the file to where you keep old keys.',
      ),
    )
  if (isEarnest && !smtpUrl)
    findings.push(
      warning(
        'settings',
        'CUADRA_AEAT is production and there is no mail server',
        `Invoices that are sent by mail become files in ${dataDir}/mails and reach nobody.`,
        'Set CUADRA_SMTP_URL, or do not use POST /issued-invoices/{invoice_id}/send.',
      ),
    )
  if ((host === '0.0.0.0' || host === '::') && trustProxy.length === 0)
    findings.push(
      warning(
        'settings',
        `HOST is ${host} and CUADRA_TRUST_PROXY is empty`,
        'The server speaks HTTP without TLS to every address. Behind a proxy, keys that are limited to addresses see that of the proxy.',
        'Listen on 127.0.0.1 behind a proxy with TLS, or set CUADRA_TRUST_PROXY to the addresses of the proxy.',
      ),
    )
  if (isEarnest && config.installation === '1')
    findings.push(
      warning(
        'settings',
        'CUADRA_AEAT is production and CUADRA_INSTALLATION is 1, the default',
        'Every installation of a system needs a number of its own, never used again (NumeroInstalacion).',
        'Set CUADRA_INSTALLATION, if this is not the first installation of your system.',
      ),
    )
  if (findings.length === 0)
    findings.push(ok('settings', `CUADRA_AEAT=${aeat}, and nothing that contradicts it`))
  return findings
}

const DAY = 86_400_000

export function backupOf(config: Config, now: number): Finding {
  const last = lastBackup(config)
  const why = 'What is not in a backup is lost with the disk; invoices have to be kept for years.'
  const mend = 'Run `cuadra-admin backup --into FOLDER --keep 14` every day, from cron or a timer.'
  if (!last)
    return (config.aeat === 'production' ? bad : warning)(
      'backup',
      'No backup was ever made of this data folder by cuadra-admin',
      why,
      mend,
    )
  const age = now - momentOfBackup(last)
  const what = `The last backup is ${lasting(age)} old: ${last.out}`
  if (!existsSync(last.out))
    return warning(
      'backup',
      `${what}, and is not there any more`,
      'If nobody has moved it to a safer place, there is none.',
      mend,
    )
  if (age > 7 * DAY) return bad('backup', what, why, mend)
  if (age > 1.5 * DAY) return warning('backup', what, why, mend)
  if (!last.whole)
    return warning(
      'backup',
      `${what}, without some attached files`,
      'Files were missing or changed in the store when it was made.',
      'Run `cuadra-admin verify`: it names them.',
    )
  return ok('backup', what)
}

export const halfRestoreOf = (config: Config): Finding | null =>
  existsSync(unfinishedRestore(config))
    ? bad(
        'restore',
        `${config.dataDir} holds half a restore`,
        'One is going on, or was killed: no server starts here.',
        'Wait for it, or run the same `cuadra-admin restore --from FOLDER` again.',
      )
    : null
