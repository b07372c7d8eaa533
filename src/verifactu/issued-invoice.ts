/** The invoice that a record or a QR code is made of: what it must have, and the amount it is registered with. */
import { spanishNif } from '../fiscal/party.ts'
import type { CanonicalInvoice, Extra, InvoiceBlock, ValidationItem } from '../invoice/index.ts'
import { toMinor } from '../money/index.ts'
import type { InvoiceCode } from './invoice-items.ts'

/** What `validate` answers: a record is only made of an invoice without errors. */
export interface Validated {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  readonly data: CanonicalInvoice | null
}

export interface IssuedInvoice {
  readonly invoice: CanonicalInvoice
  readonly block: InvoiceBlock
  /** NIF of the issuer; undefined where it was refused. */
  readonly issuer: string | undefined
}

type Refuse = (code: InvoiceCode, path: string, extra?: Extra) => void

const isValidated = (value: unknown): value is Validated =>
  typeof value === 'object' && value !== null && 'is_valid' in value && 'errors' in value

/** Its data, unless it has errors. */
function dataOf(invoice: CanonicalInvoice | Validated, refuse: Refuse): CanonicalInvoice | null {
  if (!isValidated(invoice)) return invoice
  const errors = invoice.errors.filter((item) => item.severity === 'error')
  if (invoice.data && errors.length === 0) return invoice.data
  refuse('record.invalid_invoice', '', {
    count: errors.length,
    first: errors[0] ? `${errors[0].code} ${errors[0].path}` : 'schema',
  })
  return null
}

/** Looks for everything that a registered invoice is known by; null where it is not normalised or has errors. */
export function issuedInvoice(answer: CanonicalInvoice | Validated, refuse: Refuse): IssuedInvoice | null {
  const invoice = dataOf(answer, refuse)
  if (isValidated(answer) && !invoice) return null
  const block = invoice?.invoice
  const { totals, taxes_outputs } = block ?? {}
  if (!invoice || !block || !Array.isArray(taxes_outputs) || typeof totals?.invoice_total !== 'number') {
    refuse('record.not_normalised', totals ? '/invoice/taxes_outputs' : '/invoice/totals')
    return null
  }
  if (invoice.meta.direction !== 'issued')
    refuse('record.direction', '/meta/direction', { received: invoice.meta.direction })
  const issuer = spanishNif(block.supplier.tax_id)
  if (!issuer)
    refuse('record.issuer_nif', '/invoice/supplier/tax_id', { received: block.supplier.tax_id ?? null })
  if (!block.header.invoice_number?.trim()) refuse('record.required', '/invoice/header/invoice_number')
  if (!block.issue_data.issue_date) refuse('record.required', '/invoice/issue_data/issue_date')
  return { invoice, block, issuer }
}

/** Cents of `ImporteTotal`: the invoice total without the tax of other states under the one-stop shop. */
export const recordTotal = ({ totals }: InvoiceBlock): number =>
  toMinor(totals.invoice_total) - toMinor(totals.total_consumption_taxes ?? 0)
