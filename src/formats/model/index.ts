/** Shared by all formats: their interface, and the messages of reading and writing. */

export { READING_CODES, type ReadingCode } from './messages.ts'
export { PROFILE_CODES, PROFILES, type Profile, type ProfileCode } from './profiles.ts'
export { EXPORT_REASONS, type ExportReason } from './reasons.ts'
export {
  type ExportItem,
  elementPath,
  nearestTo,
  type ReadingItem,
  ReadingItems,
  WritingItems,
} from './report.ts'
export {
  type EmbeddedFile,
  FORMAT_CODES,
  type Format,
  type FormatCode,
  type ReadingOptions,
  type ReadingReport,
  type SignatureNote,
  type Statement,
  type Tree,
  type WritingOptions,
  type WritingReport,
} from './types.ts'
