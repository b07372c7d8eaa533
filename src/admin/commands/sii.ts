/** `sii ...`: sending books by hand. */
import type { Command } from 'commander'
import type { Report } from '../../server/service/sii/sending/sender.ts'
import { blockedMessage, storedMessage } from '../../server/service/transmission/blocked.ts'
import { uuid } from '../arguments.ts'
import type { Io } from '../io.ts'
import { answer } from '../output.ts'
import { withCompany } from '../session.ts'
import { type CompanyFlags, ofCompany, plural, timeOf } from './commands.ts'

interface SendFlags extends CompanyFlags {
  readonly invoice?: string
}

interface Sent {
  readonly report: Report | null
  /** Only the servers have a way to the authority; so many invoices wait for them. */
  readonly handed: number | null
}

async function sendNowOf(io: Io, { company, invoice }: SendFlags): Promise<Sent> {
  const { requestSending, resendInvoice, sendNow, siiWireOf } = await import(
    '../../server/service/sii/sending/sender.ts'
  )
  return withCompany(io, company, async ({ app, store }) => {
    if (invoice !== undefined) await resendInvoice(app, store, invoice)
    if (!app.reachesAuthority()) return { report: null, handed: await requestSending(app, company) }
    const sending = { app, wire: siiWireOf(app), owner: app.owner }
    return { report: await sendNow(sending, company, invoice), handed: null }
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
      const told = [error_code, storedMessage(error_description, 'en')].filter(Boolean).join(': ')
      return `  ${invoice_number}: ${item_status}${told === '' ? '' : `, ${told}`}`
    }),
  ].join('\n')

function reportText({ messages, waiting, next, stopped, busy }: Report): string {
  const lines = messages.map(messageText)
  if (waiting > 0) lines.push(`${plural(waiting, 'invoice')} waiting.`)
  if (stopped) lines.push(blockedMessage(stopped, 'en'))
  if (busy) lines.push('A server is sending at this moment.')
  if (next !== null && waiting > 0 && stopped?.stop !== 'not_enrolled' && stopped?.stop !== 'other_authority')
    lines.push(`The next try is at ${timeOf(next)} UTC; with \`auto_submit\` the server makes it by itself.`)
  return lines.length === 0 ? 'Nothing waits.' : lines.join('\n')
}

const sentText = ({ report, handed }: Sent): string =>
  report
    ? reportText(report)
    : !handed
      ? 'Nothing waits.'
      : `${plural(handed, 'invoice')} waiting. No simulator runs with this data folder, so they go when a server with a way to the tax authority runs, if \`auto_submit\` is on.`

export function add(sii: Command, io: Io): void {
  ofCompany(sii, 'send-now', 'send what waits now, also where it is not sent automatically')
    .option('--invoice <id>', 'this invoice alone, also one that was rejected or accepted with errors', uuid)
    .action(async (flags: SendFlags) => {
      const sent = await sendNowOf(io, flags)
      answer(io, flags.json, sent, () => sentText(sent))
    })
}
