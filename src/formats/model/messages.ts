/** Messages of reading a document: the problem, how to fix it, and its source. */
import { READING_CODES as CODES } from '../generated/texts/messages.ts'

export const READING_CODES = CODES
export type ReadingCode = keyof typeof CODES
