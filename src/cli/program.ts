/** The commands and options of `cuadra`. */
import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Locale, Operation, Options } from '../index.ts'
import { isDate } from '../invoice/date.ts'
import { catalogText, rulesText, type View } from './catalog-command.ts'
import { colorsOf, wantsColor } from './colors.ts'
import { readCompany } from './company-file.ts'
import { checkFiles, runDocuments, shapeOf } from './run-documents.ts'
import type { Format, Settings } from './settings.ts'
import { todayInMadrid } from './today.ts'
import { version } from './version.ts'

interface SharedFlags {
  readonly locale: Locale
  readonly color: boolean
  readonly json?: true
}

interface DocumentFlags extends SharedFlags {
  readonly operation?: Operation
  readonly company?: string
  readonly today?: string
  readonly totals?: 'recalculate' | 'check'
  readonly format: Format
  readonly quiet?: true
  readonly data: boolean
  readonly ndjson?: true
  readonly workers?: number
}

const day = (text: string): string => {
  if (!isDate(text)) throw new InvalidArgumentError('It must be a date YYYY-MM-DD.')
  return text
}

const threads = (text: string): number => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > 256)
    throw new InvalidArgumentError('It must be a number from 0 to 256.')
  return number
}

const EXAMPLES = `
Examples:
  cuadra validate invoice.json
  cuadra validate --operation issue --company company.json invoices/*.json
  cat batch.ndjson | cuadra validate --ndjson --json > verdicts.ndjson
  cuadra explain --locale es invoice.json

Exit codes: 0 all valid, 1 some not valid, 2 wrong use or a file that cannot be read.`

const columns = (): number => Math.max(60, process.stdout.columns || 100)

const colored = ({ color }: SharedFlags): boolean =>
  wantsColor({ option: color, env: process.env, isTerminal: process.stdout.isTTY === true })

const viewOf = (flags: SharedFlags): View => ({
  json: flags.json === true,
  locale: flags.locale,
  colors: colorsOf(colored(flags)),
  width: process.stdout.isTTY ? columns() : 10_000,
})

async function optionsOf(flags: DocumentFlags): Promise<Options> {
  return {
    locale: flags.locale,
    today: flags.today ?? todayInMadrid(),
    operation: flags.operation,
    totals: flags.totals,
    company: flags.company === undefined ? undefined : await readCompany(flags.company),
  }
}

const shared = (command: Command): Command =>
  command
    .addOption(new Option('--locale <language>', 'language').choices(['en', 'es']).default('en'))
    .option('--json', 'answer as JSON')
    .option('--no-color', 'no colours; NO_COLOR and FORCE_COLOR count too')

function documents(program: Command, name: Settings['command'], description: string, done: Done): void {
  const command = program
    .command(name)
    .description(description)
    .argument('[files...]', 'JSON files, NDJSON files (.ndjson, .jsonl), or - for the standard input')
    .addOption(
      new Option('--operation <name>', 'what the invoice is checked for').choices([
        'draft',
        'issue',
        'import',
        'received',
      ]),
    )
    .option('--company <file>', 'the company of the invoices (company.json)')
    .option('--today <date>', 'YYYY-MM-DD; without it, today in Madrid', day)
    .addOption(
      new Option('--totals <mode>', 'replace the totals sent, or check them').choices([
        'recalculate',
        'check',
      ]),
    )
    .addOption(
      new Option('--format <name>', 'form of the answer')
        .choices(['text', 'json', 'github', 'sarif'])
        .default('text'),
    )
    .option('-q, --quiet', 'print only documents that are not valid')
    .option('--no-data', 'leave the completed invoice out of JSON answers and the totals out of text')
    .option('--ndjson', 'every input holds one document a line')
    .option('--workers <number>', 'threads for a batch; without it, the cores but one', threads)
  shared(command).action(async (files: string[], flags: DocumentFlags) => {
    const inputs = {
      files: checkFiles(files, flags.ndjson === true),
      ndjson: flags.ndjson === true,
      workers: flags.workers ?? Math.max(1, availableParallelism() - 1),
    }
    const settings: Settings = {
      command: name,
      format: flags.json ? 'json' : flags.format,
      locale: flags.locale,
      options: await optionsOf(flags),
      quiet: flags.quiet === true,
      withData: flags.data,
      color: colored(flags),
      width: columns(),
      shape: shapeOf(inputs),
    }
    done(await runDocuments(inputs, settings))
  })
}

/** Receives the exit code. */
export type Done = (code: number) => void

export function programOf(done: Done): Command {
  const program = new Command('cuadra')
    .description('Validates, calculates and explains Spanish invoices (json_1_1).')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('See cuadra --help.')
    .exitOverride()
  documents(program, 'validate', 'say what is wrong with invoices, and what they add up to', done)
  documents(program, 'explain', 'say where every cent comes from', done)
  documents(program, 'reconcile', 'compare the amounts sent with the computed ones', done)
  shared(program.command('catalog').description('print a catalog of codes, or the names of all'))
    .argument('[name]')
    .option('--on <date>', 'the rows in force on a day, YYYY-MM-DD', day)
    .action((name: string | undefined, flags: SharedFlags & { on?: string }) => {
      process.stdout.write(catalogText(name, flags.on, viewOf(flags)))
      done(0)
    })
  shared(program.command('rules').description('print the rules, or one in full'))
    .argument('[code]')
    .action((code: string | undefined, flags: SharedFlags) => {
      process.stdout.write(rulesText(code, viewOf(flags)))
      done(0)
    })
  return program
}
