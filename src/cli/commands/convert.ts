/** `cuadra convert`: converts invoices from one format to another. */
import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
import { tooLarge } from '../input/check-document.ts'
import type { Cli } from '../input/cli.ts'
import type { Conversion, ConvertSettings } from '../input/conversion.ts'
import { faultItem } from '../input/faults.ts'
import {
  addCommand,
  COMPANY,
  type DocumentFlags,
  FORMAT,
  type Outline,
  settingsOf,
  TODAY,
} from '../input/flags.ts'
import { type Found, filesIn } from '../input/folders.ts'
import { isBatchName, openStream, readAll, STDIN, shownName } from '../input/inputs.ts'
import { Results, resultName } from '../input/results.ts'
import { type Settings, TARGETS } from '../input/settings.ts'
import { MAX_LINE_BYTES, splitLines } from '../input/split-lines.ts'
import { type Converted, conversionReporterOf } from '../report/conversions.ts'
import { Output } from '../report/output.ts'
import type { Progress } from '../report/progress.ts'
import type { Reporter } from '../report/reporter.ts'
import { checkFiles, eachFile, progressOf } from './run-documents.ts'

const XML_FORMATS = ['facturae_3_2_2', 'facturae_3_2_1', 'facturae_3_2', 'ubl_2_1', 'cii_d16b']

interface ConvertFlags extends DocumentFlags, Pick<ConvertSettings, 'from' | 'to' | 'direction'> {
  readonly out?: string
  readonly force?: true
  readonly split?: true
}

type Convert = (bytes: Uint8Array, position: { index: number | null; line: number }) => Conversion[]

/** Writes results to the output folder, the standard output, or the `--json` report. */
class Delivery {
  readonly report: Output<Reporter<Converted>>
  readonly #documents: Output | null

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

