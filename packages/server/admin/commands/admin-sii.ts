/** `sii send-now`: sends books to the SII on demand. */
import type { Command } from 'commander'
import { CuadraError } from '#core/errors/index.ts'
import type { ItemReport, Report, RequestedRecords } from '../../src/service/sii/sending/sii-sender.ts'
import { blockedMessage, storedMessage } from '../../src/service/transmission/blocked.ts'
import { print } from '../admin-output.ts'
import { parseUuid } from '../arguments.ts'
import type { Io } from '../io.ts'
import { withCompany } from '../session.ts'
import { addCompanyCommand, type CompanyFlags, countText, timeOf } from './commands.ts'

interface SendFlags extends CompanyFlags {
  readonly invoice?: string
}

interface Sent {
  readonly report: Report | null
  /** Records that only the servers can send; null if this process sends them itself. */
  readonly queued: RequestedRecords | null
}

async function sendCompanyNow(io: Io, { company, invoice }: SendFlags): Promise<Sent> {
  const { requestSending, resendInvoice, sendNow, siiWireOf } = await import(
    '../../src/service/sii/sending/sii-sender.ts'
  )
  return withCompany(io, company, async ({ app, store }) => {
    if (invoice !== undefined) await resendInvoice(app, store, invoice)
    if (!app.reachesAuthority()) return { report: null, queued: await requestSending(app, company) }
    const sending = { app, wire: siiWireOf(app), owner: app.owner }
    return { report: await sendNow(sending, company, invoice), queued: null }
  })
}

const BOOKS: Readonly<Record<string, string>> = { ISSUED: 'Issued', RECEIVED: 'Received' }

const NOTHING = 'Nothing to send.'

function itemText({ invoice_number, item_status, error_code, error_description }: ItemReport): string {
  const reason = [error_code, storedMessage(error_description, 'en')].filter(Boolean).join(': ')
  return `  ${invoice_number}: ${item_status}${reason === '' ? '' : `, ${reason}`}`
}

const messageText = ({
  book_type,
  operation_type,
  record_count,
  global_status,
  csv,
  items,
}: Report['messages'][number]): string =>
  [
    `${BOOKS[book_type] ?? book_type}, ${operation_type}: ${countText(record_count, 'record')}, ${global_status}${csv === null ? '' : `, CSV ${csv}`}.`,
    ...items.map(itemText),
  ].join('\n')

/** Reasons that do not pass with time. */
const PERMANENT: readonly unknown[] = ['not_enrolled', 'not_in_plan']

function reportText({ messages, waiting, held, next, blocked, busy }: Report): string {
  const lines = messages.map(messageText)
  if (waiting > 0) lines.push(`${countText(waiting, 'invoice')} waiting.`)
  lines.push(...held.map(itemText))
  if (blocked) lines.push(blockedMessage(blocked, 'en'))
  if (busy) lines.push('A server is sending now.')
  if (next !== null && waiting > 0 && !PERMANENT.includes(blocked?.reason))
    lines.push(`The next attempt is at ${timeOf(next)} UTC, automatic with \`auto_submit\`.`)
  return lines.length === 0 ? NOTHING : lines.join('\n')
}

function queuedText({ waiting, blocked, isAutomatic }: RequestedRecords): string {
  if (waiting === 0) return NOTHING
  const reason = blocked
    ? blockedMessage(blocked, 'en')
    : isAutomatic
      ? 'No simulator is running with this data folder, so the server sends them.'
      : 'No simulator is running with this data folder, and `auto_submit` is off, so nothing is sent. Start the server, then try again.'
  return `${countText(waiting, 'invoice')} waiting. ${reason}`
}

/** Whether records are pending and none of them could be sent. */
function isStuck({ report, queued }: Sent, invoice: string | undefined): boolean {
  if (report)
    return report.messages.length === 0 && !report.busy && (report.waiting > 0 || invoice !== undefined)
  return queued !== null && queued.waiting > 0 && (queued.blocked !== null || !queued.isAutomatic)
}

const sentText = ({ report, queued }: Sent): string =>
  report ? reportText(report) : queued ? queuedText(queued) : NOTHING

export function add(sii: Command, io: Io): void {
  addCompanyCommand(sii, 'send-now', 'send waiting invoices now, even if they are not sent automatically')
    .option(
      '--invoice <id>',
      'send only this invoice, even if it was rejected or accepted with errors',
      parseUuid,
    )
    .action(async (flags: SendFlags) => {
      const sent = await sendCompanyNow(io, flags)
      const isNothing = isStuck(sent, flags.invoice)
      if (flags.json || !isNothing) print(io, flags.json, sent, () => sentText(sent))
      if (isNothing) throw new CuadraError(`Nothing was sent. ${sentText(sent)}`)
    })
}
