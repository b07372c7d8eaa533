/** `verify`: recalculates chains and totals, and compares all data that is stored twice. */
import type { Command } from 'commander'
import { CuadraError } from '#core/errors/index.ts'
import type { Locale } from '#core/invoice/index.ts'
import type { App } from '../../src/app/app.ts'
import { print, printText, tableText } from '../admin-output.ts'
import { CHECKS } from '../generated/texts/verify.ts'
import type { Io } from '../io.ts'
import { companiesOf, databaseLocationOf, withApp } from '../session.ts'
import type { Verified } from '../verify/verify-run.ts'
import { companyOption, countText, type Flags, localeOption } from './commands.ts'

interface VerifyFlags extends Flags {
  readonly company?: string
  readonly locale: Locale
}

const MESSAGES = {
  en: {
    check: 'check',
    checked: 'checked',
    failures: 'failures',
    failure: 'FAILURE',
    note: 'note',
    first: 'first of',
    total: (found: number, broken: number, of: number) =>
      `${countText(found, 'failure')} in ${countText(broken, 'company', 'companies')} of ${of}: see above.`,
  },
  es: {
    check: 'comprobación',
    checked: 'comprobados',
    failures: 'fallos',
    failure: 'FALLO',
    note: 'nota',
    first: 'primero de',
    total: (found: number, broken: number, of: number) =>
      `${countText(found, 'fallo')} en ${countText(broken, 'empresa')} de ${of}: véase más arriba.`,
  },
} as const

function peopleText(
  { company_id, tax_id, legal_name, checks, failures, notes }: Verified,
  locale: Locale,
): string {
  const messages = MESSAGES[locale]
  const lines = [`${legal_name} (${tax_id}), ${company_id}`]
  lines.push(
    tableText(
      [messages.check, messages.checked, messages.failures],
      checks.map(({ check, checked, failures: found }) => [CHECKS[check][locale], checked, found]),
    ).trimEnd(),
  )
  for (const { code, count, message, fix } of failures)
    lines.push(
      `${messages.failure} ${code}${count > 1 ? ` (${messages.first} ${count})` : ''}: ${message}${fix ? `\n  ${fix}` : ''}`,
    )
  for (const { message } of notes) lines.push(`${messages.note}: ${message}`)
  return `${lines.join('\n')}\n`
}

async function verifyCompanies(
  io: Io,
  app: App,
  { company, locale, json }: VerifyFlags,
): Promise<readonly Verified[]> {
  const { verifyCompany } = await import('../verify/verify-run.ts')
  const results: Verified[] = []
  for (const record of await companiesOf(app, company)) {
    const result = await verifyCompany(app, record, locale)
    results.push(result)
    if (!json) printText(io, `${peopleText(result, locale)}\n`)
  }
  if (!json && results.length === 0) printText(io, `No company in ${databaseLocationOf(app)}.`)
  return results
}

export function add(verify: Command, io: Io): void {
  verify
    .addOption(companyOption())
    .addOption(localeOption())
    .action(async (flags: VerifyFlags) => {
      const companies = await withApp(io, (app) => verifyCompanies(io, app, flags))
      const broken = companies.filter(({ ok }) => !ok)
      if (flags.json) print(io, true, { ok: broken.length === 0, companies }, () => '')
      if (broken.length === 0) return
      const found = broken.flatMap(({ failures }) => failures).reduce((sum, one) => sum + one.count, 0)
      throw new CuadraError(MESSAGES[flags.locale].total(found, broken.length, companies.length))
    })
}