  /** Writes a result to its file. Documents of a batch are named by their line number. */
  async #write(
    results: Results,
    { result, part }: Conversion,
    content: string | object,
    relativePath: string,
  ) {
    const { to, locale } = this.settings
    const numbers: string[] = result.index === null ? [] : [String(result.line).padStart(6, '0')]
    if (part) numbers.push(String(part.number).padStart(String(part.count).length, '0'))
    const name = resultName(relativePath, numbers, to === 'json_1_1' ? 'json' : 'xml')
    const out = results.pathOf(name)
    const writeFault = await results.write(name, this.#text(content))
    return writeFault === null
      ? { out }
      : { result: withFault(result, faultItem(writeFault, { file: out }, locale)) }
  }

  /** Writes one result and adds it to the report. */
  async deliver(conversion: Conversion, relativePath: string): Promise<void> {
    const { result, from, part, content } = conversion
    let converted: Converted = { result, from, to: this.settings.to, part, out: null }
    if (this.results && content !== null)
      converted = { ...converted, ...(await this.#write(this.results, conversion, content, relativePath)) }
    else if (this.#documents && content !== null) await this.#documents.append(this.#text(content))
    else if (!this.results) converted = { ...converted, content }
    await this.report.append(
      this.report.reporter.one(converted),
      1,
      converted.result.outcome.is_valid ? 0 : 1,
    )
  }
}

/** Adds an error about writing the result. */
function withFault(result: Conversion['result'], item: ReturnType<typeof faultItem>): Conversion['result'] {
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
      const result = tooLarge(origin, MAX_LINE_BYTES, delivery.settings)
      const long = { result, from: null, part: null, content: null }
      const conversions = start === end ? [long] : convert(bytes.subarray(start, end), origin)
      for (const one of conversions) await delivery.deliver(one, relativePath)
    }
    delivery.progress.advance(bytes.length, lines.length)
  }
}

async function run(cli: Cli, files: readonly Found[], flags: ConvertFlags, settings: ConvertSettings) {
  const { convertDocument } = await import('../input/conversion.ts')
  const names = files.map(({ file }) => file)
  const progress = await progressOf(cli, names, settings)
  const results = flags.out === undefined ? null : new Results(cli, flags.out, flags.force === true, names)
  const delivery = new Delivery(cli, settings, results, progress)
  const { report } = delivery
  await report.begin()
  const unreadable = await eachFile(cli, files, progress, async (found) => {
    const { file, relativePath } = found
    const convert: Convert = (bytes, at) => convertDocument(bytes, { file: shownName(file), ...at }, settings)
    if (flags.ndjson || isBatchName(file)) return convertLines(cli, found, convert, delivery)
    const bytes = await readAll(cli, file)
    for (const one of convert(bytes, { index: null, line: 1 })) await delivery.deliver(one, relativePath)
    progress.advance(bytes.length, 1)
  })
  await report.end()
  progress.hide()
  return unreadable ? 2 : report.invalid > 0 ? 1 : 0
}

/** Rejects contradictory options before any file is read. */
async function checkFlags(
  cli: Cli,
  flags: ConvertFlags,
  format: Settings['format'],
  many: boolean,
): Promise<void> {
  const { out, to, force } = flags
  if (out === undefined && force)
    throw cli.usageError({
      en: '--force needs a folder of results: add --out',
      es: '--force requiere una carpeta de resultados: añada --out',
    })
  if (out === undefined && (format === 'github' || format === 'sarif'))
    throw cli.usageError({
      en: `--format ${format} needs --out, because the invoice goes to the standard output`,
      es: `--format ${format} requiere --out, porque la factura va a la salida estándar`,
    })
  if (out === undefined && many && to !== 'json_1_1' && format !== 'json')
    throw cli.usageError({
      en: 'several XML documents cannot share one output: specify a folder with --out, or use --json',
      es: 'varios documentos XML no caben en una sola salida: indique una carpeta con --out, o use --json',
    })
  const target = out === undefined ? null : await stat(cli.pathOf(out)).catch(() => null)
  if (target && !target.isDirectory())
    throw cli.usageErrorAbout(`--out ${out}`, {
      en: 'is a file; specify a folder',
      es: 'es un fichero; indique una carpeta',
    })
}

async function start(cli: Cli, names: readonly string[], flags: ConvertFlags): Promise<number> {
  const given = checkFiles(cli, names, flags.ndjson === true)
  const files = await filesIn(cli, given, flags.out)
  const { from, to, direction } = flags
  const split = flags.split === true
  const many = files.length > 1 || split || flags.ndjson || files.some(({ file }) => isBatchName(file))
  await checkFlags(cli, flags, flags.json ? 'json' : flags.format, many)
  const shape = many ? 'lines' : 'single'
  const settings = await settingsOf(cli, flags)
  const own = { command: 'validate', withData: false, shape, from, to, direction, split } as const
  return run(cli, files, flags, { ...settings, ...own })
}

const OUTLINE: Outline = {
  name: 'convert',
  about: {
    en: 'convert invoices to Facturae, UBL, CII or json_1_1',
    es: 'convierte facturas a Facturae, UBL, CII o json_1_1',
  },
  argument: '[files...]',
  argumentText: {
    en: `XML, JSON and NDJSON files, folders that contain them, or ${STDIN} for the standard input`,
    es: `ficheros XML, JSON y NDJSON, carpetas que los contengan, o ${STDIN} para la entrada estándar`,
  },
  options: {
    '--from <format>': {
      en: 'format of the input',
      es: 'formato de entrada',
      choices: ['auto', ...XML_FORMATS, 'json_1_1'],
      defaultValue: 'auto',
    },
    '--to <format>': {
      en: 'format of the result',
      es: 'formato del resultado',
      choices: TARGETS,
      mandatory: true,
    },
    '--out <folder>': {
      en: 'write the results to a folder instead of the standard output',
      es: 'escribe los resultados en una carpeta en lugar de la salida estándar',
    },
    '--force': {
      en: 'replace existing files in that folder',
      es: 'sustituye los ficheros que ya existan en esa carpeta',
    },
    '--split': {
      en: 'split Facturae files with several invoices',
      es: 'divide los ficheros Facturae con varias facturas',
    },
    '--direction <direction>': {
      en: 'whether the company received or issued the XML documents',
      es: 'si la empresa ha recibido o expedido los documentos XML',
      choices: ['received', 'issued'],
      defaultValue: 'received',
    },
    ...COMPANY,
    ...TODAY,
    ...FORMAT,
    '-q, --quiet': {
      en: 'report only documents that cannot be converted',
      es: 'informa solo de los documentos que no se pueden convertir',
    },
    '--ndjson': {
      en: 'read one JSON document per line',
      es: 'lee un documento JSON por línea',
    },
  },
}

export function addConvertCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (files: string[], flags: ConvertFlags) => {
    cli.setExitCode(await start(cli, files, flags))
  })
}
