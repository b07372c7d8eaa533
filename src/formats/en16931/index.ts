/** Shared by UBL and CII: the semantic model of EN 16931, its rules, and its mapping to and from json_1_1. */

export { Element, type ReadChildren } from './element.ts'
export { exchangeRateOf } from './en16931-exchange.ts'
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
} from './en16931-model.ts'
export { fromCanonical } from './from-canonical.ts'
export { AmountReader, idOf, unmappedOf } from './reader.ts'
export { amountText, decimalText, toXmlForm } from './shaped.ts'
export { type Syntax, statementOf } from './statement.ts'
export { attachmentsOf, referencesOf } from './supporting-documents.ts'
export { dayOf, dayOfFormat102 } from './tree.ts'
