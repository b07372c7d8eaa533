/** `verifactu ...`: sending by hand, corrections after an answer, and the periods in which records are kept. */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { CuadraError, UsageError } from '../../errors/index.ts'
import type { Locale } from '../../invoice/index.ts'
import type { Call } from '../../server/service/access/call.ts'
import { blockedMessage } from '../../server/service/transmission/blocked.ts'
import { type Corrected, correctRecord } from '../../server/service/verifactu/correct.ts'
import { closePeriod, openPeriod, type PeriodChange } from '../../server/service/verifactu/periods.ts'
import type { Answered } from '../../server/service/verifactu/sending/answer-request.ts'
import type { Report } from '../../server/service/verifactu/sending/sender.ts'
import { amountText } from '../../server/service/verifactu/summary.ts'
import type { Tx } from '../../server/store/store.ts'
import type { Environment, Mode } from '../../server/store/tables.ts'
import { day, matching, uuid, wrong } from '../arguments.ts'
import type { Io } from '../io.ts'
import { answer, factsText } from '../output.ts'
import { type OfCompany, withCompany } from '../session.ts'
import { type CompanyFlags, ENVIRONMENT, LOCALE, ofCompany, plural, timeOf } from './commands.ts'
import { addCompareCommand, environmentFor } from './compare.ts'

/** The services are called as by a request of the company, for which the administrator stands. */
const callOf = (own: OfCompany, locale: Locale = 'en'): Call => ({
  ...own,
  requestId: 'cuadra-admin',
  locale,
  keyId: '',
  size: 0,
  idempotencyKey: undefined,
})

const inCompany = <T>(
  io: Io,
  companyId: string,
  work: (tx: Tx, call: Call) => Promise<T>,
  locale: Locale = 'en',
): Promise<T> =>
  withCompany(io, companyId, (own) => own.store.transaction((tx) => work(tx, callOf(own, locale))))

function reportText({ environment, settled, waiting, next, stopped, busy }: Report): string {
  const lines = [`${environment}: ${plural(settled, 'record')} with an answer, ${waiting} waiting.`]
  if (stopped) lines.push(`  ${blockedMessage(stopped, 'en')}`)
  if (busy) lines.push('  A server is sending at this moment.')
  if (next !== null && waiting > 0)
    lines.push(`  The next message may go at ${timeOf(next)} UTC; the server sends it by itself.`)
  return lines.join('\n')
}

interface Sent {
  readonly reports: readonly Report[]
  /** Only the servers have a way to the authority; so many records wait for them. */
  readonly handed: number | null
}

async function sendNowOf(io: Io, companyId: string): Promise<Sent> {
  const { requestSending, sendNow, wireOf } = await import('../../server/service/verifactu/sending/sender.ts')
  return withCompany(io, companyId, async ({ app }) => {
    if (!app.reachesAuthority()) return { reports: [], handed: await requestSending(app, companyId) }
    const sending = { app, wire: wireOf(app), owner: app.owner }
    return { reports: await sendNow(sending, companyId), handed: null }
  })
}

function sentText({ reports, handed }: Sent): string {
  if (handed !== null)
    return handed === 0
      ? 'Nothing waits.'
      : `${plural(handed, 'record')} waiting. No simulator runs with this data folder, so they go when a server with a way to the tax authority runs.`
  return reports.length === 0 ? 'Nothing waits.' : reports.map(reportText).join('\n')
}

const periodText = ({ mode, environment, start_date, end_date }: PeriodChange): string =>
  end_date === null
    ? `Opened: mode ${mode}, ${environment}, from ${start_date}.`
    : `Closed: mode ${mode}, ${environment}, from ${start_date} to ${end_date}. Records that wait are sent all the same.`

interface PeriodFlags extends CompanyFlags {
  readonly from: string
  readonly to: string
  readonly environment?: Environment
}

interface ExportFlags extends PeriodFlags {
  readonly out: string
  readonly request?: string
}

interface RequestFlags extends PeriodFlags {
  readonly request: string
}

const reference = matching(
  /^[A-Za-z0-9]{1,18}$/,
  'It must be the reference of the request: up to 18 letters and figures.',
)

function requireDays({ from, to }: PeriodFlags): void {
  if (to < from) throw new UsageError(`--to ${to} is before --from ${from}.`)
}

