/** Codes for invoices that the books cannot show, each with the problem, the instruction and the legal source. */
import type { BOOK_CODES } from './generated/texts/messages.ts'

export { BOOK_CODES } from './generated/texts/messages.ts'

export type BookCode = keyof typeof BOOK_CODES
