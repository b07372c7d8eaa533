export { CATALOG_NAMES, type CatalogEntry, type CatalogName, catalog } from './catalog.ts'
export {
  correctionReasonCodes,
  exemptionReasonCodes,
  memberStates,
  nonDeductibleReasonCodes,
  nonTaxableReasonCodes,
  paymentMethodCodes,
  regimeCodes,
  unitCodes,
} from './code-lists.ts'
export { type ConsumptionRate, consumptionRatesOf } from './consumption-rates.ts'
export { type Country, countryOf, isEuMember, vatTerritoryOf } from './countries.ts'
export { currencyOfCountry, isCurrencyCode, lastDayOfCurrency, minorUnitsOf } from './currencies.ts'
export {
  type CorrectionReason,
  correctionReasonOf,
  type InvoiceType,
  invoiceTypeOf,
  isCorrectionReason,
  isPaymentMethod,
  type PaymentMethod,
  paymentMethodOf,
} from './document-catalogs.ts'
export { farmersCompensationOf, withholdingRatesOf } from './special-rates.ts'
export {
  type Subdivision,
  subdivisionByName,
  subdivisionByPostCode,
  subdivisionOf,
} from './subdivisions.ts'
export { isSurchargePair, surchargesOf, type TaxRate, taxRateOf, taxRatesOf } from './tax-rates.ts'
export {
  type ExemptionReason,
  exemptionReasonGroups,
  exemptionReasonOf,
  isNonDeductibleReason,
  isNonTaxableReason,
  isTreatment,
  regimeOf,
  type TaxRegime,
  type TaxTreatment,
} from './tax-reasons.ts'
export { unitOf } from './unit-catalog.ts'
