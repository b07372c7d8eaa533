/** Maps the type, notes, terms and payment of a json_1_1 invoice to the semantic model. */
import { correctionReasonOf, paymentMethodOf } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { EURO } from './en16931-exchange.ts'
import type { Note, Payment, Preceding } from './en16931-model.ts'
import type { InvoiceAmounts } from './en16931-view.ts'
import { meansOf } from './payment-means.ts'
import { NO_TERMS, rateText, SIMPLIFIED_TEXT, SUBJECT } from './read-en16931-header.ts'
import { amountText } from './shaped.ts'

type Invoice = CanonicalInvoice['invoice']
type Detail = NonNullable<Invoice['payment_details']>[number]

/** Returns the type code of a document, and the sign of its amounts in it. */
export function typeCodeAndSign(
  { header, totals }: Invoice,
  { lines }: InvoiceAmounts,
): { typeCode: string; sign: 1 | -1 } {
  const isNegative =
    totals.invoice_total < 0 && lines.every((line) => (line.gross_amount_without_tax ?? 0) <= 0)
  const { invoice_type_code: type, corrective } = header
  if (type === '05') return isNegative ? { typeCode: '261', sign: -1 } : { typeCode: '389', sign: 1 }
  if (type !== '03' && type !== '04') return { typeCode: '380', sign: 1 }
  if (corrective?.correction_type === 'S') return { typeCode: '384', sign: 1 }
  if (isNegative) return { typeCode: '381', sign: -1 }
  return { typeCode: totals.invoice_total < 0 ? '384' : '383', sign: 1 }
}

/** Returns the name of the reason for the correction, followed by its description. */
function correctionText({ header: { corrective } }: Invoice): string | undefined {
  if (!corrective) return undefined
  const { reason_code: code, reason_description: text } = corrective
  const name = code === undefined ? undefined : correctionReasonOf(code)?.name
  return [name, text].filter((part) => part !== undefined && part !== '').join(': ') || undefined
}

const labelled = (label: string, text: string | number | undefined): string[] =>
  text === undefined || text === '' ? [] : [`${label}: ${text}`]

/** Returns the data without a term in EN 16931, as texts. */
function informationOf({
  header,
  customer,
  totals,
  issue_data: issue,
  additional_data: more,
}: Invoice): string[] {
  const { corrective } = header
  // In a document in another currency, amounts in euros are written with their currency.
  const isForeign = (issue.invoice_currency?.invoice_currency_code ?? EURO) !== EURO
  const money = (amount: number | string | undefined): string | undefined =>
    amount === undefined ? undefined : `${amount}${isForeign ? ` ${EURO}` : ''}`
  const { start_date: start, end_date: end } = corrective?.tax_period ?? {}
  const related = more?.related_invoice?.number
  const besideCorrective = corrective?.invoice_number ? related : undefined
  return [
    ...labelled('Base rectificada', money(corrective?.corrected_taxable_base)),
    ...labelled('Cuota rectificada', money(corrective?.corrected_tax_amount)),
    ...labelled(
      'Periodo rectificado',
      start === undefined && end === undefined ? undefined : `${start} / ${end}`,
    ),
    ...(customer?.administrative_centres ?? []).map((centre) =>
      [`Centro administrativo ${centre.role_type_code ?? ''}:`, centre.centre_code, centre.centre_description]
        .filter(Boolean)
        .join(' '),
    ),
    ...(totals.payments_on_account ?? []).map(
      ({ payment_on_account_date: date, payment_on_account_amount: amount, description }) =>
        [`Pago a cuenta: ${date} ${money(amountText(amount))}`, description].filter(Boolean).join(' '),
    ),
    ...labelled('Serie de la factura relacionada', more?.related_invoice?.series),
    // EN 16931 documents get only one preceding invoice: the corrected invoice, or else the related one.
    ...labelled('Factura relacionada', corrective?.invoice_number === related ? undefined : besideCorrective),
  ]
}

/**
 * Returns a note without subject. A text that contains `#` could be read as a note with a subject (BR-CL-08), so it
 * gets a subject.
 */
const plainNote = (text: string): Note =>
  text.includes('#') ? { subject: SUBJECT.description, text } : { text }

const inEuros = (totals: Invoice['totals'], sign: 1 | -1) => ({
  base: sign * totals.total_gross_amount_before_taxes,
  payable: sign * (totals.total_executable_amount ?? totals.invoice_total),
})

