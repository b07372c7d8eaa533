/** `doctor`: what is not in order with this installation, why, and how to mend it. */
import type { Command } from 'commander'
import { ConfigError, readConfig } from '../../environment/config.ts'
import type { Finding, Level } from '../doctor/finding.ts'
import { Diagnosis } from '../ending.ts'
import type { Io } from '../io.ts'
import { answer } from '../output.ts'
import { type Flags, plural } from './commands.ts'

const SIGNS: Readonly<Record<Level, string>> = { ok: 'ok     ', warning: 'WARNING', error: 'ERROR  ' }

function lineOf({ check, level, what, why, mend, company_id }: Finding): string {
  const lines = [`${SIGNS[level]} ${check}: ${what}`]
  if (company_id !== undefined && level !== 'ok') lines.push(`        of  company ${company_id}`)
  if (level !== 'ok')
    lines.push(`        why ${why}`, `        do  ${mend?.replace(/\bID\b/g, company_id ?? 'ID')}`)
  return lines.join('\n')
}

async function findingsOf(io: Io): Promise<readonly Finding[]> {
  const { bad } = await import('../doctor/finding.ts')
  try {
    const config = readConfig(io.env)
    const { diagnose } = await import('../doctor/run.ts')
    return await diagnose(config)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((problem) =>
      bad('settings', problem, 'No server starts with it.', 'Set the environment variable as it says.'),
    )
  }
}

export function addDoctorCommand(doctor: Command, io: Io): void {
  doctor.action(async ({ json }: Flags) => {
    const { gravest } = await import('../doctor/finding.ts')
    const findings = await findingsOf(io)
    const status = gravest(findings)
    answer(io, json, { status, findings }, () => findings.map(lineOf).join('\n'))
    if (status === 'ok') return
    const count = (level: Level) => findings.filter((one) => one.level === level).length
    throw new Diagnosis(
      status === 'error' ? 2 : 1,
      `${plural(count('error'), 'error')} and ${plural(count('warning'), 'warning')}: see above.`,
    )
  })
}
