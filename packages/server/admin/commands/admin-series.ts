/** `series configure`: sets the number template and the counter of a series. */
import type { Command } from 'commander'
import { CuadraError } from '#core/errors/index.ts'
import {
  counterOf,
  lockSeries,
  numberOf,
  verifactuNumberProblem,
} from '../../src/service/invoice/numbering.ts'
import type { Tx } from '../../src/store/store.ts'
import { labelledLines, print } from '../admin-output.ts'
import { parseCounter, parseSeriesCode } from '../arguments.ts'
import type { Io } from '../io.ts'
import { parseNumberTemplate, parsePdfTemplate } from '../known-values.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import { changeCompany } from '../session.ts'
import { addCompanyCommand, type CompanyFlags } from './commands.ts'

interface ConfigureFlags extends CompanyFlags {
  readonly code: string
  readonly template?: string
  readonly next?: number
  readonly pdfTemplate?: string
}

const LONGEST_NUMBER = 60

interface Shape {
  readonly series_code: string
  readonly template: string
}

/** Returns the highest counter among the numbers of a series under a template; 0 if there is none. */
async function highestAssigned(tx: Tx, shape: Shape): Promise<number> {
  const numbers = tx.select('numbers').select(['number', 'series_code'])
  let highest = 0
  for await (const { number, series_code } of rowsInKeyOrder(numbers, 'number'))
    if (series_code === shape.series_code) highest = Math.max(highest, counterOf(shape, number) ?? 0)
  return highest
}

const configureSeries = (io: Io, flags: ConfigureFlags) =>
  changeCompany(io, flags.company, async (tx, { app }) => {
    const { company, code } = flags
    const series = await lockSeries(tx, code, app.clock.stamp())
    const shape = { series_code: code, template: flags.template ?? series.template }
    const next_number = flags.next ?? series.next_number
    const highest = await highestAssigned(tx, shape)
    if (next_number <= highest)
      throw new CuadraError(
        `The number ${numberOf(shape, highest)} of series ${code} is in use, so the next one cannot be ${numberOf(shape, next_number)}. Use --next ${highest + 1} or more.`,
      )
    const next = numberOf(shape, next_number)
    if (next.length > LONGEST_NUMBER)
      throw new CuadraError(
        `The number ${next} has ${next.length} characters; the maximum is ${LONGEST_NUMBER}. Shorten the template or the code.`,
      )
    const changes = { template: shape.template, next_number }
    await tx.change(
      'series',
      {
        ...changes,
        ...(flags.pdfTemplate === undefined ? {} : { pdf_template: flags.pdfTemplate }),
      },
      { series_code: code },
    )
    const { pdf_template } = await tx
      .find('series', { series_code: code })
      .select('pdf_template')
      .executeTakeFirstOrThrow()
    return { company_id: company, series_code: code, ...changes, pdf_template, next }
  })

export function add(series: Command, io: Io): void {
  addCompanyCommand(series, 'configure', 'set the template and counter of a series, and create it if needed')
    .requiredOption('--code <code>', 'code of the series', parseSeriesCode)
    .option(
      '--template <template>',
      'template of its numbers, with {series} and {number} or {number:6} (default: unchanged)',
      parseNumberTemplate,
    )
    .option('--next <counter>', 'counter of the next number', parseCounter)
    .option('--pdf-template <name>', 'template of its PDF: <design>-<style>', parsePdfTemplate)
    .action(async (flags: ConfigureFlags) => {
      const done = await configureSeries(io, flags)
      const problem = verifactuNumberProblem(done.next)
      if (problem !== null)
        io.err(
          `note: VeriFactu rejects the invoices of this series: ${problem} Use another --code or --template.\n`,
        )
      print(io, flags.json, done, () =>
        labelledLines([
          ['series', done.series_code],
          ['template', done.template],
          ['next number', done.next],
          ['PDF template', done.pdf_template],
        ]),
      )
    })
}
