/** `verifactu ...`: sends, corrects, exports and compares records, and opens, changes, closes and lists periods. */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { CuadraError, UsageError } from '#core/errors/index.ts'
import type { Locale } from '#core/invoice/index.ts'
import { blockedMessage } from '../../src/service/transmission/blocked.ts'
import { type Corrected, correctRecord } from '../../src/service/verifactu/correct.ts'
import type { RequestResult, WaitForNextMessage } from '../../src/service/verifactu/sending/answer-request.ts'
import type { Report } from '../../src/service/verifactu/sending/verifactu-sender.ts'
import { amountText } from '../../src/service/verifactu/verifactu-summary.ts'
import type { Environment } from '../../src/store/tables.ts'
import { labelledLines, print } from '../admin-output.ts'
import { parseDay, parseUuid, patternParser, rejectArgument, singleLineParser } from '../arguments.ts'
import type { Io } from '../io.ts'
import { callOf, inCompany, withCompany } from '../session.ts'
import { addCompareCommand, environmentFor } from './admin-compare.ts'
import { addPeriodCommands } from './admin-period.ts'
import {
  addCompanyCommand,
  type CompanyFlags,
  countText,
  environmentOption,
  localeOption,
  timeOf,
} from './commands.ts'

function reportText({ environment, settled, waiting, next, blocked, busy }: Report): string {
  const lines = [`${environment}: ${countText(settled, 'record')} with a response, ${waiting} waiting.`]
  if (blocked) lines.push(`  ${blockedMessage(blocked, 'en')}`)
  if (busy) lines.push('  A server is sending now.')
  if (next !== null && waiting > 0)
    lines.push(`  The next message may be sent at ${timeOf(next)} UTC; the server sends it automatically.`)
  return lines.join('\n')
}

interface Sent {
  readonly reports: readonly Report[]
  /** Number of records that only the servers can send; null if this process sends itself. */
  readonly queued: number | null
}

async function sendCompanyNow(io: Io, companyId: string): Promise<Sent> {
  const { requestSending, sendNow, wireOf } = await import(
    '../../src/service/verifactu/sending/verifactu-sender.ts'
  )
  return withCompany(io, companyId, async ({ app }) => {
    if (!app.reachesAuthority()) return { reports: [], queued: await requestSending(app, companyId) }
    const sending = { app, wire: wireOf(app), owner: app.owner }
    return { reports: await sendNow(sending, companyId), queued: null }
  })
}

function sentText({ reports, queued }: Sent): string {
  if (queued !== null)
    return queued === 0
      ? 'Nothing to send.'
      : `${countText(queued, 'record')} waiting. No simulator is running with this data folder, so the server sends them.`
  return reports.length === 0 ? 'Nothing to send.' : reports.map(reportText).join('\n')
}

/** Whether records are pending and none could be sent. Waiting for the authority's flow control does not count. */
const isStuck = ({ reports }: Sent): boolean =>
  reports.some(({ blocked }) => blocked !== null) && reports.every(({ settled }) => settled === 0)

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

/** Parses the reference of a request. The schema allows any characters, but the tax authority does not (4133). */
const reference = patternParser(
  /^[A-Za-z0-9]{1,18}$/,
  'Use the reference of the request: up to 18 letters and digits, without spaces, hyphens or slashes.',
)

function requireDays({ from, to }: PeriodFlags): void {
  if (to < from) throw new UsageError(`--to ${to} is before --from ${from}.`)
}

async function exportPeriod(io: Io, flags: ExportFlags) {
  requireDays(flags)
  const { writeFolderAtomically } = await import('../atomic-folder.ts')
  const { ExportFolder } = await import('../export/export-folder.ts')
  const { exportRequested } = await import('../export/export-requested.ts')
  const { verificationCommandsOf, readMeText } = await import('../export/export-read-me.ts')
  const { recordExport } = await import('../../src/service/verifactu/exported.ts')
  return withCompany(io, flags.company, async (own) => {
    const { company: id, from, to, request } = flags
    const { app, store, company } = own
    const environment = await environmentFor(own, flags.environment, 'there is nothing to export')
    const out = resolve(flags.out)
    const full = 'The disk is full. Nothing was exported. Free space and try again.'
    return writeFolderAtomically(out, full, async (path) => {
      const folder = await ExportFolder.make(path)
      const wanted = { environment, from, to, request }
      const written = await exportRequested(app, company, wanted, folder)
      const { records, events, problems, problem_count, unsigned, messages } = written
      await folder.text('LEEME.txt', readMeText(company, wanted, written))
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
        complete: problem_count === 0,
        problems,
        problem_count,
        verify_with: verificationCommandsOf(written),
      }
      await folder.finish(about)
      return { ...about, out }
    })
  })
}

