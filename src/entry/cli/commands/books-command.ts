/** Options of `cuadra books`. */
import { type Command, InvalidArgumentError } from 'commander'
import { QUARTERS } from '#records/books/book-settings.ts'
import { BOOKS } from '../generated/texts/options.ts'
import type { Cli } from '../input/cli.ts'
import { addCommand, type CommandDefinition, TODAY, withTexts } from '../input/input-flags.ts'
import type { BooksFlags } from './books-run.ts'

const year = (cli: Cli) => (text: string) => {
  if (/^20\d\d$/.test(text)) return Number(text)
  throw new InvalidArgumentError(
    cli.translate({ en: 'Use a year such as 2026.', es: 'Indique un año, como 2026.' }),
  )
}

const OUTLINE: CommandDefinition = {
  ...BOOKS,
  name: 'books',
  argument: '[files...]',
  options: withTexts(BOOKS.options, {
    '--company <file>': { mandatory: true },
    '--year <year>': { parse: year, mandatory: true },
    '--until <quarter>': { choices: QUARTERS, mandatory: true },
    '--out <folder>': { mandatory: true },
    '--today <date>': TODAY,
  }),
}

export function addBooksCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (files: string[], flags: BooksFlags) => {
    const { writeBooks } = await import('./books-run.ts')
    cli.setExitCode(await writeBooks(cli, files, flags))
  })
}