/** Returns the notes. `sign` is -1 if amounts change their sign in the document. */
export function notesOf(invoice: Invoice, others: readonly string[], sign: 1 | -1): Note[] {
  const { header, issue_data: issue, legal_literals: literals = [], additional_data: more } = invoice
  const reason = correctionText(invoice)
  const {
    exchange_rate: rate,
    exchange_rate_date: date,
    invoice_currency_code: code = '',
  } = issue.invoice_currency ?? {}
  const information = [
    ...(more?.invoice_additional_information === undefined ? [] : [more.invoice_additional_information]),
    ...informationOf(invoice),
    ...others,
    ...(code !== EURO && rate ? [rateText({ rate, date }, code, inEuros(invoice.totals, sign))] : []),
  ]
  const isSimplified = header.invoice_type_code === '02' || header.invoice_type_code === '04'
  return [
    ...(issue.invoice_description ? [plainNote(issue.invoice_description)] : []),
    ...(isSimplified ? [{ subject: SUBJECT.literal, text: SIMPLIFIED_TEXT }] : []),
    ...(reason === undefined ? [] : [{ subject: SUBJECT.reason, text: reason }]),
    ...literals.map(({ legal_reference: text }) => ({ subject: SUBJECT.literal, text })),
    ...information.filter((text) => text !== '').map((text) => ({ subject: SUBJECT.information, text })),
  ]
}

/** Returns the corrected invoice, or without it the related invoice. */
export function precedingOf({ header: { corrective }, additional_data: more }: Invoice): Preceding[] {
  if (corrective?.invoice_number)
    return [{ number: corrective.invoice_number, date: corrective.invoice_issue_date }]
  const related = more?.related_invoice
  return related?.number ? [{ number: related.number, date: related.issue_date }] : []
}

const isAlike = (a: Detail, b: Detail): boolean =>
  a.payment_method_code === b.payment_method_code &&
  a.payment_method_label === b.payment_method_label &&
  a.iban_account_to_be_credited === b.iban_account_to_be_credited &&
  a.iban_account_to_be_debited === b.iban_account_to_be_debited &&
  a.payment_reconciliation_reference === b.payment_reconciliation_reference

/** Describes an installment as text, because EN 16931 has only one due date and one means of payment. */
function installmentText(detail: Detail, alike: boolean): string {
  const { installment_due_date: date, installment_amount: amount, payment_method_code: method } = detail
  const means = [
    detail.payment_method_label ?? (method === undefined ? undefined : paymentMethodOf(method)?.name),
    detail.iban_account_to_be_credited,
    detail.iban_account_to_be_debited,
    detail.payment_reconciliation_reference,
  ]
  const parts = [
    date,
    amount === undefined ? undefined : `${amountText(amount)} EUR`,
    ...(alike ? [] : means),
    detail.collection_additional_information,
  ]
  return `Vencimiento: ${parts.filter((part) => part !== undefined).join(' ')}`
}

/** Returns the payment method; if missing, the method that the account implies. */
const methodFor = (detail: Detail): string | undefined =>
  detail.payment_method_code ??
  (detail.iban_account_to_be_credited !== undefined
    ? '04'
    : detail.iban_account_to_be_debited !== undefined
      ? '02'
      : detail.payment_reconciliation_reference !== undefined || detail.payment_method_label !== undefined
        ? '13'
        : undefined)

function meansFor(detail: Detail): Payment | undefined {
  const method = methodFor(detail)
  if (method === undefined) return undefined
  const { iban_account_to_be_credited: credited, iban_account_to_be_debited: debited } = detail
  const wanted = paymentMethodOf(method)?.iban_field === 'iban_account_to_be_debited' ? debited : credited
  const { code, text } = meansOf(method, detail.payment_method_label, wanted !== undefined)
  return {
    code,
    text,
    reference: detail.payment_reconciliation_reference,
    creditAccounts: credited === undefined ? [] : [credited],
    debitAccount: debited,
  }
}

export interface PaymentTerms {
  readonly dueDate: string | undefined
  readonly paymentTerms: string | undefined
  readonly payment: Payment | undefined
}

/**
 * Returns due date, terms and means of payment. A document of EN 16931 has each of them only once. With several
 * installments, the due date is the last one and the terms list all installments.
 */
export function termsOf(invoice: Invoice, payable: number): PaymentTerms {
  const { payment_details: details = [], payment_terms: terms } = invoice
  const [first] = details
  const dates = details.flatMap(({ installment_due_date: date }) => date ?? []).sort()
  const dueDate = dates.at(-1)
  const alike = details.every((detail) => isAlike(detail, required(first)))
  const texts = [...(terms ? [terms] : [])]
  if (details.length > 1) texts.push(...details.map((detail) => installmentText(detail, alike)))
  else if (first?.collection_additional_information) texts.push(first.collection_additional_information)
  const payment = first && alike ? meansFor(first) : undefined
  const text = texts.length === 0 ? undefined : texts.join('\n')
  // BR-CO-25: an amount payable needs a due date or terms.
  const needed = text === undefined && dueDate === undefined && payable > 0
  return { dueDate, paymentTerms: needed ? NO_TERMS : text, payment }
}
