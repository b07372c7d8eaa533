/** Codes for invoices that cannot become a record or a QR code. */
import type { INVOICE_CODES } from '../generated/texts/records.ts'

export { INVOICE_CODES } from '../generated/texts/records.ts'

export type InvoiceCode = keyof typeof INVOICE_CODES
