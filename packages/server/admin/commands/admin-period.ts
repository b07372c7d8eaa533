/** `verifactu period ...`: opens, changes, closes and lists periods. */
import { type Command, Option } from 'commander'
import {
  changePeriod,
  closePeriod,
  type ListedPeriod,
  listPeriods,
  type ModeChange,
  openPeriod,
  type PeriodDates,
  type PeriodEndFacts,
  type PeriodOpened,
  withdrawChange,
} from '../../src/service/verifactu/verifactu-periods.ts'
import type { Environment, Mode } from '../../src/store/tables.ts'
import { print, tableText } from '../admin-output.ts'
import { parseDay } from '../arguments.ts'
import type { Io } from '../io.ts'
import { inCompany, withCompany } from '../session.ts'
import { addCompanyCommand, type CompanyFlags, countText, environmentOption } from './commands.ts'

/** Describes a period: its mode, environment and dates. */
const datesText = ({ mode, environment, start_date, end_date }: PeriodDates): string =>
  `mode ${mode}, ${environment}, from ${start_date}${end_date === null ? '' : ` to ${end_date}`}`

function openedText(opened: PeriodOpened): string {
  const text = `Opened: ${datesText(opened)}.`
  const { without_record } = opened
  if (without_record === 0) return text
  return `${text}
${countText(without_record, 'invoice')} issued since the last period was closed ${without_record === 1 ? 'has' : 'have'} no record and no QR. Next time, change the mode with \`cuadra-admin verifactu period change\`, which leaves no time between two periods.`
}

const endedText = (closed: PeriodDates): string =>
  `Closed: ${datesText(closed)}.${closed.mode === 'verifactu' ? ' Waiting records are still sent.' : ''}`

const DECLARE = 'declare the end on its website'
const ANNOUNCEMENTS = {
  announced: 'A message has announced the end to the tax authority (FechaFinVeriFactu).',
  pending: `The last message of 31 December announces the end to the tax authority (FechaFinVeriFactu). If none is sent then, ${DECLARE}.`,
  not_announced: `No message has announced the end to the tax authority (FechaFinVeriFactu), and none is left to send: ${DECLARE}.`,
}

/** Describes, one line each, whether the end of the period is announced, and which corrections must precede it. */
function endText({ mode, environment }: PeriodDates, { end_announced, unresolved }: PeriodEndFacts): string {
  const announced =
    end_announced === null || environment === 'test' ? '' : `\n${ANNOUNCEMENTS[end_announced]}`
  return unresolved === 0 || mode !== 'verifactu'
    ? announced
    : `${announced}\n${countText(unresolved, 'invoice')} with a record that was rejected or needs a correction. \`cuadra-admin doctor\` states the commands. Correct them before VERI*FACTU ends: later corrections are not sent.`
}

const closedText = (closed: PeriodDates & PeriodEndFacts, company: string): string =>
  `${endedText(closed)}${endText(closed, closed)}
Invoices issued from now on have no record and no QR. If the company goes on invoicing, open a period now: \`cuadra-admin verifactu period open --company ${company} --mode MODE\`, again in ${closed.environment}. To change the mode, use \`cuadra-admin verifactu period change\` instead of closing and opening.`

function changeText({ planned, closes, opens, ...end }: ModeChange, company: string): string {
  const bound =
    opens.mode === 'verifactu' && opens.environment === 'production'
      ? `\nVERI*FACTU must then be used until 31 December ${opens.start_date.slice(0, 4)} (art. 16 RD 1007/2023).`
      : ''
  const more = `${bound}${endText(closes, end)}`
  if (!planned) return `${endedText(closes)}\nOpened: ${datesText(opens)}.${more}`
  return `Planned: ${datesText(opens)}.
Until then: ${datesText(closes)}. The change takes effect at midnight in Madrid, whatever is running then. Withdraw it with \`cuadra-admin verifactu period withdraw --company ${company}\`.${more}`
}

const listText = (all: readonly ListedPeriod[]): string =>
  all.length === 0
    ? 'The company has no period.'
    : tableText(
        ['state', 'mode', 'environment', 'from', 'to', 'invoices without record after it'],
        all.map((one) => [
          one.state,
          one.mode,
          one.environment,
          one.start_date,
          one.end_date ?? '-',
          one.state === 'closed' ? one.without_record : '-',
        ]),
      ).trimEnd()

interface OpenFlags extends CompanyFlags {
  readonly mode: Mode
  readonly production?: true
  readonly test?: true
}

interface ChangeFlags extends CompanyFlags {
  readonly mode: Mode
  readonly environment?: Environment
  readonly from?: string
  readonly anyway?: true
}

const MODE = (): Option =>
  new Option('--mode <mode>', 'send the records (verifactu), or sign and keep them (no_verifactu)')
    .choices(['verifactu', 'no_verifactu'])
    .makeOptionMandatory()

export function addPeriodCommands(verifactu: Command, io: Io): void {
  const period = verifactu
    .command('period')
    .description('open, change, close and list periods of record keeping')
    .helpCommand(false)

  addCompanyCommand(period, 'open', 'open a period as of today')
    .addOption(MODE())
    .addOption(
      new Option(
        '--production',
        'use the production environment (default: that of the last period)',
      ).conflicts('test'),
    )
    .option('--test', 'use the test environment, also after a production period')
    .action(async ({ company, mode, production, test, json }: OpenFlags) => {
      const opened = await inCompany(io, company, (tx, call) =>
        openPeriod(tx, call, { mode, sandbox: production ? false : test }),
      )
      print(io, json, opened, () => openedText(opened))
    })

  addCompanyCommand(
    period,
    'change',
    'replace the open period by another mode or environment, now or on a later day',
  )
    .addOption(MODE())
    .addOption(environmentOption())
    .option('--from <day>', 'first day of the new period, YYYY-MM-DD (default: now)', parseDay)
    .option('--anyway', 'leave VERI*FACTU on another day than 31 December')
    .action(async ({ company, json, ...wanted }: ChangeFlags) => {
      const change = await inCompany(io, company, (tx, call) => changePeriod(tx, call, wanted))
      print(io, json, change, () => changeText(change, company))
    })

  addCompanyCommand(period, 'withdraw', 'withdraw the planned change').action(
    async ({ company, json }: CompanyFlags) => {
      const withdrawn = await inCompany(io, company, withdrawChange)
      print(
        io,
        json,
        withdrawn,
        () =>
          `Withdrawn: ${datesText(withdrawn)}. The open period continues.${withdrawn.environment === 'production' && withdrawn.end_announced === 'announced' ? ' A message has already announced the end to the tax authority (FechaFinVeriFactu): correct it on its website.' : ''}`,
      )
    },
  )

  addCompanyCommand(period, 'list', 'list the periods and the planned change').action(
    async ({ company, json }: CompanyFlags) => {
      const all = await withCompany(io, company, ({ app, store }) => listPeriods(store, app.clock))
      print(io, json, all, () => listText(all))
    },
  )

  addCompanyCommand(period, 'close', 'close the open period today; invoices issued afterwards have no record')
    .option('--anyway', 'close it even though VERI*FACTU must be kept until 31 December')
    .action(async ({ company, anyway, json }: CompanyFlags & { readonly anyway?: true }) => {
      const closed = await inCompany(io, company, (tx, call) =>
        closePeriod(tx, call, { anyway: anyway ?? false }),
      )
      print(io, json, closed, () => closedText(closed, company))
    })
}
