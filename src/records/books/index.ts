/** The VAT books of issued invoices, received invoices and investment goods, as data. Pure: no clock, no files. */

export { type Column, INVESTMENT_COLUMNS, ISSUED_COLUMNS, RECEIVED_COLUMNS } from './book-columns.ts'
export type { BookInvoice, NotBooked, Row } from './book-entry.ts'
export { BOOK_CODES, type BookCode } from './book-messages.ts'
export {
  type BookCompany,
  type BookSettings,
  QUARTERS,
  type Quarter,
  readBookCompany,
  settingsProblems,
} from './book-settings.ts'
export type { BookSum } from './book-summary.ts'
export { type BookItem, type BooksInput, type BooksResult, type VatBooks, vatBooks } from './books.ts'
export { BOOKS, TITLES } from './generated/texts/messages.ts'
