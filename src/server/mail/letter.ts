/** What a mail says: subject and text, in the language of who gets it. The same words are in the text and in the HTML. */

export type LetterLanguage = 'es' | 'en'

export type Kind = 'invoice' | 'simplified' | 'corrective'

/** What is said of an invoice, every value formatted. */
export interface LetterFacts {
  readonly kind: Kind
  readonly number: string
  readonly date: string
  readonly total: string
  /** What is left to pay, where it is another amount. */
  readonly toPay: string | null
  /** Days on which something is to be paid; with the amount where there are several. */
  readonly due: readonly string[]
  readonly accounts: readonly string[]
  readonly company: {
    readonly name: string
    readonly phone: string | null
    readonly email: string | null
  }
  readonly withXml: boolean
}

/** The client's own words in place of the usual ones. */
export interface OwnWords {
  readonly subject?: string | undefined
  readonly message?: string | undefined
}

export interface Row {
  readonly label: string
  readonly values: readonly string[]
}

export interface Letter {
  readonly language: LetterLanguage
  readonly subject: string
  /** Before the table of facts. */
  readonly paragraphs: readonly string[]
  readonly rows: readonly Row[]
  /** After it. */
  readonly closing: readonly string[]
  readonly signature: readonly string[]
}

interface Words {
  readonly kinds: Readonly<Record<Kind, string>>
  readonly subject: (kind: string, number: string, company: string) => string
  readonly greeting: string
  readonly attached: (kind: string, number: string) => string
  readonly attachedWithXml: (kind: string, number: string) => string
  readonly number: string
  readonly date: string
  readonly total: string
  readonly toPay: string
  readonly due: string
  readonly account: string
  readonly questions: string
  readonly regards: string
}

const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const WORDS: Readonly<Record<LetterLanguage, Words>> = {
  es: {
    kinds: {
      invoice: 'Factura',
      simplified: 'Factura simplificada',
      corrective: 'Factura rectificativa',
    },
    subject: (kind, number, company) => `${kind} ${number} de ${company}`,
    greeting: 'Buenos días:',
    attached: (kind, number) => `Le enviamos adjunta la ${lower(kind)} ${number} en PDF.`,
    attachedWithXml: (kind, number) =>
      `Le enviamos adjunta la ${lower(kind)} ${number} en PDF y como factura electrónica en formato Facturae (XML).`,
    number: 'Número',
    date: 'Fecha de expedición',
    total: 'Importe total',
    toPay: 'Importe a pagar',
    due: 'Vencimiento',
    account: 'Cuenta para el pago (IBAN)',
    questions: 'Si tiene alguna pregunta, responda a este correo.',
    regards: 'Un cordial saludo,',
  },
  en: {
    kinds: { invoice: 'Invoice', simplified: 'Simplified invoice', corrective: 'Corrective invoice' },
    subject: (kind, number, company) => `${kind} ${number} from ${company}`,
    greeting: 'Hello,',
    attached: (kind, number) => `Please find attached our ${lower(kind)} ${number} as a PDF.`,
    attachedWithXml: (kind, number) =>
      `Please find attached our ${lower(kind)} ${number} as a PDF, and as an electronic invoice in the Spanish format Facturae (XML).`,
    number: 'Number',
    date: 'Date of issue',
    total: 'Total',
    toPay: 'Amount to pay',
    due: 'Due date',
    account: 'Account for payment (IBAN)',
    questions: 'If you have any questions, just answer this e-mail.',
    regards: 'Kind regards,',
  },
}

/** A paragraph ends where a line is empty. */
const paragraphsOf = (message: string): string[] =>
  message
    .replaceAll(/\r\n?/g, '\n')
    .trim()
    .split(/\n[^\S\n]*\n\s*/)

/** What is written to the customer. */
export function letterOf(facts: LetterFacts, language: LetterLanguage, own: OwnWords = {}): Letter {
  const words = WORDS[language]
  const { number, date, total, toPay, due, accounts, company, withXml } = facts
  const kind = words.kinds[facts.kind]
  const usual = [words.greeting, (withXml ? words.attachedWithXml : words.attached)(kind, number)]
  const rows: Row[] = [
    { label: words.number, values: [number] },
    { label: words.date, values: [date] },
    { label: words.total, values: [total] },
    { label: words.toPay, values: toPay === null ? [] : [toPay] },
    { label: words.due, values: due },
    { label: words.account, values: accounts },
  ]
  const contact = [company.email, company.phone].flatMap((one) => one ?? [])
  return {
    language,
    subject: own.subject ?? words.subject(kind, number, company.name),
    paragraphs: own.message === undefined ? usual : paragraphsOf(own.message),
    rows: rows.filter(({ values }) => values.length > 0),
    // Who writes the letter ends it, too.
    closing:
      own.message === undefined ? [...(company.email === null ? [] : [words.questions]), words.regards] : [],
    signature: [company.name, ...contact],
  }
}

/** The letter as plain text. */
export function textOf({ paragraphs, rows, closing, signature }: Letter): string {
  const width = Math.max(...rows.map(({ label }) => label.length)) + 2
  const table = rows.map(({ label, values }) => {
    const [first, ...others] = values
    return [`${`${label}:`.padEnd(width)}${first}`, ...others.map((one) => ' '.repeat(width) + one)].join(
      '\n',
    )
  })
  return `${[...paragraphs, table.join('\n'), ...closing, signature.join('\n')].join('\n\n')}\n`
}