async function exportedOf(io: Io, flags: ExportFlags) {
  requireDays(flags)
  const { writtenAside } = await import('../aside.ts')
  const { ExportFolder } = await import('../export/folder.ts')
  const { exportRequested } = await import('../export/requested.ts')
  const { commandsOf, readMe } = await import('../export/read-me.ts')
  const { recordExport } = await import('../../server/service/verifactu/exported.ts')
  return withCompany(io, flags.company, async (own) => {
    const { company: id, from, to, request } = flags
    const { app, store, company } = own
    const environment = await environmentFor(store, flags.environment, 'there is nothing to export')
    const out = resolve(flags.out)
    const full = 'The disk is full. Nothing was exported; make room and try again.'
    return writtenAside(out, full, async (path) => {
      const folder = await ExportFolder.make(path)
      const wanted = { environment, from, to, request }
      const written = await exportRequested(app, company, wanted, folder)
      const { records, events, problems, found, unsigned, messages } = written
      await folder.text('LEEME.txt', readMe(company, wanted, written))
      const recorded = await store.transaction((tx) => recordExport(tx, callOf(own), environment, written))
      const about = {
        format: 'cuadra-verifactu-export',
        version: 1,
        company_id: id,
        tax_id: company.data.tax_id,
        environment,
        from,
        to,
        request: request ?? null,
        exported_at: app.clock.stamp(),
        registrations: records.alta,
        cancellations: records.anulacion,
        events: events.count,
        total_tax: amountText(records.tax),
        total_amount: amountText(records.amount),
        first: records.first,
        last: records.last,
        unsigned,
        messages,
        recorded_events: recorded,
        whole: found === 0,
        problems,
        found,
        verify_with: commandsOf(written),
      }
      await folder.finish(about)
      return { ...about, out }
    })
  })
}

async function answeredOf(io: Io, flags: RequestFlags): Promise<Answered> {
  requireDays(flags)
  const { answerRequest } = await import('../../server/service/verifactu/sending/answer-request.ts')
  const { wireOf } = await import('../../server/service/verifactu/sending/sender.ts')
  return withCompany(io, flags.company, async ({ app, store, company }) => {
    const { from, to, request } = flags
    const environment = await environmentFor(store, flags.environment, 'there is nothing to export')
    if (!app.reachesAuthority())
      throw new CuadraError(
        'No simulator runs with this data folder, so there is no way to the tax authority. Start the server, then try again.',
      )
    const sending = { app, wire: wireOf(app), owner: app.owner }
    const pause = async (seconds: number) => {
      io.err(`The tax authority asks to wait ${seconds} s before the last message.\n`)
      await sleep(seconds * 1000)
    }
    return answerRequest(sending, company, { environment, reference: request, from, to }, pause)
  })
}

interface CorrectFlags extends CompanyFlags {
  readonly invoice: string
  readonly recipientName?: string
  readonly recipientId?: string
  readonly recipientNotInCensus?: true
  readonly locale: Locale
}

/** Text that says something: an empty name or number would be no correction. */
const filledIn = (text: string): string => text.trim() || wrong('It must not be empty.')

function correctedText({ tipo, sequence, num_serie, corrects }: Corrected, locale: Locale): string {
  const isAlta = tipo === 'alta'
  return {
    en: `Made a further ${isAlta ? 'registration' : 'cancellation'} of ${num_serie}: record ${sequence} of the chain, after the answer to record ${corrects}. It is sent by itself.`,
    es: `Se ha generado ${isAlta ? 'un alta nueva' : 'una anulación nueva'} de ${num_serie}: registro ${sequence} de la cadena, tras la respuesta al registro ${corrects}. Se envía automáticamente.`,
  }[locale]
}

interface OpenFlags extends CompanyFlags {
  readonly mode: Mode
  readonly production?: true
}

function addCorrect(verifactu: Command, io: Io): void {
  ofCompany(verifactu, 'correct', 'make the record that the authority’s answer asks for')
    .requiredOption('--invoice <id>', 'id of the invoice', uuid)
    .option(
      '--recipient-name <name>',
      'name of the customer as registered (persons: surnames first)',
      filledIn,
    )
    .option('--recipient-id <id>', 'NIF of the customer, or its other tax id, as registered', filledIn)
    .option('--recipient-not-in-census', 'the NIF of the customer is right and not in the census (IDType 07)')
    .addOption(LOCALE())
    .action(async (flags: CorrectFlags) => {
      const { company, invoice, recipientName, recipientId, recipientNotInCensus, locale, json } = flags
      const fixed = {
        recipient: {
          ...(recipientName === undefined ? {} : { name: recipientName }),
          ...(recipientId === undefined ? {} : { id: recipientId }),
        },
        ...(recipientNotInCensus ? { recipient_not_in_census: true } : {}),
      }
      const made = await inCompany(io, company, (tx, call) => correctRecord(tx, call, invoice, fixed), locale)
      answer(io, json, made, () => correctedText(made, locale))
    })
}

