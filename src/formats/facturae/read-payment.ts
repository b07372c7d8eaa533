/** Reads payments, disbursements and payments on account. */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { type Cursor, optional, undefinedIfEmpty } from './facturae-cursor.ts'
import type { TotalsRead } from './facturae-sums.ts'

type Invoice = CanonicalInvoiceInput['invoice']
type Round = (amount: number) => number

export const paymentsOf = (invoice: Cursor): Invoice['payment_details'] =>
  undefinedIfEmpty(
    invoice.list('PaymentDetails', 'Installment').map((installment) => ({
      ...optional('installment_due_date', installment.date('InstallmentDueDate')),
      ...optional('installment_amount', installment.number('InstallmentAmount')),
      ...optional('payment_method_code', installment.text('PaymentMeans')),
      ...optional('iban_account_to_be_credited', installment.block('AccountToBeCredited')?.text('IBAN')),
      ...optional('iban_account_to_be_debited', installment.block('AccountToBeDebited')?.text('IBAN')),
      ...optional('payment_reconciliation_reference', installment.text('PaymentReconciliationReference')),
      ...optional('collection_additional_information', installment.text('CollectionAdditionalInformation')),
    })),
  ) as Invoice['payment_details']

/** Returns document-level discounts or surcharges. */
const adjustmentsOf = (totals: Cursor, block: string, name: string, round: Round) =>
  undefinedIfEmpty(
    totals.list(block, name).map((entry) => {
      const member = name.toLowerCase()
      const rate = entry.number(`${name}Rate`)
      const usable = rate !== undefined && rate >= 0 && rate <= 100
      return {
        ...optional(`${member}_reason`, entry.text(`${name}Reason`)),
        ...(usable ? { [`${member}_rate`]: rate } : {}),
        [`${member}_amount`]: round(required(entry.number(`${name}Amount`))),
      }
    }),
  )

const paidOf = (totals: Cursor, round: Round) =>
  undefinedIfEmpty(
    totals.list('PaymentsOnAccount', 'PaymentOnAccount').map((payment) => ({
      payment_on_account_date: required(payment.date('PaymentOnAccountDate')),
      payment_on_account_amount: round(required(payment.number('PaymentOnAccountAmount'))),
    })),
  )

const expensesOf = (totals: Cursor, round: Round) =>
  undefinedIfEmpty(
    totals.list('ReimbursableExpenses', 'ReimbursableExpenses').map((expense) => ({
      ...optional('issue_date', expense.date('IssueDate')),
      ...optional('invoice_number', expense.text('InvoiceNumber')),
      ...optional('invoice_series_code', expense.text('InvoiceSeriesCode')),
      reimbursable_expenses_amount: round(required(expense.number('ReimbursableExpensesAmount'))),
    })),
  )

/**
 * Returns the totals that the document states. If `adjusted` is false, its discounts and surcharges became lines, so
 * the sum of lines differs from the stated sum.
 */
export function totalsOf(
  invoice: Cursor,
  read: TotalsRead,
  total: number,
  adjusted: boolean,
  round: Round,
): Invoice['totals'] {
  const totals = invoice.need('InvoiceTotals')
  const adjustments = adjusted
    ? {
        total_gross_amount: round(read.gross),
        ...optional('general_discounts', adjustmentsOf(totals, 'GeneralDiscounts', 'Discount', round)),
        ...optional('general_surcharges', adjustmentsOf(totals, 'GeneralSurcharges', 'Charge', round)),
        ...(read.discounts === 0 ? {} : { total_general_discounts: round(read.discounts) }),
        ...(read.surcharges === 0 ? {} : { total_general_surcharges: round(read.surcharges) }),
      }
    : {}
  return {
    ...adjustments,
    total_gross_amount_before_taxes: round(read.beforeTaxes),
    total_tax_outputs: round(read.outputs),
    ...(read.withheld === 0 ? {} : { total_taxes_withheld: round(read.withheld) }),
    invoice_total: round(total),
    ...optional('payments_on_account', paidOf(totals, round)),
    ...(read.onAccount === 0 ? {} : { total_payments_on_account: round(read.onAccount) }),
    ...optional('reimbursable_expenses', expensesOf(totals, round)),
    ...(read.expenses === 0 ? {} : { total_reimbursable_expenses: round(read.expenses) }),
    total_executable_amount: round(read.executable),
  } as Invoice['totals']
}
