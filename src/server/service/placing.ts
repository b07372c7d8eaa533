/** Where an invoice stands once it has a number: its series, its day, its place in the list, its tax period. */
import type { CanonicalInvoice } from '../../invoice/index.ts'
import { type InvoiceRow, orderOf } from '../store/invoices.ts'

type Placed = Pick<
  InvoiceRow,
  | 'series'
  | 'number'
  | 'issue_date'
  | 'issue_year'
  | 'fiscal_date'
  | 'sort_series'
  | 'sort_date'
  | 'sort_number'
>

/**
 * Day by which an issued invoice belongs to a return: that of the operation, since tax falls due with it (art. 75 Ley
 * 37/1992); a corrective belongs to the period in which it is issued (art. 89.Cinco).
 */
function fiscalDateOf({ header, issue_data }: CanonicalInvoice['invoice']): string | null {
  const { issue_date, operation_date } = issue_data
  const day = header.is_corrective ? issue_date : (operation_date ?? issue_date)
  return day ?? null
}

/** The columns that a finished document gives its row. */
export function placedBy({ invoice }: CanonicalInvoice): Placed {
  const { header, issue_data } = invoice
  const placed = {
    series: header.invoice_series_code ?? null,
    number: header.invoice_number ?? null,
    issue_date: issue_data.issue_date ?? null,
  }
  return {
    ...placed,
    ...orderOf(placed),
    issue_year: placed.issue_date?.slice(0, 4) ?? null,
    fiscal_date: fiscalDateOf(invoice),
  }
}
