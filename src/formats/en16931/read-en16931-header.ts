/** Maps notes, references, dates and payment of the semantic model to json_1_1. */
import { correctionReasonOf } from '#core/catalogs/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { toMinor, toNumber } from '#core/money/index.ts'
import { type ReadingReport, rateOf, type Statement } from '../model/index.ts'
import { isNonTaxableName } from './element-names.ts'
import { EURO } from './en16931-exchange.ts'
import type { EnInvoice, Exchange, Locations, Note } from './en16931-model.ts'
import { fitsDescription, joinTexts, shortenText } from './en16931-texts.ts'
import { paymentMethodOfMeans } from './payment-means.ts'
import { amountText, decimalText } from './shaped.ts'
import { withoutUndefined } from './tree.ts'
import type { DocumentType } from './type-codes.ts'

type Invoice = CanonicalInvoiceInput['invoice']
type Literal = NonNullable<Invoice['legal_literals']>[number]

/** Subjects of notes (UNTDID 4451) that have their own member in json_1_1. */
export const SUBJECT = { literal: 'REG', reason: 'ACD', information: 'AAI', description: 'ACB' } as const

/** Note of a simplified invoice, for which EN 16931 has no document type. */
export const SIMPLIFIED_TEXT = 'Factura simplificada'
export const isSimplified = ({ notes }: EnInvoice): boolean =>
  notes.some(({ text }) => text === SIMPLIFIED_TEXT)

/** Mentions required by RD 1619/2012, in their usual spellings. */
const MENTIONS =
  /^(?:inversi[óo]n del sujeto pasivo|facturaci[óo]n por el destinatario|r[ée]gimen especial de(?:l criterio de caja| las? agencias? de viajes| los bienes usados| los objetos de arte| las antig[üu]edades y objetos de colecci[óo]n))\.?$/i
const CASH_BASIS = /r[ée]gimen especial del criterio de caja/i

const isLiteral = ({ subject, text }: Note): boolean =>
  subject === SUBJECT.literal || (subject === undefined && MENTIONS.test(text))

/** Whether a mention states that the supplier uses the cash basis (regime key 07). */
export const isCashBasis = (notes: readonly Note[]): boolean =>
  notes.some(({ text }) => CASH_BASIS.test(text))

export function legalMentionsOf(
  { notes, taxes }: EnInvoice,
  taxGroup: string,
  at: string,
  report: ReadingReport,
): Literal[] | undefined {
  const found = new Map<string, Literal>()
  const add = (text: string): void => {
    const code = CASH_BASIS.test(text) ? `${taxGroup === 'IGIC' ? '1' : '0'}07` : undefined
    const legal_reference = shortenText(text, at, report)
    const key = legal_reference.toLowerCase().replace(/\.$/, '')
    if (!found.has(key)) found.set(key, code === undefined ? { legal_reference } : { code, legal_reference })
  }
  for (const note of notes) if (isLiteral(note) && note.text !== SIMPLIFIED_TEXT) add(note.text)
  // Exempt lines have an exemption reason. For other lines without tax, a legal literal states the reason.
  for (const { category, reason } of taxes)
    if (reason !== undefined && (category === 'AE' || (category === 'O' && !isNonTaxableName(reason))))
      add(reason)
  return found.size === 0 ? undefined : [...found.values()]
}

const plainNotes = ({ notes }: EnInvoice, type: DocumentType): Note[] =>
  notes.filter(
    (note) => !isLiteral(note) && !(note.subject === SUBJECT.reason && type.correction !== undefined),
  )

const isDescription = ({ subject }: Note): boolean => subject === undefined || subject === SUBJECT.description

/** Returns the first note as description, and all other texts without a member in json_1_1 as information. */
export function textsOf(
  invoice: EnInvoice,
  type: DocumentType,
  { number }: Locations,
  report: ReadingReport,
) {
  const notes = plainNotes(invoice, type).filter(({ text }) => !RATE.test(text) && !TAX_GROUP.test(text))
  const first = notes.find(isDescription)
  // A note that is too long becomes additional information.
  const description = first && fitsDescription(first.text) ? first.text : undefined
  const others = notes.filter((note) => note !== first || description === undefined)
  const { buyerReference, project, preceding, references, taxPointDate, deliveryDate } = invoice
  const more = [
    ...others.map(({ subject, text }) =>
      subject === undefined || subject === SUBJECT.information || subject === SUBJECT.description
        ? text
        : `#${subject}#${text}`,
    ),
    project !== undefined && buyerReference !== undefined && buyerReference !== project
      ? `Referencia del comprador: ${buyerReference}`
      : undefined,
    ...preceding
      .slice(1)
      .map(({ number: other, date }) => `Factura anterior: ${other}${date ? ` (${date})` : ''}`),
    taxPointDate !== undefined && deliveryDate !== undefined && deliveryDate !== taxPointDate
      ? `Fecha de entrega: ${deliveryDate}`
      : undefined,
    ...references.map((text) => `Documento: ${text}`),
    ...(invoice.unmapped?.document ?? []),
  ]
  return {
    description,
    information: joinTexts(more, others[0]?.at ?? number, report),
    descriptionAt: first?.at,
    informationAt: others[0]?.at,
  }
}

/** Separator between the name of a reason and further text. */
const SEPARATOR = ': '
const REASONS = Array.from({ length: 25 }, (_, index) => String(index + 1).padStart(2, '0'))
const OTHER_REASON = '25'

