/** Checks the sums that Facturae defines. A document with a wrong sum is refused; the item contains both amounts. */
import { required } from '#core/errors/index.ts'
import type { ReadingReport } from '../model/index.ts'
import { addUp, CENT, distance } from './facturae-amounts.ts'
import type { Cursor } from './facturae-cursor.ts'

/** Lists in the totals block, each with the name of the amount of its entries. */
const LISTS = {
  TotalGeneralDiscounts: ['GeneralDiscounts', 'Discount', 'DiscountAmount'],
  TotalGeneralSurcharges: ['GeneralSurcharges', 'Charge', 'ChargeAmount'],
  TotalPaymentsOnAccount: ['PaymentsOnAccount', 'PaymentOnAccount', 'PaymentOnAccountAmount'],
  TotalReimbursableExpenses: ['ReimbursableExpenses', 'ReimbursableExpenses', 'ReimbursableExpensesAmount'],
  Subsidies: ['Subsidies', 'Subsidy', 'SubsidyAmount'],
} as const

function listed(totals: Cursor, list: keyof typeof LISTS): number | undefined {
  const [block, name, amount] = LISTS[list]
  const entries = totals.list(block, name)
  return entries.length === 0 ? undefined : addUp(entries.map((entry) => required(entry.number(amount))))
}

/** The totals of an invoice; 0 for an absent total. */
export type TotalsRead = ReturnType<typeof readTotals>

export function readTotals(invoice: Cursor) {
  const totals = invoice.need('InvoiceTotals')
  const number = (name: string): number => totals.number(name) ?? 0
  const sumOr = (total: keyof typeof LISTS): number => totals.number(total) ?? listed(totals, total) ?? 0
  return {
    gross: number('TotalGrossAmount'),
    discounts: sumOr('TotalGeneralDiscounts'),
    surcharges: sumOr('TotalGeneralSurcharges'),
    beforeTaxes: number('TotalGrossAmountBeforeTaxes'),
    outputs: number('TotalTaxOutputs'),
    withheld: number('TotalTaxesWithheld'),
    /** The total as stated, which may be before or after withholding. */
    invoiceTotal: number('InvoiceTotal'),
    subsidies: listed(totals, 'Subsidies') ?? 0,
    onAccount: sumOr('TotalPaymentsOnAccount'),
    outstanding: number('TotalOutstandingAmount'),
    guarantee: totals.block('AmountsWithheld')?.number('WithholdingAmount') ?? 0,
    inKind: totals.block('PaymentInKind')?.number('PaymentInKindAmount') ?? 0,
    expenses: sumOr('TotalReimbursableExpenses'),
    financial: number('TotalFinancialExpenses'),
    executable: number('TotalExecutableAmount'),
  }
}

/** Returns the total before withholding. The stated total may be before or after withholding: whichever is nearer. */
export function totalBeforeWithholding({ beforeTaxes, outputs, withheld, invoiceTotal }: TotalsRead): number {
  const before = addUp([beforeTaxes, outputs])
  const after = addUp([before, -withheld])
  return distance(invoiceTotal, before) < distance(invoiceTotal, after)
    ? invoiceTotal
    : addUp([invoiceTotal, withheld])
}

/** Returns the tolerance: one cent for each line and each tax, because each may be rounded separately. */
export const toleranceOf = (invoice: Cursor): number =>
  CENT * (invoice.list('Items', 'InvoiceLine').length + invoice.list('TaxesOutputs', 'Tax').length)

/** Checks the sums of one invoice. */
export function checkSums(invoice: Cursor, read: TotalsRead, report: ReadingReport): void {
  const totals = invoice.need('InvoiceTotals')
  const tolerance = toleranceOf(invoice)
  const check = (name: string, received: number, allowed: readonly number[], rule: string): void => {
    if (allowed.some((expected) => distance(received, expected) <= tolerance)) return
    report.refuse('format.sum', totals.at(name), { expected: allowed[0], received, rule })
  }
  for (const total of [
    'TotalGeneralDiscounts',
    'TotalGeneralSurcharges',
    'TotalPaymentsOnAccount',
    'TotalReimbursableExpenses',
  ] as const) {
    const stated = totals.number(total)
    const sum = listed(totals, total)
    if (stated !== undefined && sum !== undefined) check(total, stated, [sum], `sum of ${LISTS[total][2]}`)
  }
  const { beforeTaxes, outputs, withheld, subsidies, onAccount, outstanding } = read
  const lines = addUp(
    invoice.list('Items', 'InvoiceLine').map((line) => required(line.number('GrossAmount'))),
  )
  check('TotalGrossAmount', read.gross, [lines], 'sum of GrossAmount')
  check(
    'TotalGrossAmountBeforeTaxes',
    beforeTaxes,
    [addUp([read.gross, -read.discounts, read.surcharges])],
    'TotalGrossAmount - TotalGeneralDiscounts + TotalGeneralSurcharges',
  )
  const before = addUp([beforeTaxes, outputs])
  const after = addUp([before, -withheld])
  check(
    'InvoiceTotal',
    read.invoiceTotal,
    [after, before],
    'TotalGrossAmountBeforeTaxes + TotalTaxOutputs - TotalTaxesWithheld',
  )
  const paid = addUp([subsidies, onAccount])
  check(
    'TotalOutstandingAmount',
    outstanding,
    [addUp([after, -paid]), addUp([read.invoiceTotal, -paid])],
    'InvoiceTotal - subsidies - TotalPaymentsOnAccount',
  )
  check(
    'TotalExecutableAmount',
    read.executable,
    [addUp([after, -paid, -read.guarantee, -read.inKind, read.expenses, read.financial])],
    'TotalOutstandingAmount - amounts withheld - payment in kind + TotalReimbursableExpenses + TotalFinancialExpenses',
  )
}

/** Sums in the file header, each with the total of the invoices that it sums. */
export const BATCH_TOTALS = [
  ['TotalInvoicesAmount', 'InvoiceTotal'],
  ['TotalOutstandingAmount', 'TotalOutstandingAmount'],
  ['TotalExecutableAmount', 'TotalExecutableAmount'],
] as const

/** Checks the sums in the file header, which cover all invoices of the file. */
export function checkBatch(root: Cursor, invoices: readonly Cursor[], report: ReadingReport): void {
  const batch = root.need('FileHeader').need('Batch')
  const count = batch.number('InvoicesCount')
  if (count !== invoices.length)
    report.refuse('format.sum', batch.at('InvoicesCount'), {
      expected: invoices.length,
      received: count,
      rule: 'count of Invoice',
    })
  for (const [name, total] of BATCH_TOTALS) {
    const received = required(batch.amount(name))
    const expected = addUp(invoices.map((invoice) => required(invoice.need('InvoiceTotals').number(total))))
    if (distance(received, expected) > CENT * invoices.length)
      report.refuse('format.sum', batch.at(name), { expected, received, rule: `sum of ${total}` })
  }
}

/** Refuses amounts that affect the amount payable but have no field in the canonical invoice. */
export function refuseUnsupportedAmounts(invoice: Cursor, read: TotalsRead, report: ReadingReport): void {
  const totals = invoice.need('InvoiceTotals')
  for (const [name, received] of [
    ['Subsidies', read.subsidies],
    ['AmountsWithheld', read.guarantee],
    ['PaymentInKind', read.inKind],
    ['TotalFinancialExpenses', read.financial],
  ] as const)
    if (received !== 0) report.refuse('format.amount_not_carried', totals.at(name), { received })
}
