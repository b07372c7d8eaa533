/** What every part of the page is made of. */
import { minorUnitsOf } from '../catalogs/index.ts'
import type { CanonicalInvoice } from '../invoice/index.ts'
import { isMarginKey } from '../invoice/index.ts'
import { amount, money } from './format.ts'
import type { Speaker } from './speak.ts'

export type Invoice = CanonicalInvoice['invoice']

const EURO = 'EUR'

/** The currency that the amounts of the page are in. */
export interface Currency {
  readonly code: string
  readonly decimals: number
  /** False: the amounts of the page are those of the `invoice_currency` blocks. */
  readonly isEuro: boolean
}

export interface Subject {
  readonly invoice: Invoice
  readonly direction: 'issued' | 'received'
  readonly say: Speaker
  readonly currency: Currency
  /** IVA, IGIC, IPSI. */
  readonly group: string
  /** An amount in the currency of the page. */
  readonly amount: (value: number) => string
  /** The same with its sign. */
  readonly money: (value: number) => string
  /** An amount in euros, whatever the currency of the page. */
  readonly euros: (value: number) => string
}

/**
 * The currency that was agreed on, where every amount of the page is known in it; else the euro. RD 1619/2012, art. 12.1
 * lets amounts be in any currency as long as the tax is in euros, too.
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

export function subjectOf(invoice: Invoice, direction: 'issued' | 'received', say: Speaker): Subject {
  const currency = currencyOf(invoice)
  const { code, decimals } = currency
  return {
    invoice,
    direction,
    say,
    currency,
    group: invoice.issue_data.tax_group_code ?? 'IVA',
    amount: (value) => amount(value, say.locale, decimals),
    money: (value) => money(value, say.locale, code, decimals),
    euros: (value) => money(value, say.locale),
  }
}

/**
 * Whether the tax of such a group must not be told apart: of a margin scheme the invoice shows the price alone (Ley
 * 37/1992, art. 138; RD 1619/2012, art. 16.2). Of a received invoice the company may see what it registered.
 */
export const hidesTax = ({ direction }: Subject, key: string | undefined): boolean =>
  direction === 'issued' && isMarginKey(key)
