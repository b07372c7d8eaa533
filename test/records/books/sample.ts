/** Fixtures: a company with settings for its books, and invoices of the worked example of the reference. */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { BookCompany, BookInvoice } from '#records/books/index.ts'
import { issued, type Loose, line, received } from '../sii/invoices.ts'

export const COMPANY: BookCompany = {
  tax_id: 'B12345674',
  legal_name: 'EMPRESA DE PRUEBAS SL',
  books: { activity: { code: 'A', type: '03', iae: '6533' } },
}

export const withBooks = (books: Partial<BookCompany['books']>): BookCompany => ({
  ...COMPANY,
  books: { ...COMPANY.books, ...books },
})

export const CLIENT = { person_type_code: 'J', tax_id: 'B98765431', name: 'CLIENTE SL' }

let count = 0
/** Names documents as files. */
export const named = (...invoices: readonly CanonicalInvoice[]): BookInvoice[] =>
  invoices.map((invoice) => ({ source: `${++count}.json`, invoice }))

interface Stated {
  readonly number: string
  readonly date: string
  readonly series?: string
  readonly change?: (invoice: Loose, document: Loose) => void
  readonly errors?: readonly string[]
}

/** An issued invoice to the client of the example. */
export const sale = (
  { number, date, series, change, errors }: Stated,
  ...lines: readonly object[]
): CanonicalInvoice =>
  issued(
    lines,
    (invoice, document) => {
      invoice.header.invoice_number = number
      invoice.header.invoice_series_code = series
      invoice.issue_data.issue_date = date
      Object.assign(invoice.customer, CLIENT)
      change?.(invoice, document)
    },
    errors,
  )

/** A received invoice. */
export const purchase = (
  { number, date, receipt, change, errors }: Stated & { readonly receipt?: string },
  ...lines: readonly object[]
): CanonicalInvoice =>
  received(
    lines,
    (invoice, document) => {
      invoice.header.invoice_number = number
      invoice.issue_data.issue_date = date
      invoice.issue_data.receipt_date = receipt ?? date
      change?.(invoice, document)
    },
    errors,
  )

export { type Loose, line }
