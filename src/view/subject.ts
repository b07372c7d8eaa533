/** The input of every part of the page. */
import { minorUnitsOf } from '#core/catalogs/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { isMarginKey } from '#core/invoice/terms.ts'
import { amountText, moneyText } from './display-format.ts'
import type { PageLanguage } from './page-language.ts'

export type Invoice = CanonicalInvoice['invoice']

const EURO = 'EUR'

/** The currency of the amounts on the page. */
export interface Currency {
  readonly code: string
  readonly decimals: number
  /** Whether the page is in euros. If not, its amounts come from the `invoice_currency` blocks. */
  readonly isEuro: boolean
}

export interface Subject {
  readonly invoice: Invoice
  readonly direction: 'issued' | 'received'
  readonly lang: PageLanguage
  readonly currency: Currency
  /** Tax of the invoice: IVA, IGIC or IPSI. */
  readonly group: string
  /** Formats an amount in the currency of the page. */
  readonly amount: (value: number) => string
  /** Formats an amount with the currency of the page. */
  readonly money: (value: number) => string
  /** Formats an amount in euros, regardless of the currency of the page. */
  readonly euros: (value: number) => string
}

/**
 * Returns the currency of the page: the currency of the invoice if the document has every amount of the page in it,
 * otherwise the euro. RD 1619/2012, art. 12.1 allows any currency if the tax is also stated in euros.
 */
function currencyOf({ issue_data, lines, taxes_outputs: taxes = [], totals }: Invoice): Currency {
  const code = issue_data.invoice_currency?.invoice_currency_code ?? EURO
  const isComplete =
    totals.invoice_currency?.invoice_total !== undefined &&
    lines.every((line) => line.invoice_currency?.gross_amount_without_tax !== undefined) &&
    taxes.every(
      ({ invoice_currency: own }) => own?.taxable_base !== undefined && own.tax_amount !== undefined,
    )
  if (code === EURO || !isComplete) return { code: EURO, decimals: 2, isEuro: true }
  return { code, decimals: minorUnitsOf(code) ?? 2, isEuro: false }
}

export function subjectOf(invoice: Invoice, direction: 'issued' | 'received', lang: PageLanguage): Subject {
  const currency = currencyOf(invoice)
  const { code, decimals } = currency
  return {
    invoice,
    direction,
    lang,
    currency,
    group: invoice.issue_data.tax_group_code ?? 'IVA',
    amount: (value) => amountText(value, lang.locale, decimals),
    money: (value) => moneyText(value, lang.locale, code, decimals),
    euros: (value) => moneyText(value, lang.locale),
  }
}

/**
 * Whether the tax of a group must not be shown separately. Under a margin scheme the invoice shows only the price (Ley
 * 37/1992, art. 138; RD 1619/2012, art. 16.2). Received invoices show the tax as registered.
 */
export const hidesTax = ({ direction }: Subject, key: string | undefined): boolean =>
  direction === 'issued' && isMarginKey(key)
