/** The stages of the pipeline, for programs that add their own findings to those of the engine. */
export { resultOf } from '../validate.ts'
export { examine, inDocumentOrder, toItems } from './examine.ts'
export { partsFor } from './message-parts.ts'
