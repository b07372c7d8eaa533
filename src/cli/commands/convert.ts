/** `cuadra convert`: invoices from one format to another. */
import { stat } from 'node:fs/promises'
import type { Command } from 'commander'
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
import { tooLarge } from '../input/verdict.ts'
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

type Convert = (bytes: Uint8Array, place: { index: number | null; line: number }) => Conversion[]

/** Where results go: to their folder, to the standard output, or into the answer of `--json`. */
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

  /** Writes a result to its file. `line` numbers the documents of a batch. */
  async #write(results: Results, { verdict, part }: Conversion, content: string | object, place: string) {
    const { to, locale } = this.settings
    const numbers: string[] = verdict.index === null ? [] : [String(verdict.line).padStart(6, '0')]
    if (part) numbers.push(String(part.number).padStart(String(part.count).length, '0'))
    const name = resultName(place, numbers, to === 'json_1_1' ? 'json' : 'xml')
    const out = results.pathOf(name)
    const refusal = await results.write(name, this.#text(content))
    return refusal === null
      ? { out }
      : { verdict: withFault(verdict, faultItem(refusal, { file: out }, locale)) }
  }

  /** Hands over one result, and tells of it. */
  async take(conversion: Conversion, place: string): Promise<void> {
    const { verdict, from, part, content } = conversion
    let converted: Converted = { verdict, from, to: this.settings.to, part, out: null }
    if (this.results && content !== null)
      converted = { ...converted, ...(await this.#write(this.results, conversion, content, place)) }
    else if (this.#documents && content !== null) await this.#documents.piece(this.#text(content))
    else if (!this.results) converted = { ...converted, content }
    await this.report.piece(this.report.reporter.one(converted), 1, converted.verdict.answer.is_valid ? 0 : 1)
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
async function convertLines(cli: Cli, { file, place }: Found, convert: Convert, delivery: Delivery) {
  for await (const { bytes, lines } of splitLines(shownName(file), openStream(cli, file))) {
    for (const { index, line, start, end } of lines) {
      const origin = { file: shownName(file), index, line }
      const verdict = tooLarge(origin, MAX_LINE_BYTES, delivery.settings)
      const long = { verdict, from: null, part: null, content: null }
      const conversions = start === end ? [long] : convert(bytes.subarray(start, end), origin)
      for (const one of conversions) await delivery.take(one, place)
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
    const { file, place } = found
    const convert: Convert = (bytes, at) => convertDocument(bytes, { file: shownName(file), ...at }, settings)
    if (flags.ndjson || isBatchName(file)) return convertLines(cli, found, convert, delivery)
    const bytes = await readAll(cli, file)
    for (const one of convert(bytes, { index: null, line: 1 })) await delivery.take(one, place)
    progress.advance(bytes.length, 1)
  })
  await report.end()
  progress.hide()
  return unreadable ? 2 : report.invalid > 0 ? 1 : 0
}

/** Refuses what can only be a mistake, before anything is read. */
async function checkFlags(
  cli: Cli,
  flags: ConvertFlags,
  format: Settings['format'],
  many: boolean,
): Promise<void> {
  const { out, to, force } = flags
  if (out === undefined && force)
    throw cli.refusal({
      en: '--force is for files: name their folder with --out',
      es: '--force es para ficheros: nombre su carpeta con --out',
    })
  if (out === undefined && (format === 'github' || format === 'sarif'))
    throw cli.refusal({
      en: `--format ${format} needs --out: the standard output is for the invoice`,
      es: `--format ${format} necesita --out: la salida estándar es para la factura`,
    })
  if (out === undefined && many && to !== 'json_1_1' && format !== 'json')
    throw cli.refusal({
      en: 'several XML documents do not fit into one output: name a folder with --out, or use --json',
      es: 'varios documentos XML no caben en una salida: nombre una carpeta con --out, o use --json',
    })
  const there = out === undefined ? null : await stat(cli.pathOf(out)).catch(() => null)
  if (there && !there.isDirectory())
    throw cli.refusalOf(`--out ${out}`, {
      en: 'is a file; name a folder',
      es: 'es un fichero; nombre una carpeta',
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
    en: 'turn invoices into another format: Facturae, UBL, CII, json_1_1',
    es: 'convierte facturas a otro formato: Facturae, UBL, CII, json_1_1',
  },
  argument: '[files...]',
  argumentText: {
    en: `XML, JSON and NDJSON files, folders of them, or ${STDIN} for the standard input`,
    es: `ficheros XML, JSON y NDJSON, carpetas de ellos, o ${STDIN} para la entrada estándar`,
  },
  options: {
    '--from <format>': {
      en: 'what the documents are',
      es: 'qué son los documentos',
      choices: ['auto', ...XML_FORMATS, 'json_1_1'],
      otherwise: 'auto',
    },
    '--to <format>': {
      en: 'what they become',
      es: 'en qué se convierten',
      choices: TARGETS,
      mandatory: true,
    },
    '--out <folder>': {
      en: 'folder of the results; without it, the standard output',
      es: 'carpeta de los resultados; sin ella, la salida estándar',
    },
    '--force': {
      en: 'replace files of the same names in that folder',
      es: 'sustituye los ficheros de igual nombre en esa carpeta',
    },
    '--split': {
      en: 'divide Facturae files of several invoices',
      es: 'divide los ficheros Facturae de varias facturas',
    },
    '--direction <direction>': {
      en: 'what XML documents are to the company',
      es: 'qué son los documentos XML para la empresa',
      choices: ['received', 'issued'],
      otherwise: 'received',
    },
    ...COMPANY,
    ...TODAY,
    ...FORMAT,
    '-q, --quiet': {
      en: 'tell only of documents that are not converted',
      es: 'informa solo de los documentos que no se convierten',
    },
    '--ndjson': {
      en: 'every input holds one JSON document a line',
      es: 'cada entrada tiene un documento JSON por línea',
    },
  },
}

export function addConvertCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (files: string[], flags: ConvertFlags) => {
    cli.done(await start(cli, files, flags))
  })
}
