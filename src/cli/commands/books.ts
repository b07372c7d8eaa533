/** Options of `cuadra books`. */
import { type Command, InvalidArgumentError } from 'commander'
import { QUARTERS } from '../../books/settings.ts'
import type { Cli } from '../input/cli.ts'
import { addCommand, COMPANY, type Outline, TODAY } from '../input/flags.ts'
import { STDIN } from '../input/inputs.ts'
import type { BooksFlags } from './books-run.ts'

const year = (cli: Cli) => (text: string) => {
  if (/^20\d\d$/.test(text)) return Number(text)
  throw new InvalidArgumentError(
    cli.translate({ en: 'Use a year such as 2026.', es: 'Indique un año, como 2026.' }),
  )
}

const OUTLINE: Outline = {
  name: 'books',
  about: {
    en: 'write the VAT books of a company as XLSX, in the format of the tax authority',
    es: 'escribe los libros registro de IVA de una empresa en XLSX, en el formato de la AEAT',
  },
  argument: '[files...]',
  argumentText: {
    en: `JSON and NDJSON files with canonical invoices, folders that contain them, or ${STDIN} for the standard input`,
    es: `ficheros JSON y NDJSON con facturas canónicas, carpetas que los contengan, o ${STDIN} para la entrada estándar`,
  },
  options: {
    '--company <file>': { ...COMPANY['--company <file>'], mandatory: true },
    '--year <year>': { en: 'year of the books', es: 'ejercicio de los libros', parse: year, mandatory: true },
    '--until <quarter>': {
      en: 'last quarter; the books begin on 1 January',
      es: 'último trimestre; los libros empiezan el 1 de enero',
      choices: QUARTERS,
      mandatory: true,
    },
    '--out <folder>': {
      en: 'folder of the XLSX file, which is replaced',
      es: 'carpeta del fichero XLSX, que se sustituye',
      mandatory: true,
    },
    ...TODAY,
  },
}

export function addBooksCommand(cli: Cli, program: Command): void {
  addCommand(cli, program, OUTLINE).action(async (files: string[], flags: BooksFlags) => {
    const { writeBooks } = await import('./books-run.ts')
    cli.setExitCode(await writeBooks(cli, files, flags))
  })
}
