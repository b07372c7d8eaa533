/** `cuadra verify-chain`: audits files of records, of any size. Loaded when it is asked for. */
import { type Locale, MAX_ITEMS, type ValidationItem } from '../../api/index.ts'
import { ChainAudit, type ChainReport, type FiscalRecord, spanishMoment } from '../../verifactu/index.ts'
import type { Cli } from '../input/cli.ts'
import { type Colors, colorsOf } from '../input/colors.ts'
import { colored, columns, type SharedFlags } from '../input/flags.ts'
import { checkStdin, STDIN } from '../input/inputs.ts'
import { nativeSha256 } from '../input/native-hash.ts'
import { feedRecords, readLast, readLastEvent, type Sink } from '../input/record-input.ts'
import { plainItem } from '../report/item-lines.ts'
import { wordsOf } from '../report/words.ts'

export interface ChainFlags extends SharedFlags {
  readonly after?: string
  readonly afterEvent?: string
  readonly now?: string
  readonly clock: boolean
  readonly split?: true
  readonly continues?: true
}

type Words = readonly [one: string, more: string]

const WORDS: Readonly<Record<Locale, Readonly<Record<'record' | 'chain' | 'warning' | 'finding', Words>>>> = {
  en: {
    record: ['record', 'records'],
    chain: ['chain', 'chains'],
    warning: ['warning', 'warnings'],
    finding: ['finding', 'findings'],
  },
  es: {
    record: ['registro', 'registros'],
    chain: ['cadena', 'cadenas'],
    warning: ['aviso', 'avisos'],
    finding: ['hallazgo', 'hallazgos'],
  },
}

const WHOLE: Readonly<Record<Locale, Words>> = { en: ['whole', 'whole'], es: ['íntegra', 'íntegras'] }

/** `✔ 20,000 records, 1 chain: whole`. */
function summary(report: ChainReport, found: number, valid: boolean, locale: Locale, colors: Colors): string {
  const count = (number: number, what: keyof (typeof WORDS)['en']): string =>
    `${number.toLocaleString(locale)} ${WORDS[locale][what][number === 1 ? 0 : 1]}`
  const text = `${count(report.records, 'record')}, ${count(report.chains, 'chain')}`
  if (!valid) return colors.red(`✖ ${text}: ${count(found, 'finding')}`)
  const warnings = found > 0 ? `, ${count(found, 'warning')}` : ''
  return colors.green(`✔ ${text}: ${WHOLE[locale][report.chains === 1 ? 0 : 1]}${warnings}`)
}

export async function auditFiles(cli: Cli, files: readonly string[], flags: ChainFlags): Promise<number> {
  const { locale } = flags
  const colors = colorsOf(colored(cli, flags))
  if (flags.split && flags.continues)
    throw cli.refusal({
      en: '--split and --continues exclude each other',
      es: '--split y --continues se excluyen',
    })
  checkStdin(cli, [...files, flags.after, flags.afterEvent])
  const link = flags.after === undefined ? undefined : (await readLast(cli, '--after', flags.after)).link
  const { afterEvent } = flags
  const event = afterEvent === undefined ? undefined : await readLastEvent(cli, '--after-event', afterEvent)
  const audit = new ChainAudit({
    ...(link ? { after: link } : {}),
    ...(event ? { after_event: event } : {}),
    ...(flags.clock ? { now: flags.now ?? spanishMoment(Date.now()) } : {}),
    split: flags.split ?? false,
    chain_continues: flags.continues ?? false,
    hash: nativeSha256,
    locale,
  })
  const problems: ValidationItem[] = []
  let records = 0
  let faults = 0
  const problem = (item: ValidationItem): void => {
    faults++
    if (problems.length < MAX_ITEMS) problems.push(item)
  }
  const sink: Sink = {
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
  for (const file of files.length > 0 ? files : [STDIN]) await feedRecords(cli, file, sink, locale)
  const report = audit.end()
  if (report.records === 0 && faults === 0)
    throw cli.refusal({
      en: 'no record was found: give NDJSON (one record a line), a JSON array, or XML',
      es: 'no se encontró ningún registro: dé NDJSON (un registro por línea), una lista JSON o XML',
    })
  const items = [...problems, ...report.items]
  const valid = report.valid && faults === 0
  const found = report.found + faults
  if (flags.json) cli.out.write(`${JSON.stringify({ ...report, valid, items, found }, null, 2)}\n`)
  else {
    const lines = items.flatMap((item) => plainItem(item, colors, columns(cli)))
    const more = found - items.length
    if (more > 0) lines.push(colors.dim(`  … ${wordsOf(locale).more(more)}`))
    cli.out.write(`${[...lines, summary(report, found, valid, locale, colors)].join('\n')}\n`)
  }
  return valid ? 0 : 1
}
