/**
 * cuadra/formats: reads invoices of other systems into the canonical `json_1_1` and writes them from it. It uses no
 * clock, network or files.
 */
export { type Detection, detectFormat } from './detect.ts'
export { elementPositions } from './format-positions.ts'
export {
  type EmbeddedFile,
  EXPORT_REASONS,
  type ExportItem,
  type ExportReason,
  FORMAT_CODES,
  type FormatCode,
  PROFILE_CODES,
  type ProfileCode,
  READING_CODES,
  type ReadingCode,
  type ReadingItem,
  type SignatureNote,
} from './model/index.ts'
export { type Reading, type ReadOptions, readInvoice, type Split, splitInvoices } from './read-invoice.ts'
export { type WriteInvoiceOptions, type Written, writeInvoice } from './write-invoice.ts'
