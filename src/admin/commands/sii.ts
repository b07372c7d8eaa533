/** `sii send-now`: sends books to the SII on demand. */
import type { Command } from 'commander'
import type { Report } from '../../server/service/sii/sending/sender.ts'
import { blockedMessage, storedMessage } from '../../server/service/transmission/blocked.ts'
import { uuid } from '../arguments.ts'
import type { Io } from '../io.ts'
import { print } from '../output.ts'
import { withCompany } from '../session.ts'
import { type CompanyFlags, ofCompany, plural, timeOf } from './commands.ts'

interface SendFlags extends CompanyFlags {
  readonly invoice?: string
}

interface Sent {
  readonly report: Report | null
  /** Number of invoices left for the servers to send, if only they can reach the authority; null otherwise. */
  readonly queued: number | null
}

async function sendCompanyNow(io: Io, { company, invoice }: SendFlags): Promise<Sent> {
  const { requestSending, resendInvoice, sendNow, siiWireOf } = await import(
    '../../server/service/sii/sending/sender.ts'
  )
  return withCompany(io, company, async ({ app, store }) => {
    if (invoice !== undefined) await resendInvoice(app, store, invoice)
    if (!app.reachesAuthority()) return { report: null, queued: await requestSending(app, company) }
    const sending = { app, wire: siiWireOf(app), owner: app.owner }
    return { report: await sendNow(sending, company, invoice), queued: null }
  })
}

const BOOKS: Readonly<Record<string, string>> = { ISSUED: 'Issued', RECEIVED: 'Received' }

const messageText = ({
  book_type,
  operation_type,
  record_count,
  global_status,
  csv,
  items,
}: Report['messages'][number]): string =>
  [
    `${BOOKS[book_type] ?? book_type}, ${operation_type}: ${plural(record_count, 'record')}, ${global_status}${csv === null ? '' : `, CSV ${csv}`}.`,
    ...items.map(({ invoice_number, item_status, error_code, error_description }) => {
      const reason = [error_code, storedMessage(error_description, 'en')].filter(Boolean).join(': ')
      return `  ${invoice_number}: ${item_status}${reason === '' ? '' : `, ${reason}`}`
    }),
  ].join('\n')

function reportText({ messages, waiting, next, blocked, busy }: Report): string {
  const lines = messages.map(messageText)
  if (waiting > 0) lines.push(`${plural(waiting, 'invoice')} waiting.`)
  if (blocked) lines.push(blockedMessage(blocked, 'en'))
  if (busy) lines.push('A server is sending now.')
  if (
    next !== null &&
    waiting > 0 &&
    blocked?.reason !== 'not_enrolled' &&
    blocked?.reason !== 'other_authority'
  )
    lines.push(`The next attempt is at ${timeOf(next)} UTC, automatic with \`auto_submit\`.`)
  return lines.length === 0 ? 'Nothing to send.' : lines.join('\n')
}

const sentText = ({ report, queued }: Sent): string =>
  report
    ? reportText(report)
    : !queued
      ? 'Nothing to send.'
      : `${plural(queued, 'invoice')} waiting. No simulator is running with this data folder, so the server sends them, if \`auto_submit\` is on.`

export function add(sii: Command, io: Io): void {
  ofCompany(sii, 'send-now', 'send waiting invoices now, even if they are not sent automatically')
    .option('--invoice <id>', 'send only this invoice, even if it was rejected or accepted with errors', uuid)
    .action(async (flags: SendFlags) => {
      const sent = await sendCompanyNow(io, flags)
      print(io, flags.json, sent, () => sentText(sent))
    })
}
