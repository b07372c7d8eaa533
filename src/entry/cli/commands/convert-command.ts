/** `cuadra convert`: converts invoices from one format to another. */
import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { CONVERT } from '../generated/texts/options.ts'
import { USAGE } from '../generated/texts/usage.ts'
import { tooLargeResult } from '../input/check-document.ts'
import type { Cli } from '../input/cli.ts'
import { type Conversion, type ConvertSettings, isRows, type Rows } from '../input/convert-settings.ts'
import { type Found, filesIn } from '../input/folders.ts'
import { errorItem } from '../input/input-faults.ts'
import {
  addCommand,
  type CommandDefinition,
  type DocumentFlags,
  FORMAT,
  settingsOf,
  TODAY,
  withTexts,
} from '../input/input-flags.ts'
import { Results, resultName } from '../input/input-results.ts'
import { CONVERT_FORMATS, NEWEST, type Settings } from '../input/input-settings.ts'
import { checkStdin, isBatchName, openStream, readAll, shownName } from '../input/inputs.ts'
import { MAX_LINE_BYTES, splitLines } from '../input/split-lines.ts'
import { type Converted, conversionReporterOf } from '../report/conversions.ts'
import type { Progress } from '../report/progress.ts'
import { Output } from '../report/report-output.ts'
import { type Reporter, tallyOf } from '../report/reporter.ts'
import { eachFile, filesToRead, progressOf } from './run-documents.ts'

const XML_FORMATS = ['facturae_3_2_2', 'facturae_3_2_1', 'facturae_3_2', 'ubl_2_1', 'cii_d16b']

interface ConvertFlags extends DocumentFlags, Pick<ConvertSettings, 'from' | 'to' | 'profile' | 'direction'> {
  readonly out?: string
  readonly force?: true
  readonly split?: true
  readonly mapping?: string
}

type Convert = (bytes: Uint8Array, position: { index: number | null; line: number }) => Conversion[]

const EXTENSIONS: Readonly<Record<string, string>> = { json_1_1: 'json', csv: 'csv' }

/** Writes results to the output folder, the standard output, or the `--json` report. */
class Delivery {
  readonly report: Output<Reporter<Converted>>
  readonly #documents: Output | null
  /** State of the CSV file that is being written: `rows` not yet written, and `keys` of the invoices added so far. */
  #sheet = { rows: [] as Rows[number][], keys: new Set<string>(), hasHead: false }

  constructor(
    cli: Cli,
    readonly settings: ConvertSettings,
    readonly results: Results | null,
    readonly progress: Progress,
  ) {
    const here = results === null && settings.format === 'text'
    this.report = new Output(here ? cli.err : cli.out, conversionReporterOf(settings), progress)
    this.#documents = here ? new Output(cli.out, {}, progress) : null
  }

