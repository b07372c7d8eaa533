/** Code that all formats share: their interface, and the messages about reading and writing. */

export {
  type AmountInEuros,
  amountsInDocumentCurrency,
  type DocumentCurrency,
  isInconsistentPrice,
  type ListEntry,
  quotient,
  rateOf,
} from './exchange.ts'
export { FORMAT_CODES, type FormatCode } from './format-codes.ts'
export type {
  EmbeddedFile,
  Format,
  ReadingOptions,
  ReadingReport,
  SignatureNote,
  Statement,
  Tree,
  WritingOptions,
  WritingReport,
} from './format-types.ts'
export { isUnderCashBasis, refuseMixedRegimes } from './mentioned-regimes.ts'
export { PROFILE_CODES, PROFILES, type Profile, type ProfileCode } from './profiles.ts'
export { READING_CODES, type ReadingCode } from './reading-messages.ts'
export { EXPORT_REASONS, type ExportReason } from './reading-reasons.ts'
export {
  type ExportItem,
  elementPath,
  firstAtOrAbove,
  type ReadingItem,
  ReadingItems,
  WritingItems,
} from './reading-report.ts'
