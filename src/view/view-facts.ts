/** The facts next to title and number, such as dates and orders, and the data of the corrected invoice. */
import { isMarginKey } from '#core/invoice/terms.ts'
import { dateText, periodText } from './display-format.ts'
import { nameOf } from './display-names.ts'
import type { Pair } from './page-language.ts'
import { amountToPay } from './payment-view.ts'
import type { Subject } from './subject.ts'
import { CORRECTED, FACTS, PAYMENT } from './view-labels.ts'
import type { Fact, FactsView } from './view-model.ts'

/** Returns the facts that have a value. */
const known = ({ lang }: Subject, facts: readonly (readonly [Pair, string | undefined])[]): Fact[] =>
  facts.flatMap(([pair, value]) => (value ? [{ label: lang.label(pair), value }] : []))

/** Returns the due date, or the first and last due date if there are several; empty if no payment is due. */
function dueOf(
  { payment_details: details = [], ...invoice }: Subject['invoice'],
  isInForce: boolean,
): string {
  const days = details.flatMap((detail) => detail.installment_due_date ?? []).sort()
  if (!isInForce || amountToPay(invoice) <= 0 || days.length === 0) return ''
  return days[0] === days.at(-1) ? dateText(days[0]) : periodText(days[0], days.at(-1))
}

/** Returns the facts of an invoice. `registered` is the day on which a received invoice was registered. */
export function factsOf(subject: Subject, isInForce: boolean, registered: string | undefined): Fact[] {
  const { invoice, lang } = subject
  const { header, issue_data: issue, additional_data: more } = invoice
  const { references = {} } = header
  const related = more?.related_invoice
  return known(subject, [
    [FACTS.invoice_series_code, header.invoice_series_code],
    [FACTS.issue_date, dateText(issue.issue_date)],
    [PAYMENT.due, dueOf(invoice, isInForce)],
    [FACTS.operation_date, issue.operation_date === issue.issue_date ? '' : dateText(issue.operation_date)],
    [FACTS.period, periodText(issue.invoicing_period_start_date, issue.invoicing_period_end_date)],
    [FACTS.receipt_date, dateText(issue.receipt_date)],
    [FACTS.registered, dateText(registered)],
    [FACTS.is_dua, issue.is_dua ? lang.text(['Sí', 'Yes']) : ''],
    [FACTS.receiver_transaction_reference, references.receiver_transaction_reference],
    [FACTS.receiver_contract_reference, references.receiver_contract_reference],
    [FACTS.issuer_contract_reference, references.issuer_contract_reference],
    [FACTS.file_reference, references.file_reference],
    [
      FACTS.related_invoice,
      related && [related.series, related.number, dateText(related.issue_date)].filter(Boolean).join(', '),
    ],
  ])
}

/** Returns the data of the corrected invoice and the reason (RD 1619/2012, art. 15.4). */
export function correctedOf(subject: Subject): FactsView | null {
  const { corrective } = subject.invoice.header
  if (!corrective) return null
  const { lang, euros } = subject
  const { correction_type: type, reason_code: reason, tax_period: period } = corrective
  // Under a margin scheme, the tax is never shown (art. 138 Ley 37/1992).
  const isMargin = subject.invoice.taxes_outputs?.some((entry) => isMarginKey(entry.tax_regime_key))
  const amount = (value: number | undefined) => (value === undefined || isMargin ? '' : euros(value))
  return {
    label: lang.label(CORRECTED.title),
    facts: known(subject, [
      [CORRECTED.invoice_number, corrective.invoice_number],
      [CORRECTED.invoice_series_code, corrective.invoice_series_code],
      [CORRECTED.invoice_issue_date, dateText(corrective.invoice_issue_date)],
      [CORRECTED.tax_period, periodText(period?.start_date, period?.end_date)],
      [
        CORRECTED.reason,
        [reason && lang.text(nameOf('correction-reasons', reason)), corrective.reason_description]
          .filter(Boolean)
          .join(': '),
      ],
      [CORRECTED.correction_type, type && lang.text(CORRECTED[type])],
      [CORRECTED.corrected_taxable_base, amount(corrective.corrected_taxable_base)],
      [CORRECTED.corrected_tax_amount, amount(corrective.corrected_tax_amount)],
    ]),
  }
}
