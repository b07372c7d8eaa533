/** Checks the invoice for a record or a QR code. */

import type { CanonicalInvoice, Extra, InvoiceBlock } from '#core/invoice/index.ts'
import { documentOf, type Validated } from '../../fiscal/fiscal-document.ts'
import { spanishNif } from '../../fiscal/fiscal-party.ts'
import type { InvoiceCode } from '../model/invoice-items.ts'

export interface IssuedInvoice {
  readonly invoice: CanonicalInvoice
  readonly block: InvoiceBlock
  /** NIF of the issuer; undefined if it was refused. */
  readonly issuer: string | undefined
}

type Refuse = (code: InvoiceCode, path: string, extra?: Extra) => void

/**
 * Checks the data that identify the invoice in its record and returns them. Returns null if the invoice is not
 * normalised or has errors.
 */
export function issuedInvoice(input: CanonicalInvoice | Validated, refuse: Refuse): IssuedInvoice | null {
  const invoice = documentOf(input, (code, path, extra) => refuse(`record.${code}`, path, extra))
  if (!invoice) return null
  const block = invoice.invoice
  if (invoice.meta.direction !== 'issued')
    refuse('record.direction', '/meta/direction', { received: invoice.meta.direction })
  const issuer = spanishNif(block.supplier.tax_id)
  if (!issuer)
    refuse('record.issuer_nif', '/invoice/supplier/tax_id', { received: block.supplier.tax_id ?? null })
  if (!block.header.invoice_number?.trim()) refuse('record.required', '/invoice/header/invoice_number')
  if (!block.issue_data.issue_date) refuse('record.required', '/invoice/issue_data/issue_date')
  return { invoice, block, issuer }
}
