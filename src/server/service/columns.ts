/** What lists, filters and summaries need of a document, as columns. */
import { checkTaxId } from '../../identifiers/index.ts'
import type { CanonicalInvoice } from '../../invoice/index.ts'
import type { InvoiceRow } from '../store/invoices.ts'

/** A tax id in the form in which ids are stored and compared; text that is none is kept without blanks. */
export const normalTaxId = (taxId: string | null | undefined): string | null => {
  if (!taxId) return null
  const { normalized } = checkTaxId(taxId)
  return normalized === '' ? taxId.trim() : normalized
}

export type DocumentColumns = Pick<
  InvoiceRow,
  | 'document_series'
  | 'external_ref'
  | 'supplier_tax_id'
  | 'supplier_name'
  | 'customer_tax_id'
  | 'customer_name'
  | 'currency'
  | 'total_base'
  | 'total_tax'
  | 'total'
  | 'corrected_number'
>

export function columnsOf({ meta, invoice }: CanonicalInvoice): DocumentColumns {
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
    // An invoice of another type corrects nothing, whatever it says. Without blanks, as numbers are kept.
    corrected_number: (header.is_corrective && header.corrective?.invoice_number?.trim()) || null,
  }
}
