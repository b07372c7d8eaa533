/**
 * The formats of the compiled schemas: calendar dates, texts of one line and of several, and the code lists of the
 * catalogs. The published schemas list these codes as enums (`schemas/codes.json`); the engine looks them up in the
 * catalogs.
 */
import {
  countryOf,
  isCurrencyCode,
  isNonDeductibleReason,
  isNonTaxableReason,
  isPaymentMethod,
  nonDeductibleReasonCodes,
  nonTaxableReasonCodes,
  paymentMethodCodes,
} from '../catalogs/index.ts'
import { isValidText } from './characters.ts'
import { isDate } from './date.ts'

export const formats = {
  date: isDate,
  line: (text: string) => isValidText('line', text),
  text: (text: string) => isValidText('text', text),
  country: (code: string) => countryOf(code) !== undefined,
  currency: isCurrencyCode,
  non_taxable_reason: isNonTaxableReason,
  non_deductible_reason: isNonDeductibleReason,
  payment_method: isPaymentMethod,
} as const

/** The codes of each format, if their list is short enough for a message. */
export const formatCodes: Readonly<Record<string, (() => readonly string[]) | undefined>> = {
  non_taxable_reason: nonTaxableReasonCodes,
  non_deductible_reason: nonDeductibleReasonCodes,
  payment_method: paymentMethodCodes,
}
