/** Files of others, read: what stands on them and what they carry, before anybody asks what it means. */
export type { FileKind, Material, Page, Reading, Row, Unavailable, Unreadable, Word } from './material.ts'
export { createRecogniser, type Recogniser, type RecogniserOptions } from './recogniser.ts'
