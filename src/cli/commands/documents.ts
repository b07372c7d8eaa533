/** `cuadra validate`, `explain` and `reconcile`: their options. */
import { availableParallelism } from 'node:os'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Operation, Options } from '../../api/index.ts'
import { UsageError } from '../../errors/index.ts'
import { spanishDay } from '../../fiscal/moment.ts'
import type { Cli } from '../input/cli.ts'
import { readCompany } from '../input/company-file.ts'
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
import { filesIn } from '../input/folders.ts'
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
  readonly fix?: true
  readonly dryRun?: true
}

const threads =
  (cli: Cli) =>
  (text: string): number => {
    const number = Number(text)
    if (!/^\d+$/.test(text) || number > 256)
      throw new InvalidArgumentError(
        cli.say({ en: 'It must be a number from 0 to 256.', es: 'Debe ser un número de 0 a 256.' }),
      )
    return number
  }

function fixOf(cli: Cli, { fix, dryRun }: DocumentFlags): 'write' | 'say' | null {
  if (dryRun && !fix)
    throw new UsageError(
      cli.say({
        en: '--dry-run is for --fix: validate alone writes nothing',
        es: '--dry-run es para --fix: validate por sí solo no escribe nada',
      }),
    )
  return fix ? (dryRun ? 'say' : 'write') : null
}

async function optionsOf(cli: Cli, flags: DocumentFlags): Promise<Options> {
  return {
    locale: flags.locale,
    today: flags.today ?? spanishDay(Date.now()),
    operation: flags.operation,
    totals: flags.totals,
    company: flags.company === undefined ? undefined : await readCompany(cli, flags.company),
  }
}

export function addDocumentCommand(
  program: Command,
  name: Settings['command'],
  description: string,
  cli: Cli,
): void {
  const command = program
    .command(name)
    .description(description)
    .argument(
      '[files...]',
      cli.say({
        en: 'JSON, NDJSON (.ndjson, .jsonl) and XML files (Facturae, UBL, CII), folders of them, or - for the standard input',
        es: 'ficheros JSON, NDJSON (.ndjson, .jsonl) y XML (Facturae, UBL, CII), carpetas de ellos, o - para la entrada estándar',
      }),
    )
    .addOption(
      new Option(
        '--operation <name>',
        cli.say({ en: 'what the invoice is checked for', es: 'para qué se comprueba la factura' }),
      ).choices(['draft', 'issue', 'import', 'received']),
    )
    .addOption(companyOption(cli))
    .addOption(todayOption(cli))
    .addOption(
      new Option(
        '--totals <mode>',
        cli.say({
          en: 'replace the totals sent, or check them',
          es: 'sustituye los totales enviados, o los comprueba',
        }),
      ).choices(['recalculate', 'check']),
    )
    .addOption(formatOption(cli))
    .option(
      '-q, --quiet',
      cli.say({
        en: 'print only documents that are not valid',
        es: 'imprime solo los documentos no válidos',
      }),
    )
    .option(
      '--no-data',
      cli.say({
        en: 'leave the completed invoice out of JSON answers and the totals out of text',
        es: 'omite la factura completada en JSON y los totales en texto',
      }),
    )
    .option(
      '--ndjson',
      cli.say({
        en: 'every input holds one document a line',
        es: 'cada entrada tiene un documento por línea',
      }),
    )
    .option(
      '--workers <number>',
      cli.say({
        en: 'threads for a batch; without it, the cores but one',
        es: 'hilos para un lote; sin ella, los núcleos menos uno',
      }),
      threads(cli),
    )
  if (name === 'validate')
    command
      .option(
        '--fix',
        cli.say({
          en: 'mend in the files what has one certain mend, and say what',
          es: 'corrige en los ficheros lo que tiene una única corrección segura, y dice qué',
        }),
      )
      .option(
        '--dry-run',
        cli.say({
          en: 'with --fix: say what it would mend, write nothing',
          es: 'con --fix: dice qué corregiría, sin escribir nada',
        }),
      )
  shared(cli, command).action(async (names: string[], flags: DocumentFlags) => {
    const fix = fixOf(cli, flags)
    const given = checkFiles(cli, names, flags.ndjson === true, fix)
    const inputs = {
      files: (await filesIn(cli, given, undefined)).map(({ file }) => file),
      ndjson: flags.ndjson === true,
      workers: flags.workers ?? Math.max(1, availableParallelism() - 1),
      fix,
    }
    const settings: Settings = {
      command: name,
      format: flags.json ? 'json' : flags.format,
      locale: flags.locale,
      options: await optionsOf(cli, flags),
      quiet: flags.quiet === true,
      withData: flags.data,
      color: colored(cli, flags),
      links: linking(cli, flags),
      width: columns(cli),
      shape: shapeOf(inputs),
    }
    cli.done(await runDocuments(cli, inputs, settings))
  })
}