async function sendRequestedRecords(io: Io, flags: RequestFlags): Promise<RequestResult> {
  requireDays(flags)
  const { answerRequest } = await import('../../src/service/verifactu/sending/answer-request.ts')
  const { wireOf } = await import('../../src/service/verifactu/sending/verifactu-sender.ts')
  return withCompany(io, flags.company, async (own) => {
    const { app, company } = own
    const { from, to, request } = flags
    const environment = await environmentFor(own, flags.environment, 'there is nothing to export')
    if (!app.reachesAuthority())
      throw new CuadraError(
        'No simulator is running with this data folder, so the tax authority cannot be reached. Start the server, then try again.',
      )
    const sending = { app, wire: wireOf(app), owner: app.owner }
    let last: string | null = null
    const pause: WaitForNextMessage = async (milliseconds, reason) => {
      if (reason !== last)
        io.err(
          reason === 'busy'
            ? 'Another process is sending for this company. Waiting until it has finished.\n'
            : `The tax authority asks to wait ${Math.ceil(milliseconds / 1000)} s before the last message.\n`,
        )
      last = reason
      await sleep(milliseconds)
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

/** Parses a tax id or a name, which may be too long for a record. */
const filledIn = singleLineParser(250)

/** Parses a name. A record can contain a name of up to 120 characters. */
const nameOfRecord = (text: string): string => {
  const name = filledIn(text)
  const length = [...name].length
  return length <= 120
    ? name
    : rejectArgument(
        `The name has ${length} characters, and a record holds 120. Shorten it as the census has it.`,
      )
}

function correctedText({ tipo, sequence, num_serie, corrects, estado }: Corrected, locale: Locale): string {
  const isAlta = tipo === 'alta'
  const next = {
    pending: { en: 'It is sent automatically.', es: 'Se envía automáticamente.' },
    registered: { en: 'It is signed, and is not sent.', es: 'Está firmado y no se envía.' },
    signature_pending: {
      en: 'It is waiting for the delegated signatory to sign it.',
      es: 'Está pendiente de la firma del firmante delegado.',
    },
  }[estado]
  return {
    en: `Made a new ${isAlta ? 'registration' : 'cancellation'} of ${num_serie}: record ${sequence} of the chain, after record ${corrects}. ${next.en}`,
    es: `Se ha generado ${isAlta ? 'un alta nueva' : 'una anulación nueva'} de ${num_serie}: registro ${sequence} de la cadena, tras el registro ${corrects}. ${next.es}`,
  }[locale]
}

function addCorrect(verifactu: Command, io: Io): void {
  addCompanyCommand(
    verifactu,
    'correct',
    'make the record that the response of the tax authority requires, or that a cancelled invoice lacks',
  )
    .requiredOption('--invoice <id>', 'id of the invoice', parseUuid)
    .option(
      '--recipient-name <name>',
      'name of the customer as registered (persons: surnames first)',
      nameOfRecord,
    )
    .option('--recipient-id <id>', 'NIF of the customer, or its other tax id, as registered', filledIn)
    .option('--recipient-not-in-census', 'the NIF of the customer is right but not in the census (IDType 07)')
    .addOption(localeOption())
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
      print(io, json, made, () => correctedText(made, locale))
    })
}

function addBeginChain(verifactu: Command, io: Io): void {
  addCompanyCommand(
    verifactu,
    'begin-chain',
    'begin a new chain with the system of CUADRA_DECLARATION and CUADRA_INSTALLATION',
  )
    .addOption(environmentOption())
    .action(
      async ({ company, environment: wanted, json }: CompanyFlags & Pick<PeriodFlags, 'environment'>) => {
        const { beginNewChain } = await import('../../src/service/verifactu/system-change.ts')
        const begun = await withCompany(io, company, async (own) => {
          const environment = await environmentFor(own, wanted, 'there is no chain to replace')
          return own.store.transaction((tx) => beginNewChain(tx, callOf(own), environment))
        })
        print(
          io,
          json,
          begun,
          () =>
            `Begun: a new ${begun.environment} chain of producer ${begun.producer}, system ${begun.system_id}, installation ${begun.installation}, after that of ${begun.former_installation}. Start every server with the CUADRA_DECLARATION and CUADRA_INSTALLATION of this command.`,
        )
      },
    )
}

const ofPeriod: typeof addCompanyCommand = (parent, name, description) =>
  addCompanyCommand(parent, name, description)
    .requiredOption('--from <day>', 'first day of generation of the records, YYYY-MM-DD', parseDay)
    .requiredOption('--to <day>', 'last day, YYYY-MM-DD', parseDay)

function addExport(verifactu: Command, io: Io): void {
  ofPeriod(verifactu, 'export', 'write the signed records and events of a period')
    .requiredOption('--out <folder>', 'new or empty folder')
    .option('--request <reference>', 'also write the messages that answer this request', reference)
    .addOption(environmentOption())
    .action(async (flags: ExportFlags) => {
      const done = await exportPeriod(io, flags)
      print(io, flags.json, done, () =>
        labelledLines([
          ['folder', done.out],
          ['registrations', done.registrations],
          ['cancellations', done.cancellations],
          ['events', done.events],
          ['messages', done.messages],
          ...done.verify_with.map((one) => ['verify with', one] as const),
        ]),
      )
      if (!done.complete)
        throw new CuadraError(
          `The chain is not intact: ${countText(done.problem_count, 'finding')}, listed in LEEME.txt and index.json. First: ${done.problems[0]} Run \`cuadra-admin verify\`.`,
        )
    })
}

function addAnswerRequest(verifactu: Command, io: Io): void {
  addCompanyCommand(verifactu, 'answer-request', 'send the tax authority the records that it has requested')
    .requiredOption('--request <reference>', 'reference of the request', reference)
    .requiredOption('--from <day>', 'first day of generation of the records, YYYY-MM-DD', parseDay)
    .requiredOption('--to <day>', 'last day, YYYY-MM-DD', parseDay)
    .addOption(environmentOption())
    .action(async (flags: RequestFlags) => {
      const done = await sendRequestedRecords(io, flags)
      print(io, flags.json, done, () =>
        labelledLines([
          ['records', done.records],
          ['sent now', done.sent],
          ['messages', done.messages],
          ['accepted', done.accepted],
          ['accepted with errors', done.with_errors],
          ['rejected', done.rejected],
          ...done.csv.map((one) => ['CSV', one] as const),
        ]),
      )
      if (done.blocked) {
        const again =
          done.blocked.reason === 'request_fault'
            ? 'Fix the cause before you run the command again.'
            : 'Run the same command again to send the rest.'
        throw new CuadraError(
          `${blockedMessage(done.blocked, 'en')} The responses received are stored. ${again}`,
        )
      }
    })
}

export function add(verifactu: Command, io: Io): void {
  addCompareCommand(verifactu, io)

  addCompanyCommand(
    verifactu,
    'send-now',
    'send waiting records now, subject to the waiting time set by the tax authority',
  ).action(async ({ company, json }: CompanyFlags) => {
    const sent = await sendCompanyNow(io, company)
    const isNothing = isStuck(sent)
    if (json || !isNothing) print(io, json, sent, () => sentText(sent))
    if (isNothing) throw new CuadraError(`Nothing was sent. ${sentText(sent)}`)
  })

  addCompanyCommand(
    verifactu,
    'stop-sending',
    'end the sending of waiting records that can never be accepted, after the period is closed',
  ).action(async ({ company, json }: CompanyFlags) => {
    const { stopSending } = await import('../../src/service/verifactu/sending/stop.ts')
    const stopped = await withCompany(io, company, ({ app }) => stopSending(app, company))
    print(io, json, stopped, () =>
      stopped
        .map(
          ({ environment, records, reason }) =>
            `${environment}: ${countText(records, 'record')} ${records === 1 ? 'is' : 'are'} no longer sent (\`rejected\`). The chain is unchanged. Last reason: ${reason}`,
        )
        .join('\n'),
    )
  })

  addCorrect(verifactu, io)
  addExport(verifactu, io)
  addAnswerRequest(verifactu, io)
  addBeginChain(verifactu, io)
  addPeriodCommands(verifactu, io)
}
