/**
 * The formats of the compiled schemas: real calendar dates, and the catalogs' code lists, which the published
 * schemas spell out as enums (`schemas/codes.json`) and the engine looks up.
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
import { isDate } from './date.ts'

export const formats = {
  date: isDate,
  country: (code: string) => countryOf(code) !== undefined,
  currency: isCurrencyCode,
  non_taxable_reason: isNonTaxableReason,
  non_deductible_reason: isNonDeductibleReason,
  payment_method: isPaymentMethod,
} as const

/** What a format allows, where that is a list short enough to be offered. */
export const formatCodes: Readonly<Record<string, (() => readonly string[]) | undefined>> = {
  non_taxable_reason: nonTaxableReasonCodes,
  non_deductible_reason: nonDeductibleReasonCodes,
  payment_method: paymentMethodCodes,
}
