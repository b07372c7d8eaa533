/**
 * Returns an invoice in its own currency, with the amounts of its `invoice_currency` blocks instead of those in euros.
 */
import { minorUnitsOf } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import {
  amountsInDocumentCurrency,
  type DocumentCurrency,
  isInconsistentPrice,
  type ListEntry,
  type WritingReport,
} from '../model/index.ts'

type Invoice = CanonicalInvoice['invoice']
export type CanonicalLine = Invoice['lines'][number]
export type CanonicalTax = NonNullable<Invoice['taxes_outputs']>[number]

export interface InvoiceAmounts {
  readonly currency: string
  /** The tax in euros, if the document is in another currency and has a rate. */
  readonly accountingTax?: number
  readonly lines: readonly CanonicalLine[]
  readonly taxes: readonly CanonicalTax[]
  readonly totals: Invoice['totals']
}

const EURO = 'EUR'

/** Returns the discounts and surcharges of the document in its own currency. */
function adjustmentsOf(
  { general_discounts: discounts = [], general_surcharges: surcharges = [] }: Invoice['totals'],
  own: NonNullable<Invoice['totals']['invoice_currency']>,
  currency: DocumentCurrency,
) {
  const amounts = (entries: readonly ListEntry[], total = 0) =>
    amountsInDocumentCurrency(entries, total, currency)
  const lessened = amounts(
    discounts.map((one) => ({ amount: one.discount_amount, rate: one.discount_rate })),
    own.total_general_discounts,
  )
  const added = amounts(
    surcharges.map((one) => ({ amount: one.charge_amount, rate: one.charge_rate })),
    own.total_general_surcharges,
  )
  return {
    general_discounts: discounts.map((one, at) => ({ ...one, discount_amount: required(lessened[at]) })),
    general_surcharges: surcharges.map((one, at) => ({ ...one, charge_amount: required(added[at]) })),
  }
}

/**
 * Returns a line with the amounts of its currency block only. Omits a unit price from which the cost does not result.
 */
function lineOf({ invoice_currency: own, ...line }: CanonicalLine, decimals: number): CanonicalLine {
  const {
    unit_price_without_tax: _price,
    unit_price_with_tax: _priceWithTax,
    discount_amount: _discount,
    charge_amount: _charge,
    ...rest
  } = line
  const gross = own?.gross_amount_without_tax ?? 0
  const { unit_price_without_tax: price, ...others } = own ?? {}
  const cost = others.total_cost_without_tax ?? gross
  const isOwn = price !== undefined && !isInconsistentPrice(price, line.quantity, cost, decimals)
  return {
    ...rest,
    total_cost_without_tax: gross,
    ...others,
    ...(isOwn && { unit_price_without_tax: price }),
  }
}

/** Whether the document has every amount to write in its own currency. */
const isComplete = ({
  lines,
  taxes_outputs: taxes = [],
  totals: { invoice_currency: own },
}: Invoice): boolean =>
  own?.total_gross_amount_before_taxes !== undefined &&
  own.total_tax_outputs !== undefined &&
  own.invoice_total !== undefined &&
  own.total_executable_amount !== undefined &&
  lines.every((line) => line.invoice_currency?.gross_amount_without_tax !== undefined) &&
  taxes.every(({ invoice_currency: tax }) => tax?.taxable_base !== undefined && tax.tax_amount !== undefined)

/** Returns the amounts in the currency of the document; null if an amount is missing. */
export function invoiceAmountsOf(
  { invoice }: CanonicalInvoice,
  report: WritingReport,
): InvoiceAmounts | null {
  const { lines, taxes_outputs: taxes = [], totals, issue_data: issue } = invoice
  const currency = issue.invoice_currency?.invoice_currency_code ?? EURO
  if (currency === EURO) return { currency, lines, taxes, totals }
  const at = '/invoice/issue_data/invoice_currency'
  const decimals = minorUnitsOf(currency) ?? 2
  const own = totals.invoice_currency
  const complete = isComplete(invoice)
  if (decimals > 2) report.refuse('currency_decimals', at, { received: currency, decimals })
  if (!complete) report.refuse('foreign_amounts', at, { received: currency })
  if (decimals > 2 || !complete || !own) return null
  return {
    currency,
    ...(issue.invoice_currency?.exchange_rate === undefined
      ? {}
      : { accountingTax: totals.total_tax_outputs }),
    lines: lines.map((line) => lineOf(line, decimals)),
    taxes: taxes.map((tax) => ({ ...tax, ...tax.invoice_currency })),
    totals: {
      ...totals,
      rounding_amount: 0,
      total_payments_on_account: 0,
      ...own,
      ...adjustmentsOf(totals, own, {
        rate: issue.invoice_currency?.exchange_rate ?? 1,
        decimals,
        euros: totals.total_gross_amount ?? 0,
        gross: own.total_gross_amount ?? 0,
      }),
    },
  }
}
