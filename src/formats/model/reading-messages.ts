/** Messages about reading a document: the problem, the instruction and the legal source. */
import type { MessageText } from '#core/messages/index.ts'
import { READING_CODES as CODES } from '../generated/texts/messages.ts'

export type ReadingCode = keyof typeof CODES

export const READING_CODES: Readonly<Record<ReadingCode, MessageText>> = CODES
