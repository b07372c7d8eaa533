/**
 * Composes a mail as bytes (RFC 5322, MIME). Each mail is composed once, so that every attempt sends the same bytes.
 */
import { LOGO_ID } from './html.ts'

export interface MailFile {
  readonly name: string
  readonly type: 'application/pdf' | 'application/xml'
  readonly content: Uint8Array
}

export interface NewMessage {
  readonly from: { readonly name: string; readonly address: string }
  /** The address for replies, if it is not the sender. */
  readonly replyTo: string | undefined
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly files: readonly MailFile[]
  /** The company logo that the HTML displays. */
  readonly logo: { readonly type: string; readonly content: Uint8Array } | null
  /** The message id with its angle brackets. */
  readonly messageId: string
  readonly date: Date
}

/** Replaces line breaks and control characters, because they could start another header. */
const inOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** Removes line breaks, control characters, zero-width marks, and characters that change the direction of writing. */
const plain = (text: string): string =>
  inOneLine(text).replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')

/** Converts line breaks to LF, because mail servers treat a single CR differently. */
const inLines = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

const inlineLogo = ({ type, content }: NonNullable<NewMessage['logo']>) => ({
  cid: LOGO_ID,
  filename: `logo.${type === 'image/png' ? 'png' : 'jpg'}`,
  contentType: type,
  contentDisposition: 'inline' as const,
  content: Buffer.from(content),
  contentTransferEncoding: 'base64' as const,
})

/**
 * Returns the bytes of a mail, all ASCII. Addresses must have the form that `normalizedMailAddress` returns. Names and
 * subject cannot add headers: line breaks are removed from headers, and non-ASCII characters are encoded.
 */
export async function composeMessage(mail: NewMessage): Promise<Buffer> {
  const { from, replyTo, to, subject, text, html, files, logo, messageId, date } = mail
  const { createTransport } = await import('nodemailer')
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message } = await composer.sendMail({
    from: { name: plain(from.name), address: from.address },
    ...(replyTo === undefined ? {} : { replyTo: { name: '', address: replyTo } }),
    to: to.map((address) => ({ name: '', address })),
    subject: plain(subject),
    text: inLines(text),
    html: inLines(html),
    attachments: [
      ...files.map(({ name, type, content }) => ({
        filename: plain(name),
        contentType: type,
        content: Buffer.from(content),
        contentTransferEncoding: 'base64' as const,
      })),
      ...(logo ? [inlineLogo(logo)] : []),
    ],
    messageId,
    date,
    textEncoding: 'quoted-printable',
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return message as Buffer
}
