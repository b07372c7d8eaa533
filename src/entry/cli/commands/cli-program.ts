/** Builds the program `cuadra` with all its commands. */
import { Command, Option } from 'commander'
import { commandLineAddress, problemsAddress } from '#core/site/index.ts'
import { version } from '../../../../package.json'
import { CHECKS, PROGRAM } from '../generated/texts/options.ts'
import type { Cli } from '../input/cli.ts'
import { colorsOf } from '../input/colors.ts'
import {
  addCommand,
  addOptions,
  type CommandDefinition,
  type DeclaredOptions,
  isColored,
  parseDay,
  type SharedFlags,
  terminalColumns,
} from '../input/input-flags.ts'
import { addBooksCommand } from './books-command.ts'
import { type CatalogView, catalogText, rulesText } from './catalog-command.ts'
import { addCompletionCommand } from './completion-command.ts'
import { addConvertCommand } from './convert-command.ts'
import { addDocumentCommand } from './documents-command.ts'
import { addNewCommand } from './new-command.ts'
import { addRecordCommand } from './record-command.ts'
import { spanishMessageOf, useSpanish } from './spanish-help.ts'
import { addVerifyChainCommand } from './verify-chain-command.ts'

const EXAMPLES = `
  cuadra new --out invoice.jsonc
  cuadra validate invoice.json
  cuadra validate --operation issue --company company.json invoices/
  cuadra validate --fix --dry-run invoice.json
  cat batch.ndjson | cuadra validate --ndjson --json > results.ndjson
  cuadra explain --locale es invoice.json
  cuadra convert --to ubl_2_1 --out xml/ invoices/
  cuadra record invoice.json --previous last.json --svg qr.svg
  cuadra verify-chain records.ndjson
  cuadra books invoices/ --company company.json --year 2026 --until 1T --out books/
`

const NOTES = {
  en: `
Examples:${EXAMPLES}
Exit codes: 0 all valid, 1 some invalid, 2 usage error or unreadable file.`,
  es: `
Ejemplos:${EXAMPLES.replaceAll('invoice', 'factura').replaceAll('company.json', 'empresa.json')}
Códigos de salida: 0 todo es válido, 1 algo no lo es, 2 uso incorrecto o fichero ilegible.`,
}

/** Returns where the documentation is and where problems are reported, if these have addresses. */
const addressesNote = ({ translate, locale }: Cli): string => {
  const page = commandLineAddress(locale) ?? translate(PROGRAM.packaged_documentation)
  const lines = [`${translate({ en: 'Documentation:', es: 'Documentación:' })} ${page}`]
  if (problemsAddress !== undefined)
    lines.push(
      `${translate({ en: 'Report problems at', es: 'Comunique los problemas en' })} ${problemsAddress}`,
    )
  return `\n${lines.join('\n')}`
}

const viewOf = (cli: Cli, flags: SharedFlags): CatalogView => ({
  json: flags.json === true,
  locale: flags.locale,
  colors: colorsOf(isColored(cli, flags)),
  width: terminalColumns(cli, 10_000),
  translate: cli.translate,
})

const CATALOG: CommandDefinition = {
  name: 'catalog',
  about: PROGRAM.catalog,
  argument: '[name]',
}

const RULES: CommandDefinition = {
  name: 'rules',
  about: PROGRAM.rules,
  argument: '[code]',
}

/** Options that only `catalog` has. */
const ON: DeclaredOptions = {
  '--on <date>': {
    en: 'print only the rows in force on a date, YYYY-MM-DD',
    es: 'imprime solo las filas vigentes en una fecha, AAAA-MM-DD',
    parse: parseDay,
  },
}

function addListCommands(cli: Cli, program: Command): void {
  const catalog = addOptions(cli, addCommand(cli, program, CATALOG), ON)
  catalog.action((name: string | undefined, flags: SharedFlags & { on?: string }) => {
    cli.out.write(catalogText(name, flags.on, viewOf(cli, flags)))
    cli.setExitCode(0)
  })
  addCommand(cli, program, RULES).action((code: string | undefined, flags: SharedFlags) => {
    cli.out.write(rulesText(code, viewOf(cli, flags)))
    cli.setExitCode(0)
  })
}

export function programOf(cli: Cli): Command {
  const program = new Command('cuadra')
  if (cli.locale === 'es') useSpanish(program)
  program
    .description(cli.translate(PROGRAM.about))
    .version(version, '-V, --version', cli.translate({ en: 'print the version', es: 'imprime la versión' }))
    .helpOption('-h, --help', cli.translate({ en: 'print this help', es: 'imprime esta ayuda' }))
    .addOption(
      new Option('--locale <language>', cli.translate({ en: 'language', es: 'idioma' })).choices([
        'en',
        'es',
      ]),
    )
    .helpCommand(
      'help [command]',
      cli.translate({ en: 'print the help of a command', es: 'imprime la ayuda de un comando' }),
    )
    .addHelpText('after', `${cli.translate(NOTES)}${addressesNote(cli)}`)
    .showHelpAfterError(cli.translate({ en: 'See cuadra --help.', es: 'Vea cuadra --help.' }))
    .configureOutput({
      writeOut: (text) => void cli.out.write(text),
      writeErr: (text) => void cli.err.write(text),
      outputError: (text, write) =>
        write((cli.locale === 'es' ? spanishMessageOf(text) : text).replace(/^error: /, 'cuadra: ')),
    })
    .exitOverride()
  addNewCommand(cli, program)
  for (const name of ['validate', 'explain', 'reconcile'] as const)
    addDocumentCommand(cli, program, name, CHECKS[name])
  addListCommands(cli, program)
  addConvertCommand(cli, program)
  addRecordCommand(cli, program)
  addVerifyChainCommand(cli, program)
  addBooksCommand(cli, program)
  addCompletionCommand(cli, program)
  return program
}
