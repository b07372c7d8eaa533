/** The commands of `cuadra`. */
import { Command } from 'commander'
import { colorsOf } from '../input/colors.ts'
import { colored, columns, type Done, day, type SharedFlags, shared } from '../input/flags.ts'
import { version } from '../input/version.ts'
import { catalogText, rulesText, type View } from './catalog.ts'
import { addConvertCommand } from './convert.ts'
import { addDocumentCommand } from './documents.ts'
import { addRecordCommand } from './record.ts'
import { addVerifyChainCommand } from './verify-chain.ts'

const EXAMPLES = `
Examples:
  cuadra validate invoice.json
  cuadra validate --operation issue --company company.json invoices/*.json
  cat batch.ndjson | cuadra validate --ndjson --json > verdicts.ndjson
  cuadra explain --locale es invoice.json
  cuadra convert --to ubl_2_1 --out xml/ invoices/
  cuadra record invoice.json --previous last.json --svg qr.svg
  cuadra verify-chain records.ndjson

Exit codes: 0 all valid, 1 some not valid, 2 wrong use or a file that cannot be read.`

const viewOf = (flags: SharedFlags): View => ({
  json: flags.json === true,
  locale: flags.locale,
  colors: colorsOf(colored(flags)),
  width: process.stdout.isTTY ? columns() : 10_000,
})

export function programOf(done: Done): Command {
  const program = new Command('cuadra')
    .description(
      'Validates, calculates, explains and converts Spanish invoices (json_1_1, Facturae, UBL, CII).',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .showHelpAfterError('See cuadra --help.')
    .exitOverride()
  addDocumentCommand(program, 'validate', 'say what is wrong with invoices, and what they add up to', done)
  addDocumentCommand(program, 'explain', 'say where every cent comes from', done)
  addDocumentCommand(program, 'reconcile', 'compare the amounts sent with the computed ones', done)
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
  addConvertCommand(program, done)
  addRecordCommand(program, done)
  addVerifyChainCommand(program, done)
  return program
}