const ofPeriod: typeof ofCompany = (parent, name, description) =>
  ofCompany(parent, name, description)
    .requiredOption('--from <day>', 'first day, by the moment at which records were made', day)
    .requiredOption('--to <day>', 'last day', day)

function addExport(verifactu: Command, io: Io): void {
  ofPeriod(verifactu, 'export', 'write the records and events of a period as they were signed')
    .requiredOption('--out <folder>', 'folder that is not there yet, or empty')
    .option('--request <reference>', 'write the messages that answer this request too', reference)
    .addOption(ENVIRONMENT())
    .action(async (flags: ExportFlags) => {
      const done = await exportedOf(io, flags)
      answer(io, flags.json, done, () =>
        factsText([
          ['folder', done.out],
          ['registrations', done.registrations],
          ['cancellations', done.cancellations],
          ['events', done.events],
          ['messages', done.messages],
          ...done.verify_with.map((one) => ['to verify there', one] as const),
        ]),
      )
      if (!done.whole)
        throw new CuadraError(
          `The chain is not whole: ${plural(done.found, 'finding')}; LEEME.txt and index.json say which. First: ${done.problems[0]} Run \`cuadra-admin verify\`.`,
        )
    })
}

function addAnswerRequest(verifactu: Command, io: Io): void {
  ofCompany(verifactu, 'answer-request', 'send the tax authority the records that it has asked for')
    .requiredOption('--request <reference>', 'reference of the request', reference)
    .requiredOption('--from <day>', 'first day, by the moment at which records were made', day)
    .requiredOption('--to <day>', 'last day', day)
    .addOption(ENVIRONMENT())
    .action(async (flags: RequestFlags) => {
      const done = await answeredOf(io, flags)
      answer(io, flags.json, done, () =>
        factsText([
          ['records', done.records],
          ['messages', done.messages],
          ['accepted', done.accepted],
          ['accepted with errors', done.with_errors],
          ['rejected', done.rejected],
          ...done.csv.map((one) => ['CSV', one] as const),
        ]),
      )
      if (done.stopped)
        throw new CuadraError(
          `${blockedMessage(done.stopped, 'en')} What has its answer is stored; the same command goes on after it.`,
        )
    })
}

function addPeriods(verifactu: Command, io: Io): void {
  const period = verifactu.command('period').description('when records are kept').helpCommand(false)

  ofCompany(period, 'open', 'open a period from today')
    .addOption(
      new Option('--mode <mode>', 'records are sent, or signed and kept')
        .choices(['verifactu', 'no_verifactu'])
        .makeOptionMandatory(),
    )
    .option('--production', 'in earnest; otherwise with the test service of the tax authority')
    .action(async ({ company, mode, production, json }: OpenFlags) => {
      const opened = await inCompany(io, company, (tx, call) =>
        openPeriod(tx, call, { mode, sandbox: !production }),
      )
      answer(io, json, opened, () => periodText(opened))
    })

  ofCompany(period, 'close', 'close the open period today')
    .option('--anyway', 'although VERI*FACTU lasts until 31 December')
    .action(async ({ company, anyway, json }: CompanyFlags & { readonly anyway?: true }) => {
      const closed = await inCompany(io, company, (tx, call) =>
        closePeriod(tx, call, { anyway: anyway ?? false }),
      )
      answer(io, json, closed, () => periodText(closed))
    })
}

export function add(verifactu: Command, io: Io): void {
  addCompareCommand(verifactu, io)

  ofCompany(verifactu, 'send-now', 'send what waits now; the authority’s own waiting time is kept').action(
    async ({ company, json }: CompanyFlags) => {
      const sent = await sendNowOf(io, company)
      answer(io, json, sent, () => sentText(sent))
    },
  )

  addCorrect(verifactu, io)
  addExport(verifactu, io)
  addAnswerRequest(verifactu, io)
  addPeriods(verifactu, io)
}
