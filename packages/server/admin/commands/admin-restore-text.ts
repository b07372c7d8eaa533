/** Formats the report of a restore. */
import { labelledLines, tableText } from '../admin-output.ts'
import type { AcceptanceResult, CheckedCompany, RestoreResult } from './admin-restore-work.ts'
import { counterCommand, countText } from './commands.ts'

const SHOWN = 10

type CompanyReport = Pick<
  CheckedCompany,
  'company_id' | 'comparison' | 'comparison_error' | 'counters_to_advance' | 'unmatched' | 'next'
>

function comparisonText({
  company_id,
  comparison,
  comparison_error,
  counters_to_advance,
  unmatched,
}: CompanyReport): string[] {
  if (comparison_error !== null)
    return [
      `  Invoices issued since are unknown, as the tax authority could not be queried: ${comparison_error}`,
    ]
  if (comparison === null)
    return [
      '  Invoices issued since then are unknown, because no records are sent to the tax authority. Check with customers, and check e-mails and accounts.',
    ]
  const { missing, changed, authority_count, months } = comparison
  const lines: string[] = []
  const name = ({ num_serie, fecha_expedicion, importe_total }: (typeof missing)[number]) =>
    `${num_serie} (${fecha_expedicion}, ${importe_total ?? '-'})`
  if (missing.length > 0)
    lines.push(
      `  LOST: the tax authority has ${countText(missing.length, 'invoice')} that ${missing.length === 1 ? 'is' : 'are'} not here: ${missing.slice(0, SHOWN).map(name).join(', ')}${missing.length > SHOWN ? ' ...' : ''}.`,
    )
  if (changed.length > 0)
    lines.push(
      `  CHANGED: it has a later record, such as a cancellation, of ${countText(changed.length, 'invoice')}: ${changed.slice(0, SHOWN).map(name).join(', ')}.`,
    )
  for (const one of counters_to_advance) lines.push(`  ${counterCommand(company_id, one)}`)
  for (const { num_serie } of unmatched)
    lines.push(`  ${num_serie} fits no series here. Set the counter of its series.`)
  if (lines.length === 0)
    lines.push(
      `  The tax authority has nothing that is not here (${countText(authority_count, 'invoice')}, ${months[0]} to ${months.at(-1)}).`,
    )
  lines.push('  It does not know of invoices issued after the backup but not sent to it.')
  return lines
}

const nextText = ({ next }: CompanyReport): string =>
  next.length === 0
    ? ''
    : tableText(
        ['series', 'last number', 'next number', 'last date'],
        next.map((one) => [one.series_code, one.last ?? '-', one.number, one.last_date]),
      )
        .trimEnd()
        .split('\n')
        .map((line) => `  ${line}`)
        .join('\n')

export function restoreResultText(done: RestoreResult): string {
  const { made_at, sealed_with, key_fits, companies, problems } = done
  const lines = [
    labelledLines([
      ['restored', done.restored],
      ['from', done.from],
      ['made', `${made_at.slice(0, 19)} UTC, cuadra ${done.program}, tables version ${done.migration}`],
      ['rows', done.rows],
      ['files', done.files],
    ]).trimEnd(),
  ]
  for (const one of companies) {
    const { legal_name, tax_id, company_id, ok, failures, checks, event } = one
    const records = checks.find(({ check }) => check === 'records')?.checked ?? 0
    lines.push('', `${legal_name} (${tax_id}), ${company_id}`)
    lines.push(
      ok
        ? `  verified: ${countText(records, 'record')} of its chain, amounts, numbers, counts, histories, files`
        : `  FAILURES: ${failures.map(({ code, count }) => `${code} (${count})`).join(', ')}`,
    )
    if (event)
      lines.push(
        event.problem === null
          ? '  recorded: event 07, restore'
          : `  NOT RECORDED: event 07, restore: ${event.problem}`,
      )
    lines.push(...comparisonText(one), nextText(one))
  }
  if (problems.length > 0)
    lines.push('', `When the backup was made, ${countText(problems.length, 'attached file')} had a problem:`)
  for (const problem of problems.slice(0, SHOWN)) lines.push(`  ${problem}`)
  if (!key_fits)
    lines.push(
      '',
      `The certificates were encrypted with another key (${sealed_with}). Copy that secret.key to the data folder, set CUADRA_SECRET to it, or add the certificates again.`,
    )
  lines.push(
    '',
    `The backup lacks everything issued after ${made_at.slice(0, 19)} UTC. No server starts with this data until you accept it in one of two ways:`,
    '  cuadra-admin restore --accept --skip-numbers 1000   (each series, also one begun later, skips 1,000 numbers: use more than any series has issued since)',
    '  cuadra-admin restore --accept --numbers-checked     (no customer has an invoice with the next numbers above)',
    'A series first used after the backup is not listed. With --numbers-checked it would assign its first number again: set its counter with `cuadra-admin series configure`.',
  )
  return lines.filter((line, at) => line !== '' || lines[at - 1] !== '').join('\n')
}

export function acceptanceText({ made_at, obstacles, skipped, companies }: AcceptanceResult): string {
  const lines = [`Accepted: servers may start with the data of the backup of ${made_at.slice(0, 19)} UTC.`]
  if (skipped > 0)
    lines.push(
      `Each series skips ${countText(skipped, 'number')}, and a new series begins at ${skipped + 1}; \`verify\` reports the gaps.`,
    )
  for (const obstacle of obstacles) lines.push(`ignored: ${obstacle}`)
  for (const one of companies) {
    lines.push(`${one.legal_name} (${one.tax_id}) continues with`)
    lines.push(nextText(one) || '  no series yet')
  }
  return lines.join('\n')
}
