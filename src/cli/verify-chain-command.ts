/** `cuadra verify-chain`: audits files of records, of any size. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Locale, ValidationItem } from '../index.ts'
import {
  ChainAudit,
  type ChainReport,
  type FiscalRecord,
  linkOf,
  RecordReader,
  type RegistroAnterior,
  spanishMoment,
} from '../verifactu/index.ts'
import { type Colors, colorsOf } from './colors.ts'
import { colored, columns, type Done, type SharedFlags, shared } from './flags.ts'
import { openStream, shownName } from './inputs.ts'
import { plainItem } from './item-lines.ts'
import { nativeSha256 } from './native-hash.ts'
import { readRecord, recordIn } from './record-input.ts'
import { splitLines } from './split-lines.ts'
import { UsageError } from './usage-error.ts'

interface ChainFlags extends SharedFlags {
  readonly after?: string
  readonly now?: string
  readonly clock: boolean
  readonly split?: true
}

const moment = (text: string): string => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d([+-]\d\d:\d\d|Z)$/.test(text))
    throw new InvalidArgumentError('It must be a moment such as 2027-01-31T10:00:00+01:00.')
  return text
}

/** Where the records of a file go, and what is wrong with the file itself. */
interface Sink {
  readonly record: (record: unknown) => void
  readonly problem: (item: ValidationItem) => void
}

const lineItem = (line: number, detail: string): ValidationItem => ({
  source: 'schema',
  code: 'json.syntax',
  message: `Line ${line} is not a JSON document (${detail}). Restore the line from a copy and audit again.`,
  path: '',
  extra: { line },
  severity: 'error',
})

const feedXml = async (
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  sink: Sink,
  locale: Locale,
): Promise<void> => {
  const reader = new RecordReader(
    ({ record, items }) => {
      for (const item of items) sink.problem(item)
      sink.record(record)
    },
    { locale },
  )
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of chunks) reader.write(decoder.decode(chunk, { stream: true }))
    reader.write(decoder.decode())
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${shownName(file)}: not UTF-8`)
    throw error
  }
  for (const item of reader.close()) sink.problem(item)
}

const feedLines = async (file: string, chunks: AsyncIterable<Uint8Array>, sink: Sink): Promise<void> => {
  const decoder = new TextDecoder()
  for await (const { bytes, lines } of splitLines(file, chunks))
    for (const { line, start, end } of lines) {
      let value: unknown
      try {
        value = JSON.parse(decoder.decode(bytes.subarray(start, end)))
      } catch (error) {
        sink.problem(lineItem(line, (error as Error).message.slice(0, 80)))
        continue
      }
      if (Array.isArray(value)) for (const one of value) sink.record(recordIn(one) ?? one)
      else sink.record(recordIn(value) ?? value)
    }
}

/** XML begins with `<`, after a byte order mark and blanks. */
const looksLikeXml = (chunk: Uint8Array): boolean => {
  for (const byte of chunk) {
    if (
      byte === 0xef ||
      byte === 0xbb ||
      byte === 0xbf ||
      byte === 32 ||
      byte === 9 ||
      byte === 10 ||
      byte === 13
    )
      continue
    return byte === 0x3c
  }
  return false
}

async function* after(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

async function feed(file: string, sink: Sink, locale: Locale): Promise<void> {
  const chunks = openStream(file)[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return
  const stream = after(first.value, chunks)
  if (looksLikeXml(first.value)) await feedXml(file, stream, sink, locale)
  else await feedLines(file, stream, sink)
}

async function linkAfter(file: string | undefined): Promise<RegistroAnterior | undefined> {
  if (file === undefined) return undefined
  const found = await readRecord('--after', file)
  const record = recordIn(found)
  return record ? linkOf(record) : (found as RegistroAnterior)
}

const summary = (report: ChainReport, problems: number, locale: Locale, colors: Colors): string => {
  const number = (value: number) => value.toLocaleString(locale)
  const valid = report.valid && problems === 0
  const [records, chains, findings] = [
    number(report.records),
    number(report.chains),
    number(report.found + problems),
  ]
  const text =
    locale === 'es'
      ? `${records} registros, ${chains} cadena(s): ${valid ? (report.found > 0 ? `íntegra, ${findings} avisos` : 'íntegra') : `${findings} hallazgos`}`
      : `${records} records, ${chains} chain(s): ${valid ? (report.found > 0 ? `whole, ${findings} warnings` : 'whole') : `${findings} findings`}`
  return valid ? colors.green(`✔ ${text}`) : colors.red(`✖ ${text}`)
}

async function run(files: readonly string[], flags: ChainFlags): Promise<number> {
  const { locale } = flags
  const colors = colorsOf(colored(flags))
  const problems: ValidationItem[] = []
  const link = await linkAfter(flags.after)
  const audit = new ChainAudit({
    ...(link ? { after: link } : {}),
    ...(flags.clock ? { now: flags.now ?? spanishMoment(Date.now()) } : {}),
    split: flags.split ?? false,
    hash: nativeSha256,
    locale,
  })
  const sink: Sink = {
    record: (record) => audit.add(record as FiscalRecord),
    problem: (item) => problems.push(item),
  }
  for (const file of files.length > 0 ? files : ['-']) await feed(file, sink, locale)
  const report = audit.end()
  const empty = report.records === 0 && problems.length === 0
  if (empty)
    throw new UsageError('no record was found: give NDJSON (one record a line), a JSON array, or XML')
  const items = [...problems, ...report.items]
  const valid = report.valid && problems.length === 0
  if (flags.json)
    process.stdout.write(
      `${JSON.stringify({ ...report, valid, items, found: report.found + problems.length }, null, 2)}\n`,
    )
  else {
    const lines = items.flatMap((item) => plainItem(item, colors, columns()))
    const more = report.found - report.items.length
    if (more > 0) lines.push(colors.dim(`  … ${more} more`))
    process.stdout.write(`${[...lines, summary(report, problems.length, locale, colors)].join('\n')}\n`)
  }
  return valid ? 0 : 1
}

export function addVerifyChainCommand(program: Command, done: Done): void {
  const command = program
    .command('verify-chain')
    .description('audit a chain of fiscal records: tampering, gaps, forks, order, clocks')
    .argument('[files...]', 'parts of the chain in order: NDJSON or XML, or - for the standard input')
    .option('--after <file>', 'the record (or link) before the first one')
    .option('--now <moment>', 'the clock to judge by; without it, the machine’s', moment)
    .option('--no-clock', 'do not judge records of the future')
    .option('--split', 'audit every taxpayer and installation apart')
  shared(command).action(async (files: string[], flags: ChainFlags) => {
    done(await run(files, flags))
  })
}
