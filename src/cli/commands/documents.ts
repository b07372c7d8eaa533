/** `cuadra validate`, `explain` and `reconcile`: their options. */
import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Operation, Options } from '../../api/index.ts'
import { spanishDay } from '../../fiscal/moment.ts'
import { readCompany } from '../input/company-file.ts'
import { colored, columns, type Done, day, linking, type SharedFlags, shared } from '../input/flags.ts'
import type { Format, Settings } from '../input/settings.ts'
import { checkFiles, runDocuments, shapeOf } from './run-documents.ts'

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

const threads = (text: string): number => {
  const number = Number(text)
  if (!/^\d+$/.test(text) || number > 256)
    throw new InvalidArgumentError('It must be a number from 0 to 256.')
  return number
}

async function optionsOf(flags: DocumentFlags): Promise<Options> {
  return {
    locale: flags.locale,
    today: flags.today ?? spanishDay(Date.now()),
    operation: flags.operation,
    totals: flags.totals,
    company: flags.company === undefined ? undefined : await readCompany(flags.company),
  }
}

export function addDocumentCommand(
  program: Command,
  name: Settings['command'],
  description: string,
  done: Done,
): void {
  const command = program
    .command(name)
    .description(description)
    .argument(
      '[files...]',
      'JSON, NDJSON (.ndjson, .jsonl) and XML files (Facturae, UBL, CII), or - for the standard input',
    )
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
      links: linking(flags),
      width: columns(),
      shape: shapeOf(inputs),
    }
    done(await runDocuments(inputs, settings))
  })
}
