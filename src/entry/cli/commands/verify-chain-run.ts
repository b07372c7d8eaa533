/** Runs `cuadra verify-chain`: audits files of records of any size. Loaded on demand. */
import { hash } from 'node:crypto'
import { type Locale, MAX_ITEMS, type ValidationItem } from '#engine/index.ts'
import {
  ChainAudit,
  type ChainReport,
  type FiscalRecord,
  spanishTimestamp,
} from '#records/verifactu/index.ts'
import { USAGE } from '../generated/texts/usage.ts'
import type { Cli } from '../input/cli.ts'
import { type Colors, colorsOf } from '../input/colors.ts'
import { isColored, type SharedFlags, terminalColumns } from '../input/input-flags.ts'
import { checkStdin, STDIN } from '../input/inputs.ts'
import { feedRecords, type RecordReceiver, readLastEvent, readLastRecord } from '../input/record-input.ts'
import { plainItem } from '../report/item-lines.ts'
import { messagesOf } from '../report/report-messages.ts'

export interface ChainFlags extends SharedFlags {
  readonly after?: string
  readonly afterEvent?: string
  readonly now?: string
  readonly clock: boolean
  readonly split?: true
  readonly continues?: true
}

const NOUNS = {
  record: { en: ['record', 'records'], es: ['registro', 'registros'] },
  chain: { en: ['chain', 'chains'], es: ['cadena', 'cadenas'] },
  warning: { en: ['warning', 'warnings'], es: ['aviso', 'avisos'] },
  finding: { en: ['finding', 'findings'], es: ['hallazgo', 'hallazgos'] },
  intact: { en: ['intact', 'intact'], es: ['íntegra', 'íntegras'] },
} as const

/** Returns the last line of the report: `✔ 20,000 records, 1 chain: intact`. */
function summary({ records, chains, found, valid }: Report, locale: Locale, colors: Colors): string {
  const noun = (name: keyof typeof NOUNS, number: number) => NOUNS[name][locale][number === 1 ? 0 : 1]
  const count = (name: keyof typeof NOUNS, number: number) =>
    `${number.toLocaleString(locale)} ${noun(name, number)}`
  const text = `${count('record', records)}, ${count('chain', chains)}`
  if (!valid) return colors.red(`✖ ${text}: ${count('finding', found)}`)
  const warnings = found > 0 ? `, ${count('warning', found)}` : ''
  return colors.green(`✔ ${text}: ${noun('intact', chains)}${warnings}`)
}

type Report = Pick<ChainReport, 'records' | 'chains' | 'found' | 'valid'> & {
  readonly items: readonly ValidationItem[]
}

/** Creates the audit from the flags. Throws a `UsageError` for invalid files. */
async function auditOf(cli: Cli, flags: ChainFlags): Promise<ChainAudit> {
  const { after, afterEvent } = flags
  const link = after === undefined ? undefined : (await readLastRecord(cli, '--after', after)).link
  const event = afterEvent === undefined ? undefined : await readLastEvent(cli, '--after-event', afterEvent)
  return new ChainAudit({
    ...(link && { after: link }),
    ...(event && { after_event: event }),
    ...(flags.clock && { now: flags.now ?? spanishTimestamp(Date.now()) }),
    split: flags.split ?? false,
    chain_continues: flags.continues ?? false,
    // Node's hash is several times faster than the portable one, and allocates no object per call.
    hash: (text) => hash('sha256', text, 'hex'),
    locale: flags.locale,
  })
}

/** Returns the report as text. */
function textOf(cli: Cli, report: Report, flags: ChainFlags): string {
  const { locale } = flags
  const colors = colorsOf(isColored(cli, flags))
  const lines = report.items.flatMap((item) => plainItem(item, colors, terminalColumns(cli)))
  const more = report.found - report.items.length
  if (more > 0) lines.push(colors.dim(`  … ${messagesOf(locale).more(more)}`))
  return [...lines, summary(report, locale, colors)].join('\n')
}

export async function auditFiles(cli: Cli, files: readonly string[], flags: ChainFlags): Promise<number> {
  if (flags.split && flags.continues) throw cli.usageError(USAGE.split_and_continues)
  checkStdin(cli, [...files, flags.after, flags.afterEvent])
  const audit = await auditOf(cli, flags)
  const problems: ValidationItem[] = []
  let records = 0
  let faults = 0
  const problem = (item: ValidationItem): void => {
    faults++
    if (problems.length < MAX_ITEMS) problems.push(item)
  }
  const sink: RecordReceiver = {
    record: (record, items) => {
      const root = Object.keys(record ?? {})[0]
      for (const item of items)
        problem({
          ...item,
          path: `/${records}/${root}${item.path}`,
          extra: { ...item.extra, record: records },
        })
      records++
      audit.add(record as FiscalRecord)
    },
    problem,
  }
  for (const file of files.length > 0 ? files : [STDIN]) await feedRecords(cli, file, sink, flags.locale)
  const report = audit.end()
  if (report.records === 0 && faults === 0) throw cli.usageError(USAGE.no_record)
  const items = [...problems, ...report.items]
  const all = { ...report, valid: report.valid && faults === 0, items, found: report.found + faults }
  cli.out.write(`${flags.json ? JSON.stringify(all, null, 2) : textOf(cli, all, flags)}\n`)
  return all.valid ? 0 : 1
}