  #text(content: string | object): string {
    if (typeof content === 'string') return content.endsWith('\n') ? content : `${content}\n`
    const alone = this.results !== null || this.settings.shape === 'single'
    return `${alone ? JSON.stringify(content, null, 2) : JSON.stringify(content)}\n`
  }

  /** Writes a text to a file of the output folder. */
  async #toFolder(results: Results, conversion: Converted, name: string, text: string | Uint8Array) {
    const out = results.pathOf(name)
    const writeFault = await results.write(name, text)
    if (writeFault === null) return { ...conversion, out }
    const item = errorItem(writeFault, { file: out }, this.settings.locale)
    return { ...conversion, result: withFault(conversion.result, item) }
  }

  /** Returns the name of the file of a result. Documents of a batch are named by their line number. */
  #nameOf({ result, part }: Conversion, relativePath: string): string {
    const { to } = this.settings
    const numbers: string[] = result.index === null ? [] : [String(result.line).padStart(6, '0')]
    if (part) numbers.push(String(part.number).padStart(String(part.count).length, '0'))
    return resultName(relativePath, numbers, EXTENSIONS[to] ?? 'xml')
  }

  /** Adds the rows of an invoice to the CSV file, or an error if the file already has an invoice with the same key. */
  async #addRows(converted: Converted, rows: Rows): Promise<Converted> {
    const { sheet, locale } = this.settings
    if (!sheet) return converted
    const key = sheet.keyOf(rows)
    if (this.#sheet.keys.has(key)) {
      const columns = sheet.mapping.groupBy.map((name) => JSON.stringify(name))
      const item = errorItem('csv.key_taken', { columns, received: key }, locale)
      return { ...converted, result: withFault(converted.result, item) }
    }
    this.#sheet.keys.add(key)
    if (this.results) this.#sheet.rows.push(...rows)
    else if (this.#documents) {
      const head = this.#sheet.hasHead ? '' : sheet.head()
      this.#sheet.hasHead = true
      await this.#documents.append(sheet.encode(head + sheet.textOf(rows)))
    } else return { ...converted, content: sheet.head() + sheet.textOf(rows) }
    return converted
  }

  /** Writes one result and adds it to the report. */
  async deliver(conversion: Conversion, relativePath: string): Promise<void> {
    const { result, from, part, content, isOfFile } = conversion
    const { results, settings } = this
    const converted: Converted = { result, from, to: settings.to, part, out: null }
    if (isRows(content)) {
      const out = results ? results.pathOf(this.#sheetName(relativePath)) : null
      await this.#report(await this.#addRows({ ...converted, out }, content))
    } else if (results && content !== null) {
      const name = this.#nameOf(conversion, relativePath)
      await this.#report(await this.#toFolder(results, converted, name, this.#text(content)))
    } else {
      if (this.#documents && content !== null) await this.#documents.append(this.#text(content))
      await this.#report(results || this.#documents ? converted : { ...converted, content }, isOfFile)
    }
  }

  async #report(converted: Converted, isOfFile = false): Promise<void> {
    const tally = isOfFile ? undefined : tallyOf([converted.result.outcome])
    await this.report.append(this.report.reporter.one(converted), tally)
  }

  #sheetName = (relativePath: string): string => resultName(relativePath, [], 'csv')

  /** Writes the CSV file of all invoices of a source to the output folder. */
  async endOfFile(file: string, relativePath: string): Promise<void> {
    const { sheet, to } = this.settings
    if (!sheet || to !== 'csv' || !this.results) return
    const { rows } = this.#sheet
    this.#sheet = { rows: [], keys: new Set(), hasHead: false }
    if (rows.length === 0) return
    const bytes = sheet.encode(sheet.head() + sheet.textOf(rows))
    const outcome = { is_valid: true, errors: [] }
    const result = { file, index: null, line: 1, text: '', outcome, document: undefined, faultAt: 0 }
    const converted = { result, from: null, to, part: null, out: null }
    const written = await this.#toFolder(this.results, converted, this.#sheetName(relativePath), bytes)
    if (!written.result.outcome.is_valid) await this.#report(written)
  }
}

/** Returns the result as invalid, with an error stating why its file was not written. */
function withFault(result: Conversion['result'], item: ReturnType<typeof errorItem>): Conversion['result'] {
  const { outcome, positions } = result
  return {
    ...result,
    outcome: { ...outcome, is_valid: false, errors: [...outcome.errors, item] },
    ...(positions ? { positions: [...positions, { line: 1, column: 1 }] } : {}),
  }
}

/** Converts a file with one document per line. Writes each block before it reads the next. */
async function convertLines(cli: Cli, { file, relativePath }: Found, convert: Convert, delivery: Delivery) {
  for await (const { bytes, lines } of splitLines(shownName(file), openStream(cli, file))) {
    for (const { index, line, start, end } of lines) {
      const origin = { file: shownName(file), index, line }
      const result = tooLargeResult(origin, MAX_LINE_BYTES, delivery.settings)
      const long = { result, from: null, part: null, content: null }
      const conversions = start === end ? [long] : convert(bytes.subarray(start, end), origin)
      for (const one of conversions) await delivery.deliver(one, relativePath)
    }
    delivery.progress.advance(bytes.length, lines.length)
  }
}

