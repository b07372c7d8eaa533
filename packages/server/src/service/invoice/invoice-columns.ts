/** Extracts the columns that lists, filters and summaries need from a document. */
import { checkTaxId } from '#core/identifiers/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { sortColumnsOf } from '../../store/invoices.ts'
import type { Direction } from '../../store/tables.ts'

/** Normalises a tax id to the form that is stored and compared. Text that is not a tax id is only trimmed. */
export const normalTaxId = (taxId: string | null | undefined): string | null => {
  if (!taxId) return null
  const { normalized } = checkTaxId(taxId)
  return normalized === '' ? taxId.trim() : normalized
}

/** Returns the columns that every document has, drafts included. */
export function columnsOf({ meta, invoice }: CanonicalInvoice) {
  const { supplier, customer, header, issue_data, totals } = invoice
  return {
    document_series: header.invoice_series_code ?? null,
    external_ref: meta.external_ref ?? null,
    supplier_tax_id: normalTaxId(supplier.tax_id),
    supplier_name: supplier.name,
    customer_tax_id: normalTaxId(customer?.tax_id),
    customer_name: customer?.name ?? null,
    currency: issue_data.tax_currency_code ?? 'EUR',
    total_base: totals.total_gross_amount_before_taxes,
    total_tax: totals.total_tax_outputs,
    total: totals.invoice_total,
    // The corrected invoice's number is ignored unless this invoice is corrective. It is trimmed, like stored numbers.
    corrected_number: (header.is_corrective && header.corrective?.invoice_number?.trim()) || null,
  }
}

const UNNUMBERED = { series: null, number: null, issue_date: null }

/** Returns the columns of a draft, which has no number yet. */
export const draftColumns = (data: CanonicalInvoice) => ({
  ...columnsOf(data),
  ...UNNUMBERED,
  ...sortColumnsOf(UNNUMBERED),
  issue_year: null,
  fiscal_date: null,
})

/**
 * Returns the day that determines the filing period of an invoice. Tax on a received invoice can be deducted once the
 * invoice has been received (art. 99.Tres and Cuatro Ley 37/1992). Tax on an issued invoice falls due with the
 * operation (art. 75). Tax on a corrective invoice belongs to the period of its issue (art. 89.Cinco).
 */
function fiscalDateOf(
  { header, issue_data }: CanonicalInvoice['invoice'],
  direction: Direction,
): string | null {
  const { issue_date, operation_date, receipt_date } = issue_data
  const before = direction === 'received' ? receipt_date : header.is_corrective ? undefined : operation_date
  return before ?? issue_date ?? null
}

/** Returns the columns of a numbered document, including series, date, sort order and filing period. */
export function numberedColumns(data: CanonicalInvoice, direction: Direction) {
  const { header, issue_data } = data.invoice
  const numbered = {
    series: header.invoice_series_code ?? null,
    number: header.invoice_number ?? null,
    issue_date: issue_data.issue_date ?? null,
  }
  return {
    ...columnsOf(data),
    ...numbered,
    ...sortColumnsOf(numbered),
    issue_year: numbered.issue_date?.slice(0, 4) ?? null,
    fiscal_date: fiscalDateOf(data.invoice, direction),
  }
}
