/**
 * Codes of the SII builders and readers, each with the problem, the instruction and the law. Placeholders are filled in
 * by `fill`.
 */
import { CASH_BASIS, MESSAGE } from '../generated/texts/messages.ts'
import { INVOICE_CODES } from './messages-invoice.ts'

export const SII_CODES = { ...INVOICE_CODES, ...CASH_BASIS, ...MESSAGE }

export type SiiCode = keyof typeof SII_CODES
