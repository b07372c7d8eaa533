/**
 * cuadra/formats: invoices of other systems, read into the canonical `json_1_1` and written from it. Pure: no clock,
 * no network, no files.
 */
export { type Detection, detectFormat } from './detect.ts'
export {
  type EmbeddedFile,
  EXPORT_REASONS,
  type ExportItem,
  type ExportReason,
  FORMAT_CODES,
  type FormatCode,
  READING_CODES,
  type ReadingCode,
  type ReadingItem,
  type SignatureNote,
} from './model/index.ts'
export { elementPlaces } from './places.ts'
export { type Reading, type ReadOptions, readInvoice, type Split, splitInvoices } from './read.ts'
export { type WriteInvoiceOptions, type Written, writeInvoice } from './write.ts'
