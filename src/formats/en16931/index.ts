/** Shared by UBL and CII: the semantic model of EN 16931, its rules, and its mapping to and from json_1_1. */
export { attachmentsOf, referencesOf } from './documents.ts'
export { Element, type ReadChildren } from './element.ts'
export { exchangeRateOf } from './exchange.ts'
export { fromCanonical } from './from-canonical.ts'
export type {
  Allowance,
  Attachment,
  Category,
  DocumentAllowance,
  EnInvoice,
  Id,
  Line,
  Locations,
  Note,
  Party,
  Payment,
  Period,
  PostalAddress,
  Preceding,
  Tax,
  Totals,
} from './model.ts'
export { AmountReader, idOf, unmappedOf } from './reader.ts'
export { amountText, decimalText, toXmlForm } from './shaped.ts'
export { type Syntax, statementOf } from './statement.ts'
export { dayOf, dayOfFormat102 } from './tree.ts'
