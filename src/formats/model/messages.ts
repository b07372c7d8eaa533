/** Messages of reading a document: the problem, how to fix it, and its source. */
import type { MessageText } from '../../messages/index.ts'
import { READING_CODES as CODES } from '../generated/texts/messages.ts'

export type ReadingCode = keyof typeof CODES

export const READING_CODES: Readonly<Record<ReadingCode, MessageText>> = CODES
