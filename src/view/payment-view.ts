/** The payment of the invoice: due dates, methods and accounts. */
import type { CanonicalInvoice, PaymentDetail } from '#core/invoice/index.ts'
import { dateText } from './display-format.ts'
import { nameOf } from './display-names.ts'
import type { Subject } from './subject.ts'
import { isTransfer, transferQrContent } from './transfer.ts'
import { PAYMENT } from './view-labels.ts'
import type { InstalmentView, InvoiceView, QrView } from './view-model.ts'

/** Formats an account number in groups of four. */
const spaced = (account: string): string => account.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')

function methodOf({ lang }: Subject, detail: PaymentDetail): string {
  const { payment_method_code: code, payment_method_label: label } = detail
  const reference = detail.payment_reconciliation_reference
  return [
    label || (code === undefined ? '' : lang.text(nameOf('payment-methods', code))),
    reference ? `${lang.text(PAYMENT.reference)} ${reference}` : '',
    detail.collection_additional_information,
  ]
    .filter(Boolean)
    .join(' · ')
}

function accountOf({ lang }: Subject, detail: PaymentDetail): string {
  const { iban_account_to_be_credited: credited, iban_account_to_be_debited: debited } = detail
  return [credited && spaced(credited), debited && `${lang.text(PAYMENT.debited)} ${spaced(debited)}`]
    .filter(Boolean)
    .join(' · ')
}

/** Maximum number of QR codes on a page. */
const MAX_TRANSFERS = 4

/**
 * Returns a QR code for each transfer, by due date. Returns codes only for euros, and only if the invoice is still to
 * be paid.
 */
function transfersOf({ invoice, lang, euros }: Subject, isDue: boolean): QrView[] {
  const { header, issue_data, supplier, payment_details: details = [] } = invoice
  const currency = issue_data.invoice_currency?.invoice_currency_code ?? 'EUR'
  const number = header.invoice_number
  if (!isDue || currency !== 'EUR' || number === undefined) return []
  const byDay = (one: PaymentDetail) => one.installment_due_date ?? ''
  return details
    .filter(isTransfer)
    .sort((a, b) => (byDay(a) < byDay(b) ? -1 : byDay(a) > byDay(b) ? 1 : 0))
    .slice(0, MAX_TRANSFERS)
    .flatMap((one) => {
      const { iban_account_to_be_credited: iban = '', installment_amount: amount = 0 } = one
      const text =
        one.payment_reconciliation_reference || `${PAYMENT.subject[lang.locale === 'es' ? 0 : 1]} ${number}`
      const content = transferQrContent({ name: supplier.name, iban, amount, text })
      const below = [details.length > 1 ? dateText(one.installment_due_date) : '', euros(amount)]
      return content === null
        ? []
        : [{ content, above: lang.text(PAYMENT.transfer), below: below.filter(Boolean).join(' · ') }]
    })
}

/** Returns the amount of an instalment. json_1_1 has it only in euros; a single instalment is the amount payable. */
function amountOf(
  { invoice: { payment_details, totals }, currency, money, euros }: Subject,
  detail: PaymentDetail,
) {
  const { installment_amount: amount } = detail
  if (amount === undefined) return ''
  const own = totals.invoice_currency?.total_executable_amount
  const isWhole = payment_details?.length === 1 && amount === totals.total_executable_amount
  return isWhole && own !== undefined && !currency.isEuro ? money(own) : euros(amount)
}

/** Returns the amount that the recipient pays; negative for a refund. */
export const amountToPay = ({ totals }: CanonicalInvoice['invoice']): number =>
  totals.total_executable_amount ?? totals.invoice_total

/**
 * Returns the payment; null if the invoice states no terms, date, method or account and has no payment link. If nothing
 * is to be paid, the block shows the refund or only the terms.
 */
export function paymentOf(subject: Subject, isInForce: boolean, link = ''): InvoiceView['payment'] {
  const { invoice, lang } = subject
  const { payment_terms: terms = '', payment_details = [] } = invoice
  const toPay = amountToPay(invoice)
  const isDue = isInForce && toPay > 0
  const details = toPay === 0 ? [] : payment_details
  const instalments = details.map(
    (detail): InstalmentView => ({
      due: dateText(detail.installment_due_date),
      method: methodOf(subject, detail),
      account: accountOf(subject, detail),
      amount: amountOf(subject, detail),
    }),
  )
  const isStated = instalments.some(({ due, method, account }) => due || method || account)
  const isLinked = isDue && link !== ''
  if (terms === '' && !isStated && !isLinked) return null
  const column = (key: 'due' | 'method' | 'account' | 'amount') => ({
    key,
    label: lang.label(PAYMENT[key === 'due' && toPay < 0 ? 'day' : key]),
    align: key === 'amount' ? ('end' as const) : ('start' as const),
  })
  return {
    label: lang.label(PAYMENT[toPay > 0 ? 'title' : toPay < 0 ? 'refund' : 'nothing']),
    terms,
    columns: [column('due'), column('method'), column('account'), column('amount')],
    instalments: isStated ? instalments : [],
    link: isLinked ? { label: lang.label(PAYMENT.link), url: link } : null,
    transfers: transfersOf(subject, isDue),
  }
}
