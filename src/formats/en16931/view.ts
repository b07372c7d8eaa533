/**
 * Returns an invoice in its own currency, with the amounts of the `invoice_currency` blocks instead of the amounts in
 * euros.
 */
import { minorUnitsOf } from '../../catalogs/index.ts'
import type { CanonicalInvoice } from '../../invoice/index.ts'
import { isOtherPrice, type WritingReport } from '../model/index.ts'

type Invoice = CanonicalInvoice['invoice']
export type CanonicalLine = Invoice['lines'][number]
export type CanonicalTax = NonNullable<Invoice['taxes_outputs']>[number]

export interface View {
  readonly currency: string
  /** The tax in euros, if the document is in another currency and has a rate. */
  readonly accountingTax?: number
  readonly lines: readonly CanonicalLine[]
  readonly taxes: readonly CanonicalTax[]
  readonly totals: Invoice['totals']
}

const EURO = 'EUR'

/**
 * Merges the discounts into one discount and the surcharges into one surcharge, because currency blocks have only their
 * totals.
 */
function adjustmentsOf(totals: Invoice['totals'], discounts: number, surcharges: number) {
  const reasons = (list: readonly (string | undefined)[] | undefined) =>
    list?.filter((reason) => reason !== undefined).join(', ') || undefined
  const discount_reason = reasons(totals.general_discounts?.map((one) => one.discount_reason))
  const charge_reason = reasons(totals.general_surcharges?.map((one) => one.charge_reason))
  return {
    general_discounts:
      discounts === 0
        ? []
        : [{ discount_amount: discounts, ...(discount_reason === undefined ? {} : { discount_reason }) }],
    general_surcharges:
      surcharges === 0
        ? []
        : [{ charge_amount: surcharges, ...(charge_reason === undefined ? {} : { charge_reason }) }],
  }
}

/** Returns a line with only the amounts of its currency block, without a price that does not give its cost. */
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
  const isOwn = price !== undefined && !isOtherPrice(price, line.quantity, cost, decimals)
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
export function viewOf({ invoice }: CanonicalInvoice, report: WritingReport): View | null {
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
      ...adjustmentsOf(totals, own.total_general_discounts ?? 0, own.total_general_surcharges ?? 0),
    },
  }
}
