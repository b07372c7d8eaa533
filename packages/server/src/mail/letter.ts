/**
 * Composes the subject and text of a mail in the recipient's language. The plain text and the HTML of a mail are both
 * formatted from this letter.
 */

export type LetterLanguage = 'es' | 'en'

/** Values of an invoice for the letter, already formatted as text. */
export interface LetterFacts {
  /** For example `Factura` or `Corrective invoice`. */
  readonly title: string
  readonly number: string
  readonly date: string
  readonly total: string
  /** Amount to pay, if it differs from the total. */
  readonly toPay: string | null
  /** Due dates, each with its amount if there are several. */
  readonly due: readonly string[]
  readonly accounts: readonly string[]
  readonly company: {
    readonly name: string
    readonly phone: string | null
    readonly email: string | null
  }
  readonly withXml: boolean
  /** The link for paying the invoice online. */
  readonly payment: Link | null
  /** The URL in the QR code. Its page states whether the tax authority has the invoice. */
  readonly check: string | null
}

/** The subject and message that the client sent. They replace the default texts. */
export interface CustomLetterTexts {
  readonly subject?: string | undefined
  readonly message?: string | undefined
}

export interface Row {
  readonly label: string
  readonly values: readonly string[]
}

export interface Link {
  readonly text: string
  readonly url: string
}

export interface Letter {
  readonly language: LetterLanguage
  readonly subject: string
  /** Paragraphs before the table. */
  readonly paragraphs: readonly string[]
  readonly rows: readonly Row[]
  /** The links below the table. */
  readonly links: readonly Link[]
  readonly closing: readonly string[]
  readonly signature: readonly string[]
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const MESSAGES = {
  es: {
    subject: (title: string, number: string, company: string) => `${title} ${number} de ${company}`,
    greeting: 'Buenos días:',
    attached: (title: string, number: string) => `Adjuntamos la ${lower(title)} ${number} en PDF.`,
    attachedWithXml: (title: string, number: string) =>
      `Adjuntamos la ${lower(title)} ${number} en PDF y como factura electrónica en formato Facturae (XML).`,
    number: 'Número',
    date: 'Fecha de expedición',
    total: 'Importe total',
    toPay: 'Importe a pagar',
    due: 'Vencimiento',
    account: 'IBAN',
    check: 'Compruebe esta factura en la sede electrónica de la Agencia Tributaria',
    questions: 'Si tiene alguna duda, responda a este correo.',
    regards: 'Un cordial saludo,',
  },
  en: {
    subject: (title: string, number: string, company: string) => `${title} ${number} from ${company}`,
    greeting: 'Hello,',
    attached: (title: string, number: string) =>
      `Please find attached our ${lower(title)} ${number} as a PDF.`,
    attachedWithXml: (title: string, number: string) =>
      `Please find attached our ${lower(title)} ${number} as a PDF and as an electronic invoice in the Spanish Facturae format (XML).`,
    number: 'Number',
    date: 'Date of issue',
    total: 'Total',
    toPay: 'Amount to pay',
    due: 'Due date',
    account: 'IBAN',
    check: 'Check this invoice at the Spanish tax authority',
    questions: 'If you have any questions, just reply to this e-mail.',
    regards: 'Kind regards,',
  },
}

/** Splits a message into paragraphs at empty lines. */
const paragraphsOf = (message: string): string[] =>
  message
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n[^\S\n]*\n\s*/)

/** Returns the letter to the customer. */
export function letterOf(facts: LetterFacts, language: LetterLanguage, own: CustomLetterTexts = {}): Letter {
  const messages = MESSAGES[language]
  const { title, number, date, total, toPay, due, accounts, company, withXml, payment, check } = facts
  const usual = [messages.greeting, (withXml ? messages.attachedWithXml : messages.attached)(title, number)]
  const rows: Row[] = [
    { label: messages.number, values: [number] },
    { label: messages.date, values: [date] },
    { label: messages.total, values: [total] },
    { label: messages.toPay, values: toPay === null ? [] : [toPay] },
    { label: messages.due, values: due },
    { label: messages.account, values: accounts },
  ]
  const contact = [company.email, company.phone].flatMap((one) => one ?? [])
  return {
    language,
    subject: own.subject ?? messages.subject(title, number, company.name),
    paragraphs: own.message === undefined ? usual : paragraphsOf(own.message),
    rows: rows.filter(({ values }) => values.length > 0),
    links: [payment, check === null ? null : { text: messages.check, url: check }].flatMap(
      (one) => one ?? [],
    ),
    // A message of the client replaces the default closing too.
    closing:
      own.message === undefined
        ? [...(company.email === null ? [] : [messages.questions]), messages.regards]
        : [],
    signature: [company.name, ...contact],
  }
}

/** Formats the letter as plain text. */
export function textOf({ paragraphs, rows, links, closing, signature }: Letter): string {
  const width = Math.max(...rows.map(({ label }) => label.length)) + 2
  const table = rows.map(({ label, values }) => {
    const [first, ...others] = values
    return [`${`${label}:`.padEnd(width)}${first}`, ...others.map((one) => ' '.repeat(width) + one)].join(
      '\n',
    )
  })
  const addresses = links.map(({ text, url }) => `${text}:\n${url}`)
  return `${[...paragraphs, table.join('\n'), ...addresses, ...closing, signature.join('\n')].join('\n\n')}\n`
}
