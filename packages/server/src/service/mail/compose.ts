/** Composes the mail of an invoice: letter, PDF and, on request, XML. */
import { randomUUID } from 'node:crypto'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { amountToPay, dateText, languageFor, viewOf } from '#view/index.ts'
import { invoiceFileName } from '../../documents/file-names.ts'
import { domainOf, normalizedMailAddress } from '../../environment/mail-address.ts'
import { ApiError } from '../../errors/api-error.ts'
import { htmlOf } from '../../mail/html.ts'
import { type CustomLetterTexts, type Letter, letterOf, textOf } from '../../mail/letter.ts'
import { composeMessage, type MailFile } from '../../mail/mail-message.ts'
import type { SendRequest } from '../../shapes/schemas.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import { fromJson, type Json } from '../../store/stored-json.ts'
import type { Call } from '../access/call.ts'
import type { Logo } from '../company/company-logo.ts'
import { readDocument } from '../invoice/read-document.ts'
import { companyTexts, qrOf, renderedInvoice } from '../invoice/rendering.ts'
import { invoiceXml } from '../issued/export-issued.ts'
import { recipientsOf, senderOf } from './mail-recipients.ts'
import type { NewMail } from './outbox.ts'

/** The format that both public bodies and companies in Spain accept. */
const FORMAT = 'facturae_3_2_2'

async function filesOf(
  call: Call,
  row: InvoiceRow,
  canonical: Json<CanonicalInvoice>,
  withXml: boolean,
): Promise<{ readonly files: readonly MailFile[]; readonly logo: Logo | null }> {
  // The XML is written before the PDF, because writing it may fail and takes less time.
  const xml = withXml ? await invoiceXml(call, row, canonical, FORMAT) : null
  const { pdf, fileName, logo } = await renderedInvoice(call, row)
  const paper: MailFile = { name: fileName, type: 'application/pdf', content: pdf }
  const files = [
    paper,
    ...(xml === null
      ? []
      : [
          {
            name: invoiceFileName(row.number ?? row.invoice_id, 'xml'),
            type: 'application/xml' as const,
            content: Buffer.from(xml, 'utf8'),
          },
        ]),
  ]
  return { files, logo }
}

interface LetterOptions {
  /** The texts that the company prints on the PDF. */
  readonly texts: ReturnType<typeof companyTexts>
  readonly withXml: boolean
  readonly check: string | null
  readonly own: CustomLetterTexts
}

/** Returns the letter about an invoice. Its values come from the view that the PDF prints, so that both agree. */
function letterAbout(
  document: CanonicalInvoice,
  { company: { data: company } }: Pick<Call, 'company'>,
  { texts, withXml, check, own }: LetterOptions,
): Letter {
  const language = languageFor(document.invoice) === 'es' ? 'es' : 'en'
  const { title, number, sums, payment } = viewOf(document, {
    language,
    direction: 'issued',
    status: 'issued',
    ...texts,
  })
  const sum = (weight: 'total' | 'pay') => sums.find((one) => one.weight === weight)?.value ?? null
  const instalments = amountToPay(document.invoice) > 0 ? (payment?.instalments ?? []) : []
  const due = instalments.filter((one) => one.due !== '')
  const email = company.contact_email
  return letterOf(
    {
      title: title.text,
      number,
      date: dateText(document.invoice.issue_data.issue_date),
      total: sum('total') ?? '',
      toPay: sum('pay'),
      due: due.length === 1 ? due.map((one) => one.due) : due.map((one) => `${one.due} · ${one.amount}`),
      accounts: [...new Set(instalments.map(({ account }) => account).filter(Boolean))],
      company: {
        name: company.name ?? company.legal_name,
        phone: company.contact_phone,
        // Replies go to this address, so it is omitted if it is invalid.
        email: email !== null && normalizedMailAddress(email) !== undefined ? email : null,
      },
      withXml,
      payment: payment?.link ? { text: payment.link.label.text, url: payment.link.url } : null,
      check,
    },
    language,
    own,
  )
}

/** Returns the complete mail. Throws if the request or the invoice does not allow sending it. */
export async function composeMail(call: Call, row: InvoiceRow, request: SendRequest): Promise<NewMail> {
  const { app, company, store } = call
  const { canonical } = await readDocument(call, row.invoice_id)
  if (canonical === null) throw new ApiError('canonical_not_available')
  const document = fromJson(canonical)
  const to = recipientsOf(document, request.to)
  const withXml = request.attach_xml === true
  const { files, logo } = await filesOf(call, row, canonical, withXml)
  const qr = await qrOf(store, row.invoice_id)
  const letter = letterAbout(document, call, {
    texts: companyTexts(call, row),
    withXml,
    check: qr?.content ?? null,
    own: { subject: request.subject?.trim(), message: request.message ?? undefined },
  })
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
