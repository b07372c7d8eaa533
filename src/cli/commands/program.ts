/** The commands of `cuadra`. */
import { Command, Option } from 'commander'
import { version } from '../../../package.json'
import type { Cli } from '../input/cli.ts'
import { colorsOf } from '../input/colors.ts'
import {
  addCommand,
  addOptions,
  colored,
  columns,
  type DeclaredOptions,
  day,
  type Outline,
  type SharedFlags,
} from '../input/flags.ts'
import { catalogText, rulesText, type View } from './catalog.ts'
import { addCompletionCommand } from './completion.ts'
import { addConvertCommand } from './convert.ts'
import { addDocumentCommand } from './documents.ts'
import { addRecordCommand } from './record.ts'
import { speakSpanish } from './spanish.ts'
import { addVerifyChainCommand } from './verify-chain.ts'

const EXAMPLES = `
  cuadra validate invoice.json
  cuadra validate --operation issue --company company.json invoices/
  cuadra validate --fix --dry-run invoice.json
  cat batch.ndjson | cuadra validate --ndjson --json > verdicts.ndjson
  cuadra explain --locale es invoice.json
  cuadra convert --to ubl_2_1 --out xml/ invoices/
  cuadra record invoice.json --previous last.json --svg qr.svg
  cuadra verify-chain records.ndjson
`

const NOTES = {
  en: `
Examples:${EXAMPLES}
Exit codes: 0 all valid, 1 some not valid, 2 wrong use or a file that cannot be read.`,
  es: `
Ejemplos:${EXAMPLES.replaceAll('invoice', 'factura').replaceAll('company.json', 'empresa.json')}
Códigos de salida: 0 si todo es válido, 1 si algo no lo es, 2 si el uso es incorrecto o un fichero no se puede leer.`,
}

const viewOf = (cli: Cli, flags: SharedFlags): View => ({
  json: flags.json === true,
  locale: flags.locale,
  colors: colorsOf(colored(cli, flags)),
  width: columns(cli, 10_000),
  say: cli.say,
})

const CATALOG: Outline = {
  name: 'catalog',
  about: {
    en: 'print a catalog of codes, or the names of all',
    es: 'imprime un catálogo de códigos, o los nombres de todos',
  },
  argument: '[name]',
}

const RULES: Outline = {
  name: 'rules',
  about: { en: 'print the rules, or one in full', es: 'imprime las reglas, o una con todo detalle' },
  argument: '[code]',
}

/** Of `catalog` alone. */
const ON: DeclaredOptions = {
  '--on <date>': {
    en: 'the rows in force on a day, YYYY-MM-DD',
    es: 'las filas vigentes un día, AAAA-MM-DD',
    parse: day,
  },
}

function addListCommands(cli: Cli, program: Command): void {
  const catalog = addOptions(cli, addCommand(cli, program, CATALOG), ON)
  catalog.action((name: string | undefined, flags: SharedFlags & { on?: string }) => {
    cli.out.write(catalogText(name, flags.on, viewOf(cli, flags)))
    cli.done(0)
  })
  addCommand(cli, program, RULES).action((code: string | undefined, flags: SharedFlags) => {
    cli.out.write(rulesText(code, viewOf(cli, flags)))
    cli.done(0)
  })
}

/** The commands that judge documents, and what each does. */
const JUDGING = {
  validate: {
    en: 'say what is wrong with invoices, and what they add up to',
    es: 'dice qué está mal en las facturas y cuánto suman',
  },
  explain: { en: 'say where every cent comes from', es: 'dice de dónde sale cada céntimo' },
  reconcile: {
    en: 'compare the amounts sent with the computed ones',
    es: 'compara los importes enviados con los calculados',
  },
} as const

export function programOf(cli: Cli): Command {
  const program = new Command('cuadra')
  if (cli.locale === 'es') speakSpanish(program)
  program
    .description(
      cli.say({
        en: 'Validates, calculates, explains and converts Spanish invoices (json_1_1, Facturae, UBL, CII).',
        es: 'Valida, calcula, explica y convierte facturas españolas (json_1_1, Facturae, UBL, CII).',
      }),
    )
    .version(version, '-V, --version', cli.say({ en: 'print the version', es: 'imprime la versión' }))
    .helpOption('-h, --help', cli.say({ en: 'print this help', es: 'imprime esta ayuda' }))
    .addOption(
      new Option('--locale <language>', cli.say({ en: 'language', es: 'idioma' })).choices(['en', 'es']),
    )
    .helpCommand(false)
    .addHelpText('after', cli.say(NOTES))
    .showHelpAfterError(cli.say({ en: 'See cuadra --help.', es: 'Vea cuadra --help.' }))
    .configureOutput({
      writeOut: (text) => void cli.out.write(text),
      writeErr: (text) => void cli.err.write(text),
    })
    .exitOverride()
  for (const name of ['validate', 'explain', 'reconcile'] as const)
    addDocumentCommand(cli, program, name, JUDGING[name])
  addListCommands(cli, program)
  addConvertCommand(cli, program)
  addRecordCommand(cli, program)
  addVerifyChainCommand(cli, program)
  addCompletionCommand(cli, program)
  return program
}
