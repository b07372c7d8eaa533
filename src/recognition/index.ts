/**
 * Reads invoice files: extracts printed text, QR codes and embedded XML, without interpreting them.
 */
export type { FileKind, Material, Page, Reading, Row, Unavailable, Unreadable, Word } from './material.ts'
export { createRecogniser, type Recogniser, type RecogniserOptions } from './recogniser.ts'
