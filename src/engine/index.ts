/**
 * cuadra: an engine that validates and calculates Spanish invoices.
 *
 * `validate`, `explain` and `reconcile` take a canonical `json_1_1` invoice. `catalog` and `rules` return the catalogs
 * and rules that these functions apply. The functions are pure and return the same results in Node, browsers, workers
 * and WebAssembly.
 */
export { CATALOG_NAMES, type CatalogEntry, type CatalogName, catalog } from '#core/catalogs/index.ts'
export {
  checkIban,
  checkTaxId,
  type IbanCheck,
  type IbanReason,
  type TaxIdCheck,
  type TaxIdKind,
  type TaxIdReason,
} from '#core/identifiers/index.ts'
export type {
  CanonicalInvoice,
  CanonicalInvoiceInput,
  Company,
  CompletedInvoice,
  ExchangeRate,
  Extra,
  InvoiceItem,
  Locale,
  Operation,
  Options,
  Severity,
  Source,
  Text,
  ValidationCode,
  ValidationItem,
} from '#core/invoice/index.ts'
export { MAX_ITEMS } from '#core/invoice/index.ts'
export type { MessageParts } from '#core/messages/index.ts'
export { messageParts } from './examine/message-parts.ts'
export { type ExplanationInput, type ExplanationRow, explain } from './explain.ts'
export { type ReconciliationRow, reconcile } from './reconcile.ts'
export { type RuleRecord, rules } from './rule-records.ts'
export { invoiceSchema, type StandardSchema } from './standard-schema.ts'
export { type InvalidInvoice, type ValidationResult, type ValidInvoice, validate } from './validate.ts'
