/** Offline checks of tax identifiers and account numbers. */
export { checkIban } from './iban.ts'
export { spanishTaxId } from './spanish-ids.ts'
export { checkPartyTaxId, checkTaxId } from './tax-id.ts'
export type { IbanCheck, IbanReason, TaxIdCheck, TaxIdKind, TaxIdReason } from './tax-id-types.ts'
