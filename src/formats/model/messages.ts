/** Messages of reading a document: the problem, how to fix it, and its source. */
import { EN16931_CODES } from '../generated/texts/en16931.ts'
import { FILE, MEANING, STRUCTURE } from '../generated/texts/messages.ts'

export const READING_CODES = { ...FILE, ...STRUCTURE, ...MEANING, ...EN16931_CODES }
export type ReadingCode = keyof typeof READING_CODES
