/** Reads the file given with `--mapping`. */
import { readMapping } from '../spreadsheet/mapping.ts'
import { SpreadsheetFormat } from '../spreadsheet/sheet.ts'
import type { Cli } from './cli.ts'
import { jsonIn, parsedJson, readAll, shownName } from './inputs.ts'

/** Returns the spreadsheet format of a mapping file. Throws a `UsageError` with all its problems. */
export async function readSheet(cli: Cli, file: string): Promise<SpreadsheetFormat> {
  const about = `--mapping ${shownName(file)}`
  const text = jsonIn(file, new TextDecoder().decode(await readAll(cli, file)))
  const { mapping, problems } = readMapping(parsedJson(cli, about, text))
  if (problems.length === 0) return new SpreadsheetFormat(mapping)
  const list = problems.map(
    ({ path, ...text }) => `\n  ${path === '' ? '' : `${path}: `}${cli.translate(text)}`,
  )
  throw cli.usageErrorAbout(about, { en: list.join(''), es: list.join('') })
}
