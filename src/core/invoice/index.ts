/** The invoice format: types, schema stage, pointers, validation items, options. */

export { isBlank } from './blank.ts'
export { invalidCharacterOf, isValidText } from './characters.ts'
export { isDate, isDay } from './date.ts'
export type { ValidationCode } from './generated/codes.ts'
export type { CompletedInvoice } from './generated/completed-types.ts'
export type { CanonicalInvoiceInput } from './generated/input-types.ts'
export type {
  Address,
  CanonicalInvoice,
  Customer,
  Header,
  InvoiceBlock,
  IssueData,
  LegalLiteral,
  Line,
  LineCurrencyBlock,
  Meta,
  PaymentDetail,
  Supplier,
  TaxOutput,
  TaxWithheld,
  Totals,
} from './generated/types.ts'
export type { InvoiceItem } from './invoice-item.ts'
export {
  type Extra,
  type Finding,
  type Locale,
  MAX_ITEMS,
  type Operation,
  type Severity,
  type Source,
  type Text,
  type ValidationItem,
} from './item.ts'
export { type LikelyOperation, likelyOperation, type OperationReason } from './likely-operation.ts'
export { nearest, suggestedFields } from './near.ts'
export { type Dated, operationDay } from './operation-day.ts'
export { OptionError } from './option-error.ts'
export { type Company, type ExchangeRate, type Options, readOptions, type Settings } from './options.ts'
export { documentOrder, escapeSegment, lastSegmentsOf, segmentsOf, valueAt } from './pointer.ts'
export { withoutUndefined } from './present.ts'
export { checkSchema, collapseLines, computedFieldsIn, removeLineBreaks, shownValue } from './schema-check.ts'
export { oneLineMembers } from './shape.ts'
export { compatibleWith, type TaxKey, taxKeyOf, taxKeyText } from './tax-group.ts'
export {
  CASH_BASIS,
  COMPUTED_MEMBERS,
  COMPUTED_TOTALS,
  EXEMPT,
  FARMERS_OR_EXPORT,
  GENERAL_REGIME,
  hasConsumptionField,
  isMarginKey,
  LINE_AMOUNTS,
  NON_TAXABLE,
  ONE_STOP_SHOP,
  OUTPUT_AMOUNTS,
  REGIME_MENTIONS,
  REVERSE_CHARGE,
  TAXED,
  treatmentOf,
  WITHHELD_AMOUNTS,
} from './terms.ts'
