/** Tax identifiers and account numbers: what can be known about them offline. */
export { checkIban } from './iban.ts'
export { spanishTaxId } from './spanish.ts'
export { checkTaxId, partyTaxId } from './tax-id.ts'
export type { IbanCheck, IbanReason, TaxIdCheck, TaxIdKind, TaxIdReason } from './types.ts'