async function run(cli: Cli, files: readonly Found[], flags: ConvertFlags, settings: ConvertSettings) {
  const { convertDocument } = await import('../input/input-conversion.ts')
  const names = files.map(({ file }) => file)
  const progress = await progressOf(cli, names, settings)
  const results = flags.out === undefined ? null : new Results(cli, flags.out, flags.force === true, names)
  const delivery = new Delivery(cli, settings, results, progress)
  const { report } = delivery
  await report.begin()
  const unreadable = await eachFile(cli, files, progress, async (found) => {
    const { file, relativePath } = found
    const convert: Convert = (bytes, at) => convertDocument(bytes, { file: shownName(file), ...at }, settings)
    if (settings.from !== 'csv' && (flags.ndjson || isBatchName(file)))
      await convertLines(cli, found, convert, delivery)
    else {
      const bytes = await readAll(cli, file)
      for (const one of convert(bytes, { index: null, line: 1 })) await delivery.deliver(one, relativePath)
      progress.advance(bytes.length, 1)
    }
    await delivery.endOfFile(shownName(file), relativePath)
  })
  await report.end()
  progress.hide()
  return unreadable ? 2 : report.invalid > 0 ? 1 : 0
}

/** Rejects a conversion from or to CSV without a mapping, and a mapping for other conversions. */
function checkMapping(cli: Cli, { from, to, mapping, ndjson }: ConvertFlags): void {
  const isSheet = from === 'csv' || to === 'csv'
  if (isSheet && mapping === undefined) throw cli.usageError(USAGE.csv_without_mapping)
  if (!isSheet && mapping !== undefined) throw cli.usageError(USAGE.mapping_without_csv)
  if (from === 'csv' && ndjson) throw cli.usageError(USAGE.ndjson_of_csv)
}

/** Rejects contradictory options before any file is read. */
async function checkFlags(
  cli: Cli,
  flags: ConvertFlags,
  format: Settings['format'],
  many: boolean,
): Promise<void> {
  const { out, to, force } = flags
  if (out === undefined && force) throw cli.usageError(USAGE.force_without_out)
  if (out === undefined && (format === 'github' || format === 'sarif'))
    throw cli.usageError({
      en: `--format ${format} needs --out, because the invoice goes to the standard output`,
      es: `--format ${format} requiere --out, porque la factura va a la salida estándar`,
    })
  if (out === undefined && many && to !== 'json_1_1' && to !== 'csv' && format !== 'json')
    throw cli.usageError(USAGE.several_documents)
  const target = out === undefined ? null : await stat(cli.pathOf(out)).catch(() => null)
  if (target && !target.isDirectory()) throw cli.usageErrorAbout(`--out ${out}`, USAGE.not_a_folder)
}

async function start(cli: Cli, names: readonly string[], flags: ConvertFlags): Promise<number> {
  const { from, to, profile, direction, mapping } = flags
  checkMapping(cli, flags)
  const given = filesToRead(cli, names, flags.ndjson === true)
  checkStdin(cli, [...given, mapping])
  const files = await filesIn(cli, given, flags.out, from === 'csv')
  const split = flags.split === true
  const many =
    files.length > 1 || split || flags.ndjson || from === 'csv' || files.some(({ file }) => isBatchName(file))
  await checkFlags(cli, flags, flags.json ? 'json' : flags.format, many)
  const shape = many ? 'lines' : 'single'
  const settings = await settingsOf(cli, flags)
  const sheet =
    mapping === undefined ? null : await (await import('../input/mapping-file.ts')).readSheet(cli, mapping)
  const own = {
    command: 'validate',
    withData: false,
    shape,
    from,
    to,
    profile,
    direction,
    split,
    sheet,
  } as const
  return run(cli, files, flags, { ...settings, ...own })
}

const OUTLINE: CommandDefinition = {
  ...CONVERT,
  name: 'convert',
  argument: '[files...]',
  options: withTexts(CONVERT.options, {
    '--from <format>': { choices: ['auto', ...XML_FORMATS, 'json_1_1', 'csv'], defaultValue: 'auto' },
    '--to <format>': { choices: CONVERT_FORMATS, aliases: NEWEST, mandatory: true },
    '--profile <profile>': { choices: ['en16931', 'peppol', 'facturx', 'face'] },
    '--direction <direction>': { choices: ['received', 'issued'], defaultValue: 'received' },
    '--today <date>': TODAY,
    '--format <name>': FORMAT,
  }),
}

export function addConvertCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (files: string[], flags: ConvertFlags) => {
    cli.setExitCode(await start(cli, files, flags))
  })
}
