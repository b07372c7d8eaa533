/** A mail as the bytes that are sent (RFC 5322, MIME): made once, and sent as it is however often. */
import { createTransport } from 'nodemailer'

export interface MailFile {
  readonly name: string
  readonly type: 'application/pdf' | 'application/xml'
  readonly content: Uint8Array
}

export interface NewMessage {
  readonly from: { readonly name: string; readonly address: string }
  /** Where answers go, if not to the sender. */
  readonly replyTo: string | undefined
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly files: readonly MailFile[]
  /** With its angle brackets. */
  readonly messageId: string
  readonly date: Date
}

/** Sends nothing: answers what would be sent. */
const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })

/** Line ends and controls, which in a header begin another one. */
const inOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** What has no width, or turns the direction of writing: no name of ours or of a company needs it in a header. */
const plain = (text: string): string =>
  inOneLine(text).replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/** A line end is one everywhere: servers differ in what they take half of one for. */
const inLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

/**
 * The bytes of a mail, ASCII all of them. Addresses are taken as they are: `mailAddress` made them. Whatever stands in
 * a name, a subject or a text stays there: line ends are taken out of what becomes a header, and other letters than
 * ASCII are encoded.
 */
export async function composeMessage(mail: NewMessage): Promise<Buffer> {
  const { from, replyTo, to, subject, text, html, files, messageId, date } = mail
  const { message } = await composer.sendMail({
    from: { name: plain(from.name), address: from.address },
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
    to: to.map((address) => ({ name: '', address })),
    subject: plain(subject),
    text: inLines(text),
    html: inLines(html),
    attachments: files.map(({ name, type, content }) => ({
      filename: plain(name),
      contentType: type,
      content: Buffer.from(content),
      contentTransferEncoding: 'base64',
    })),
    messageId,
    date,
    textEncoding: 'quoted-printable',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return message as Buffer
}