/** If the text begins with the catalog name of a reason, returns the reason and the rest of the text. */
function correctionReason(text: string): { code: string; text: string | undefined } | undefined {
  for (const code of REASONS) {
    const name = correctionReasonOf(code)?.name
    if (name === undefined) continue
    if (text === name) return { code, text: undefined }
    if (text.startsWith(`${name}${SEPARATOR}`))
      return { code, text: text.slice(name.length + SEPARATOR.length) }
  }
  return undefined
}

export function correctiveOf(
  invoice: EnInvoice,
  type: DocumentType,
  sign: 1 | -1,
  description: string | undefined,
) {
  if (type.type !== '03') return undefined
  const stated = invoice.notes.find(({ subject }) => subject === SUBJECT.reason)?.text
  const known = stated === undefined ? undefined : correctionReason(stated)
  const [preceding] = invoice.preceding
  const negative = sign * invoice.totals.total < 0
  return withoutUndefined({
    reason_code: known?.code ?? OTHER_REASON,
    reason_description: known ? known.text : (stated ?? description),
    invoice_number: preceding?.number,
    invoice_issue_date: preceding?.date,
    correction_type: (type.correction ?? (negative ? 'D' : 'S')) as 'S' | 'D',
  })
}

/** Payment terms written if EN 16931 requires them and the invoice has none. */
export const NO_TERMS = 'Vencimiento no indicado'

export function paymentOf(
  invoice: EnInvoice,
  sign: 1 | -1,
): NonNullable<Invoice['payment_details']> | undefined {
  const { dueDate, payment, totals, unmapped } = invoice
  if (dueDate === undefined && payment === undefined) return undefined
  const { code, text, reference, creditAccounts = [], debitAccount } = payment ?? {}
  const means = code === undefined ? undefined : paymentMethodOfMeans(code, text)
  const [account, ...others] = creditAccounts
  const facts = [...others.map((other) => `Cuenta: ${other}`), ...(unmapped?.payment ?? [])]
  const known = { payment_method_code: means?.method, payment_method_label: means?.label }
  return [
    withoutUndefined({
      installment_due_date: dueDate,
      installment_amount: toNumber(sign * toMinor(totals.payable)),
      ...known,
      iban_account_to_be_credited: account,
      iban_account_to_be_debited: debitAccount,
      payment_reconciliation_reference: reference,
      collection_additional_information: facts.length === 0 ? undefined : facts.join('\n'),
    }) as NonNullable<Invoice['payment_details']>[number],
  ]
}

/**
 * Returns the note with the exchange rate and the totals in euros, for which EN 16931 has no terms. The totals have the
 * sign of the document.
 */
export const rateText = (
  { rate, date }: Exchange,
  currency: string,
  { base, payable }: { readonly base: number; readonly payable: number },
): string =>
  `Tipo de cambio: ${decimalText(rate)} EUR/${currency}${date === undefined ? '' : ` (${date})`}; base ${amountText(base)} EUR, a pagar ${amountText(payable)} EUR`
const TAX_GROUP = /^Impuesto: (?:IGIC|IPSI)$/

const RATE =
  /^Tipo de cambio: (\d+(?:\.\d+)?) EUR\/[A-Z]{3}(?: \((\d{4}-\d\d-\d\d)\))?(?:; base (-?[\d.]+) EUR, a pagar (-?[\d.]+) EUR)?$/

/** Returns the rate, date and totals that the note about the exchange rate states. */
function notedRate({ notes }: EnInvoice) {
  const [, rate, date, base, payable] = notes.map(({ text }) => RATE.exec(text)).find(Boolean) ?? []
  return {
    exchange: rate === undefined ? undefined : { rate: Number(rate), date },
    base: base === undefined ? undefined : Number(base),
    payable: payable === undefined ? undefined : Number(payable),
  }
}

/** Returns the total tax in euros of a document in another currency, if the document states it. */
const taxInEuros = ({ currency, accountingCurrency, totals }: EnInvoice): number | undefined =>
  currency !== EURO && accountingCurrency === EURO ? totals.accountingTax : undefined

/** Returns the totals in euros that a document in another currency states. */
export function totalsInEuros(invoice: EnInvoice, sign: 1 | -1): NonNullable<Statement['inEuros']> {
  const signed = (amount: number | undefined) =>
    amount === undefined ? undefined : toNumber(sign * toMinor(amount))
  const { base, payable } = notedRate(invoice)
  return { base: signed(base), tax: signed(taxInEuros(invoice)), payable: signed(payable) }
}

/**
 * Returns the currency of the document, and its exchange rate: the stated rate, or the rate calculated from the amounts
 * of the tax in both currencies.
 */
export function currencyOf(invoice: EnInvoice, locations: Locations, report: ReadingReport) {
  const {
    currency,
    totals,
    issueDate,
    exchange = notedRate(invoice).exchange,
    lines,
    taxes,
    allowances,
  } = invoice
  if (currency === EURO) return undefined
  const euros = taxInEuros(invoice)
  const both = euros === undefined ? undefined : { amount: totals.tax ?? 0, euros }
  const roundings = lines.length + taxes.length + allowances.length
  const { rate, isCalculated } = rateOf(exchange?.rate, both, roundings * Math.max(1, exchange?.rate ?? 1))
  if (rate === undefined) return { invoice_currency_code: currency }
  if (isCalculated) report.warn('en16931.exchange_rate', locations.accountingTax, { used: rate })
  return {
    invoice_currency_code: currency,
    exchange_rate: rate,
    exchange_rate_date: exchange?.date ?? issueDate,
  }
}
