/** `doctor`: finds problems of the installation, and states their consequences and fixes. */
import type { Command } from 'commander'
import { ConditionError } from '#core/errors/index.ts'
import type { Locale } from '#core/invoice/index.ts'
import { ConfigError, readConfig } from '../../src/environment/config.ts'
import { print } from '../admin-output.ts'
import type { Finding, FindingLevel } from '../doctor/doctor-finding.ts'
import type { Io } from '../io.ts'
import { countText, type Flags, localeOption } from './commands.ts'

interface DoctorFlags extends Flags {
  readonly locale: Locale
}

const MESSAGES = {
  en: {
    levels: { ok: 'ok     ', warning: 'WARNING', error: 'ERROR  ' },
    of: 'company',
    why: 'why',
    fix: 'do ',
    total: (errors: number, warnings: number) =>
      `${countText(errors, 'error')} and ${countText(warnings, 'warning')}: see above.`,
  },
  es: {
    levels: { ok: 'ok     ', warning: 'AVISO  ', error: 'ERROR  ' },
    of: 'empresa  ',
    why: 'por qué  ',
    fix: 'qué hacer',
    total: (errors: number, warnings: number) =>
      `${countText(errors, 'error', 'errores')} y ${countText(warnings, 'aviso')}: véase más arriba.`,
  },
} as const

function lineOf({ check, level, what, why, fix, company_id }: Finding, locale: Locale): string {
  const messages = MESSAGES[locale]
  const lines = [`${messages.levels[level]} ${check}: ${what}`]
  if (company_id !== undefined && level !== 'ok') lines.push(`        ${messages.of} ${company_id}`)
  if (level !== 'ok')
    lines.push(
      `        ${messages.why} ${why}`,
      `        ${messages.fix} ${fix?.replace(/\bID\b/g, company_id ?? 'ID')}`,
    )
  return lines.join('\n')
}

async function diagnoseConfig(io: Io, locale: Locale): Promise<readonly Finding[]> {
  const { finding, findingInLocale } = await import('../doctor/doctor-finding.ts')
  try {
    const config = readConfig(io.env)
    const { diagnose } = await import('../doctor/doctor-run.ts')
    return await diagnose(config, locale)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((message) =>
      findingInLocale(finding('error', 'settings.invalid', { message }), locale),
    )
  }
}

export function add(doctor: Command, io: Io): void {
  doctor.addOption(localeOption()).action(async ({ json, locale }: DoctorFlags) => {
    const { worstLevel } = await import('../doctor/doctor-finding.ts')
    const findings = await diagnoseConfig(io, locale)
    const status = worstLevel(findings)
    print(io, json, { status, findings }, () => findings.map((one) => lineOf(one, locale)).join('\n'))
    if (status === 'ok') return
    const count = (level: FindingLevel) => findings.filter((one) => one.level === level).length
    throw new ConditionError(
      status === 'error' ? 'errors_found' : 'warnings_found',
      MESSAGES[locale].total(count('error'), count('warning')),
    )
  })
}
