/** An invoice in the currency of the document: what the engine keeps in `invoice_currency` blocks is put in place. */
import { minorUnitsOf } from '../../catalogs/index.ts'
import type { CanonicalInvoice } from '../../invoice/index.ts'
import type { WritingReport } from '../model/index.ts'

type Invoice = CanonicalInvoice['invoice']
export type CanonicalLine = Invoice['lines'][number]
export type CanonicalTax = NonNullable<Invoice['taxes_outputs']>[number]

export interface View {
  readonly currency: string
  /** The tax in euros, where the document is in another currency. */
  readonly accountingTax?: number
  readonly lines: readonly CanonicalLine[]
  readonly taxes: readonly CanonicalTax[]
  readonly totals: Invoice['totals']
}

const EURO = 'EUR'

/** One discount of all: of each, the currency blocks say nothing. */
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

/** The amounts of a document; null where it is in a currency that it does not have them in. */
export function viewOf({ invoice }: CanonicalInvoice, report: WritingReport): View | null {
  const { lines, taxes_outputs: taxes = [], totals, issue_data: issue } = invoice
  const currency = issue.invoice_currency?.invoice_currency_code ?? EURO
  if (currency === EURO) return { currency, lines, taxes, totals }
  const at = '/invoice/issue_data/invoice_currency'
  const decimals = minorUnitsOf(currency) ?? 2
  const own = totals.invoice_currency
  if (decimals > 2) report.refuse('currency_decimals', at, { received: currency, decimals })
  if (!own) report.refuse('foreign_amounts', at, { received: currency })
  if (decimals > 2 || !own) return null
  const payments = own.total_payments_on_account ?? 0
  return {
    currency,
    accountingTax: totals.total_tax_outputs,
    lines: lines.map((line) => ({ ...line, ...line.invoice_currency })),
    taxes: taxes.map((tax) => ({ ...tax, ...tax.invoice_currency })),
    totals: {
      ...totals,
      ...own,
      ...adjustmentsOf(totals, own.total_general_discounts ?? 0, own.total_general_surcharges ?? 0),
      ...(payments === 0 ? {} : { total_payments_on_account: payments }),
    },
  }
}
