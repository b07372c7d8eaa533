/** When, how and into which account the invoice is to be paid. */
import type { PaymentDetail } from '../invoice/index.ts'
import { day } from './format.ts'
import { PAYMENT } from './labels.ts'
import type { InstalmentView, InvoiceView, QrView } from './model.ts'
import { nameOf } from './names.ts'
import type { Subject } from './subject.ts'
import { isTransfer, transferCode } from './transfer.ts'

/** An account number in groups of four. */
const spaced = (account: string): string => account.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')

function methodOf({ say }: Subject, detail: PaymentDetail): string {
  const { payment_method_code: code, payment_method_label: words } = detail
  const reference = detail.payment_reconciliation_reference
  return [
    words || (code === undefined ? '' : say.text(nameOf('payment-methods', code))),
    reference ? `${say.text(PAYMENT.reference)} ${reference}` : '',
    detail.collection_additional_information,
  ]
    .filter(Boolean)
    .join(' · ')
}

function accountOf({ say }: Subject, detail: PaymentDetail): string {
  const { iban_account_to_be_credited: credited, iban_account_to_be_debited: debited } = detail
  return [credited && spaced(credited), debited && `${say.text(PAYMENT.debited)} ${spaced(debited)}`]
    .filter(Boolean)
    .join(' · ')
}

/** The transfer that is due first. Only in euros, and only of an invoice that is to be paid. */
function transferOf({ invoice, say, euros }: Subject, isDue: boolean): QrView | null {
  const { header, issue_data, supplier, payment_details: details = [] } = invoice
  const currency = issue_data.invoice_currency?.invoice_currency_code ?? 'EUR'
  const number = header.invoice_number
  if (!isDue || currency !== 'EUR' || number === undefined) return null
  const byDay = (one: PaymentDetail) => one.installment_due_date ?? ''
  const [first] = details
    .filter(isTransfer)
    .sort((a, b) => (byDay(a) < byDay(b) ? -1 : byDay(a) > byDay(b) ? 1 : 0))
  const { iban_account_to_be_credited: iban = '', installment_amount: amount = 0 } = first ?? {}
  const reference =
    first?.payment_reconciliation_reference || `${PAYMENT.subject[say.locale === 'es' ? 0 : 1]} ${number}`
  const content = transferCode({ name: supplier.name, iban, amount, text: reference })
  return content === null ? null : { content, above: say.text(PAYMENT.transfer), below: euros(amount) }
}

export function paymentOf(subject: Subject, isDue: boolean): InvoiceView['payment'] {
  const { invoice, say, euros } = subject
  const { payment_terms: terms = '', payment_details: details = [] } = invoice
  if (terms === '' && details.length === 0) return null
  const column = (key: 'due' | 'method' | 'account' | 'amount') => ({
    key,
    label: say.label(PAYMENT[key]),
    align: key === 'amount' ? ('end' as const) : ('start' as const),
  })
  return {
    label: say.label(PAYMENT.title),
    terms,
    columns: [column('due'), column('method'), column('account'), column('amount')],
    instalments: details.map(
      (detail): InstalmentView => ({
        due: day(detail.installment_due_date),
        method: methodOf(subject, detail),
        account: accountOf(subject, detail),
        amount: detail.installment_amount === undefined ? '' : euros(detail.installment_amount),
      }),
    ),
    transfer: transferOf(subject, isDue),
  }
}
