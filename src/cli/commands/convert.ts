/** `cuadra convert`: invoices from one format to another. */
import { stat } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { UsageError } from '../../errors/index.ts'
import { spanishDay } from '../../fiscal/moment.ts'
import type { Cli } from '../input/cli.ts'
import { colorsOf } from '../input/colors.ts'
import { readCompany } from '../input/company-file.ts'
import type { Conversion, ConvertSettings } from '../input/conversion.ts'
import { faultItem } from '../input/faults.ts'
import {
  colored,
  columns,
  companyOption,
  formatOption,
  linking,
  type SharedFlags,
  shared,
  todayOption,
} from '../input/flags.ts'
import { type Found, filesIn } from '../input/folders.ts'
import { isBatchName, openStream, readAll, STDIN, shownName, sizeOf } from '../input/inputs.ts'
import { Results, resultName } from '../input/results.ts'
import type { Format } from '../input/settings.ts'
import { MAX_LINE_BYTES, splitLines } from '../input/split-lines.ts'
import { tooLarge } from '../input/verdict.ts'
import { type Converted, conversionReporterOf } from '../report/conversions.ts'
import { Output } from '../report/output.ts'
import { NO_PROGRESS, type Progress, progressBar } from '../report/progress.ts'
import { checkFiles } from './run-documents.ts'

const XML_FORMATS = ['facturae_3_2_2', 'facturae_3_2_1', 'facturae_3_2', 'ubl_2_1', 'cii_d16b']
const TARGETS = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b', 'json_1_1']

interface ConvertFlags extends SharedFlags {
  readonly from: ConvertSettings['from']
  readonly to: ConvertSettings['to']
  readonly out?: string
  readonly force?: true
  readonly split?: true
  readonly direction: 'received' | 'issued'
  readonly company?: string
  readonly today?: string
  readonly format: Format
  readonly quiet?: true
  readonly ndjson?: true
}

type Convert = (bytes: Uint8Array, place: { index: number | null; line: number }) => Conversion[]

/** Where results go: to their folder, to the standard output, or into the answer of `--json`. */
class Delivery {
  readonly #settings: ConvertSettings
  readonly #results: Results | null
  readonly #report: Output
  readonly #documents: Output | null
  readonly #one: (converted: Converted) => string

  constructor(cli: Cli, settings: ConvertSettings, results: Results | null, progress: Progress) {
    const reporter = conversionReporterOf(settings)
    const here = results === null && settings.format === 'text'
    this.#settings = settings
    this.#results = results
    this.#one = reporter.one
    this.#report = new Output(here ? cli.err : cli.out, reporter as never, progress)
    this.#documents = here ? new Output(cli.out, { begin: '', separator: '' } as never, progress) : null
  }

  get refused(): number {
    return this.#report.invalid
  }

  begin(): Promise<void> {
    return this.#report.begin()
  }

  end(): Promise<void> {
    return this.#report.end()
  }

