/** Runs `cuadra books`: reads canonical invoices and writes the VAT books as XLSX. Loaded on demand. */

import { readBookCompany } from '#records/books/book-settings.ts'
import { type BookCompany, type BookInvoice, type Quarter, vatBooks } from '#records/books/index.ts'
import { summaryText } from '../../books-file/summary-text.ts'
import { fileNameOf, workbookOf } from '../../books-file/workbook.ts'
import { USAGE } from '../generated/texts/usage.ts'
import type { DocumentResult } from '../input/check-document.ts'
import type { Cli } from '../input/cli.ts'
import { colorsOf } from '../input/colors.ts'
import { readCompany } from '../input/company-options.ts'
import type { ConvertSettings } from '../input/convert-settings.ts'
import { filesIn } from '../input/folders.ts'
import { checkJson } from '../input/input-conversion.ts'
import { type SharedFlags, settingsOf, terminalColumns } from '../input/input-flags.ts'
import { Results } from '../input/input-results.ts'
import { checkStdin, isBatchName, looksLikeXml, openStream, readAll, shownName } from '../input/inputs.ts'
import { splitLines } from '../input/split-lines.ts'
import { plainItem } from '../report/item-lines.ts'
import { reporterOf } from '../report/report-formats.ts'
import { filesToRead } from './run-documents.ts'

export interface BooksFlags extends SharedFlags {
  readonly company: string
  readonly year: number
  readonly until: Quarter
  readonly out: string
  readonly today?: string
}

/** Returns the company of the books. Throws a `UsageError` with all problems of its settings. */
async function companyFor(cli: Cli, file: string): Promise<BookCompany> {
  const read = readBookCompany(await readCompany(cli, file))
  if ('company' in read) return read.company
  const problems = read.problems.map((text) => cli.translate(text)).join('\n')
  throw cli.usageErrorAbout(`--company ${shownName(file)}`, { en: problems, es: problems })
}

/** Returns the validated documents of a file. */
async function resultsOf(cli: Cli, file: string, settings: ConvertSettings): Promise<DocumentResult[]> {
  const name = shownName(file)
  if (!isBatchName(file)) {
    const bytes = await readAll(cli, file)
    if (looksLikeXml(bytes)) throw cli.usageErrorAbout(name, USAGE.books_of_xml)
    return [checkJson(bytes, { file: name, index: null, line: 1 }, settings)]
  }
  const results: DocumentResult[] = []
  for await (const { bytes, lines } of splitLines(name, openStream(cli, file)))
    for (const { index, line, start, end } of lines)
      results.push(checkJson(bytes.subarray(start, end), { file: name, index, line }, settings))
  return results
}

const sourceOf = ({ file, index, line }: DocumentResult): string =>
  index === null ? file : `${file}:${line}`

export async function writeBooks(cli: Cli, names: readonly string[], flags: BooksFlags): Promise<number> {
  const { year, until, out, locale } = flags
  checkStdin(cli, [...filesToRead(cli, names, false), flags.company])
  const company = await companyFor(cli, flags.company)
  const shared = await settingsOf(cli, { ...flags, format: 'text' })
  const own = {
    command: 'validate',
    withData: true,
    shape: 'several',
    from: 'json_1_1',
    to: 'json_1_1',
  } as const
  const settings = {
    ...shared,
    ...own,
    direction: 'received',
    split: false,
    sheet: null,
    quiet: true,
  } as const
  const invoices: BookInvoice[] = []
  const invalid: DocumentResult[] = []
  // The company file may be in the folder of the invoices, and is not an invoice.
  const files = (await filesIn(cli, names, out)).filter(
    ({ file }) => cli.pathOf(file) !== cli.pathOf(flags.company),
  )
  for (const { file } of files)
    for (const result of await resultsOf(cli, file, settings)) {
      const { is_valid, data } = result.outcome
      if (is_valid && data) invoices.push({ source: sourceOf(result), invoice: data })
      else invalid.push(result)
    }
  const reporter = reporterOf({ ...settings, format: 'text' })
  for (const result of invalid) cli.err.write(reporter.one(result))
  if (invalid.length > 0) {
    cli.err.write(
      `cuadra: ${cli.translate({
        en: `nothing was written, because invoices are not valid (${invalid.length}): correct them, or remove them`,
        es: `no se ha escrito nada, porque hay facturas no válidas (${invalid.length}): corríjalas o quítelas`,
      })}\n`,
    )
    return 1
  }
  const result = vatBooks({ company, year, until, invoices, locale })
  const colors = colorsOf(settings.color)
  for (const item of result.items)
    cli.err.write(`${plainItem(item, colors, terminalColumns(cli)).join('\n')}\n`)
  if (!result.ok) return 1
  const { books } = result
  const results = new Results(cli, out, true, [])
  const name = fileNameOf(company, year)
  await results.write(name, await workbookOf(books))
  const file = results.pathOf(name)
  const { sums } = books
  cli.out.write(
    flags.json ? `${JSON.stringify({ file, sums }, null, 2)}\n` : `${summaryText(sums, locale)}→ ${file}\n`,
  )
  return 0
}
