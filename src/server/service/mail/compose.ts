/** Composes the mail of an invoice: letter, PDF and, on request, XML. */
import { randomUUID } from 'node:crypto'
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { day, languageFor, viewOf } from '../../../view/index.ts'
import { invoiceFileName } from '../../documents/names.ts'
import { domainOf, mailAddress } from '../../environment/mail-address.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import { htmlOf } from '../../mail/html.ts'
import { type Letter, letterOf, type OwnMessages, textOf } from '../../mail/letter.ts'
import { composeMessage, type MailFile } from '../../mail/message.ts'
import type { SendRequest } from '../../shapes/schemas.ts'
import { documentOf, type InvoiceRow } from '../../store/invoices.ts'
import { fromJson, type Json } from '../../store/json.ts'
import type { Call } from '../access/call.ts'
import type { CompanyData } from '../company/company-shape.ts'
import { logoOf } from '../company/logo.ts'
import { qrOf, renderedInvoice } from '../invoice/rendering.ts'
import { invoiceXml } from '../issued/export.ts'
import type { NewMail } from './outbox.ts'
import { recipientsOf, senderOf } from './recipients.ts'

/** The format that both public bodies and companies in Spain accept. */
const FORMAT = 'facturae_3_2_2'
const CONTROL = /\p{Cc}/u
/** Control characters other than line breaks and tabs. */
const CONTROL_IN_TEXT = /(?![\r\n\t])\p{Cc}/u

function requireWritable({ subject, message: text }: SendRequest): void {
  if (subject != null && CONTROL.test(subject))
    throw invalidRequest(
      '/subject has a line break or another control character: write it on one line',
      '/subject contiene un salto de línea u otro carácter de control: escríbalo en una sola línea',
      { path: '/subject' },
    )
  if (text != null && CONTROL_IN_TEXT.test(text))
    throw invalidRequest(
      '/message has a control character: write plain text',
      '/message contiene un carácter de control: escriba texto sin formato',
      { path: '/message' },
    )
}

async function filesOf(
  call: Call,
  row: InvoiceRow,
  canonical: Json<CanonicalInvoice>,
  withXml: boolean,
): Promise<MailFile[]> {
  // The XML comes first: it may not be possible, and takes less time than the PDF.
  const xml = withXml ? await invoiceXml(call, row, canonical, FORMAT) : null
  const { pdf, fileName } = await renderedInvoice(call, row)
  const paper: MailFile = { name: fileName, type: 'application/pdf', content: pdf }
  if (xml === null) return [paper]
  return [
    paper,
    {
      name: invoiceFileName(row.number ?? row.invoice_id, 'xml'),
      type: 'application/xml',
      content: Buffer.from(xml, 'utf8'),
    },
  ]
}

interface LetterOptions {
  readonly withXml: boolean
  readonly check: string | null
  readonly own: OwnMessages
}

/** Returns the letter about an invoice. Its values come from the view that the PDF prints, so both agree. */
function letterAbout(
  document: CanonicalInvoice,
  company: CompanyData,
  { withXml, check, own }: LetterOptions,
): Letter {
  const { issue_data, totals } = document.invoice
  const language = languageFor(document.invoice) === 'es' ? 'es' : 'en'
  const { title, number, sums, payment } = viewOf(document, {
    language,
    direction: 'issued',
    status: 'issued',
  })
  const sum = (weight: 'total' | 'pay') => sums.find((one) => one.weight === weight)?.value ?? null
  const isToPay = (totals.total_executable_amount ?? totals.invoice_total) > 0
  const instalments = isToPay ? (payment?.instalments ?? []) : []
  const due = instalments.filter((one) => one.due !== '')
  const email = company.contact_email
  return letterOf(
    {
      title: title.text,
      number,
      date: day(issue_data.issue_date),
      total: sum('total') ?? '',
      toPay: sum('pay'),
      due: due.length === 1 ? due.map((one) => one.due) : due.map((one) => `${one.due} · ${one.amount}`),
      accounts: [...new Set(instalments.map(({ account }) => account).filter(Boolean))],
      company: {
        name: company.name ?? company.legal_name,
        phone: company.contact_phone,
        // Replies go to this address, so an invalid one is omitted.
        email: email !== null && mailAddress(email) !== undefined ? email : null,
      },
      withXml,
      check,
    },
    language,
    own,
  )
}

/** Returns the mail exactly as it is sent. Throws if the request or the invoice does not allow it. */
export async function composeMail(call: Call, row: InvoiceRow, request: SendRequest): Promise<NewMail> {
  const { app, company, store } = call
  requireWritable(request)
  const { canonical } = await documentOf(store, row.invoice_id)
  if (canonical === null) throw new ApiError('canonical_not_available')
  const document = fromJson(canonical)
  const to = recipientsOf(document, request.to)
  const withXml = request.attach_xml === true
  const files = await filesOf(call, row, canonical, withXml)
  const qr = await qrOf(store, row.invoice_id)
  const letter = letterAbout(document, company.data, {
    withXml,
    check: qr?.content ?? null,
    own: { subject: request.subject?.trim(), message: request.message ?? undefined },
  })
  const logo = await logoOf(store)
  const sender = senderOf(app, company.data)
  const mailId = randomUUID()
  const messageId = `<${mailId}@${domainOf(sender.address)}>`
  const content = await composeMessage({
    from: { name: company.data.name ?? company.data.legal_name, address: sender.address },
    replyTo: sender.replyTo,
    to,
    subject: letter.subject,
    text: textOf(letter),
    html: htmlOf(letter, logo !== null),
    files,
    logo: logo && { type: logo.contentType, content: logo.bytes },
    messageId,
    date: new Date(app.clock.now()),
  })
  const max_bytes = app.config.mailMaxBytes
  if (content.length > max_bytes) throw new ApiError('mail_too_large', { bytes: content.length, max_bytes })
  return {
    mailId,
    messageId,
    invoiceId: row.invoice_id,
    from: sender.address,
    to,
    subject: letter.subject,
    files: files.map(({ name, content: { length } }) => ({ name, size: length })),
    content,
  }
}