  #text(content: string | object): string {
    if (typeof content === 'string') return content.endsWith('\n') ? content : `${content}\n`
    const alone = this.#results !== null || this.#settings.shape === 'single'
    return `${alone ? JSON.stringify(content, null, 2) : JSON.stringify(content)}\n`
  }

  /** Hands over one result, and tells of it. `line` numbers the documents of a batch. */
  async take({ verdict, from, part, content }: Conversion, place: string): Promise<void> {
    const { to, locale } = this.#settings
    let converted: Converted = { verdict, from, to, part, out: null }
    if (this.#results && content !== null) {
      const numbers: string[] = verdict.index === null ? [] : [String(verdict.line).padStart(6, '0')]
      if (part) numbers.push(String(part.number).padStart(String(part.count).length, '0'))
      const name = resultName(place, numbers, to === 'json_1_1' ? 'json' : 'xml')
      const out = this.#results.pathOf(name)
      const refusal = await this.#results.write(name, this.#text(content))
      if (refusal === null) converted = { ...converted, out }
      else
        converted = { ...converted, verdict: withFault(verdict, faultItem(refusal, { file: out }, locale)) }
    } else if (this.#documents && content !== null) await this.#documents.piece(this.#text(content))
    else if (!this.#results) converted = { ...converted, content }
    await this.#report.piece(this.#one(converted), 1, converted.verdict.answer.is_valid ? 0 : 1)
  }
}

/** The document is what it was; it is its result that there is no room for. */
function withFault(
  verdict: Conversion['verdict'],
  item: ReturnType<typeof faultItem>,
): Conversion['verdict'] {
  const { answer, marks } = verdict
  return {
    ...verdict,
    answer: { ...answer, is_valid: false, errors: [...answer.errors, item] },
    ...(marks ? { marks: [...marks, { line: 1, column: 1 }] } : {}),
  }
}

/** One document a line: read, converted and written before the next ones are read. */
async function convertLines(
  cli: Cli,
  found: Found,
  convert: Convert,
  settings: ConvertSettings,
  take: Delivery,
  progress: Progress,
) {
  const { file, place } = found
  for await (const { bytes, lines } of splitLines(shownName(file), openStream(cli, file))) {
    for (const { index, line, start, end } of lines) {
      const origin = { file: shownName(file), index, line }
      const long = {
        verdict: tooLarge(origin, MAX_LINE_BYTES, settings),
        from: null,
        part: null,
        content: null,
      }
      const conversions = start === end ? [long] : convert(bytes.subarray(start, end), origin)
      for (const one of conversions) await take.take(one, place)
    }
    progress.advance(bytes.length, lines.length)
  }
}

async function run(
  cli: Cli,
  files: readonly Found[],
  flags: ConvertFlags,
  settings: ConvertSettings,
): Promise<number> {
  const { convertDocument } = await import('../input/conversion.ts')
  const names = files.map(({ file }) => file)
  const { err, env } = cli
  const progress =
    err.isTTY && !env.CI && settings.shape === 'lines'
      ? progressBar(err, await sizeOf(cli, names), colorsOf(settings.color), () => performance.now())
      : NO_PROGRESS
  const results = flags.out === undefined ? null : new Results(cli, flags.out, flags.force === true, names)
  const delivery = new Delivery(cli, settings, results, progress)
  let unreadable = false
  await delivery.begin()
  for (const found of files)
    try {
      const { file, place } = found
      const convert: Convert = (bytes, at) =>
        convertDocument(bytes, { file: shownName(file), ...at }, settings)
      if (flags.ndjson || isBatchName(file))
        await convertLines(cli, found, convert, settings, delivery, progress)
      else {
        const bytes = await readAll(cli, file)
        for (const one of convert(bytes, { index: null, line: 1 })) await delivery.take(one, place)
        progress.advance(bytes.length, 1)
      }
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      progress.hide()
      err.write(`cuadra: ${error.message}\n`)
      unreadable = true
    }
  await delivery.end()
  progress.hide()
  return unreadable ? 2 : delivery.refused > 0 ? 1 : 0
}

/** Refuses what can only be a mistake, before anything is read. */
async function checkFlags(cli: Cli, flags: ConvertFlags, format: Format, many: boolean): Promise<void> {
  const { out, to, force } = flags
  if (out === undefined && force)
    throw new UsageError(
      cli.say({
        en: '--force is for files: name their folder with --out',
        es: '--force es para ficheros: nombre su carpeta con --out',
      }),
    )
  if (out === undefined && (format === 'github' || format === 'sarif'))
    throw new UsageError(
      cli.say({
        en: `--format ${format} needs --out: the standard output is for the invoice`,
        es: `--format ${format} necesita --out: la salida estándar es para la factura`,
      }),
    )
  if (out === undefined && many && to !== 'json_1_1' && format !== 'json')
    throw new UsageError(
      cli.say({
        en: 'several XML documents do not fit into one output: name a folder with --out, or use --json',
        es: 'varios documentos XML no caben en una salida: nombre una carpeta con --out, o use --json',
      }),
    )
  const there = out === undefined ? null : await stat(cli.pathOf(out)).catch(() => null)
  if (there && !there.isDirectory())
    throw new UsageError(
      `--out ${out}: ${cli.say({ en: 'is a file; name a folder', es: 'es un fichero; nombre una carpeta' })}`,
    )
}

async function start(cli: Cli, names: readonly string[], flags: ConvertFlags): Promise<number> {
  const given = checkFiles(cli, names, flags.ndjson === true)
  const files = await filesIn(cli, given, flags.out)
  const many =
    files.length > 1 || flags.split || flags.ndjson || files.some(({ file }) => isBatchName(file)) || false
  const format = flags.json ? 'json' : flags.format
  await checkFlags(cli, flags, format, many)
  return run(cli, files, flags, {
    command: 'validate',
    format,
    locale: flags.locale,
    options: {
      locale: flags.locale,
      today: flags.today ?? spanishDay(Date.now()),
      company: flags.company === undefined ? undefined : await readCompany(cli, flags.company),
    },
    quiet: flags.quiet === true,
    withData: false,
    color: colored(cli, flags),
    links: linking(cli, flags),
    width: columns(cli),
    shape: many ? 'lines' : 'single',
    from: flags.from,
    to: flags.to,
    direction: flags.direction,
    split: flags.split === true,
  })
}

export function addConvertCommand(program: Command, cli: Cli): void {
  const command = program
    .command('convert')
    .description(
      cli.say({
        en: 'turn invoices into another format: Facturae, UBL, CII, json_1_1',
        es: 'convierte facturas a otro formato: Facturae, UBL, CII, json_1_1',
      }),
    )
    .argument(
      '[files...]',
      cli.say({
        en: `XML, JSON and NDJSON files, folders of them, or ${STDIN} for the standard input`,
        es: `ficheros XML, JSON y NDJSON, carpetas de ellos, o ${STDIN} para la entrada estándar`,
      }),
    )
    .addOption(
      new Option('--from <format>', cli.say({ en: 'what the documents are', es: 'qué son los documentos' }))
        .choices(['auto', ...XML_FORMATS, 'json_1_1'])
        .default('auto'),
    )
    .addOption(
      new Option('--to <format>', cli.say({ en: 'what they become', es: 'en qué se convierten' }))
        .choices(TARGETS)
        .makeOptionMandatory(),
    )
    .option(
      '--out <folder>',
      cli.say({
        en: 'folder of the results; without it, the standard output',
        es: 'carpeta de los resultados; sin ella, la salida estándar',
      }),
    )
    .option(
      '--force',
      cli.say({
        en: 'replace files of the same names in that folder',
        es: 'sustituye los ficheros de igual nombre en esa carpeta',
      }),
    )
    .option(
      '--split',
      cli.say({
        en: 'divide Facturae files of several invoices',
        es: 'divide los ficheros Facturae de varias facturas',
      }),
    )
    .addOption(
      new Option(
        '--direction <direction>',
        cli.say({
          en: 'what XML documents are to the company',
          es: 'qué son los documentos XML para la empresa',
        }),
      )
        .choices(['received', 'issued'])
        .default('received'),
    )
    .addOption(companyOption(cli))
    .addOption(todayOption(cli))
    .addOption(formatOption(cli))
    .option(
      '-q, --quiet',
      cli.say({
        en: 'tell only of documents that are not converted',
        es: 'informa solo de los documentos que no se convierten',
      }),
    )
    .option(
      '--ndjson',
      cli.say({
        en: 'every input holds one JSON document a line',
        es: 'cada entrada tiene un documento JSON por línea',
      }),
    )
  shared(cli, command).action(async (files: string[], flags: ConvertFlags) => {
    cli.done(await start(cli, files, flags))
  })
}
