/**
 * Reads invoice files: extracts printed text, QR codes and embedded XML, without interpreting them.
 */
export type {
  FileContent,
  FileKind,
  Page,
  Reading,
  Row,
  UnavailableReason,
  UnreadableReason,
  Word,
} from './material.ts'
export { createRecogniser, type Recogniser, type RecogniserOptions } from './recogniser.ts'
export { MAX_TIMES_MS } from './recognition-limits.ts'
