/** The VAT books of issued invoices, received invoices and investment goods, as data. Pure: no clock, no files. */
export { type BookItem, type BooksInput, type BooksResult, type VatBooks, vatBooks } from './books.ts'
export { type Column, INVESTMENT_COLUMNS, ISSUED_COLUMNS, RECEIVED_COLUMNS } from './columns.ts'
export type { BookInvoice, NotBooked, Row } from './entry.ts'
export { BOOKS, TITLES } from './generated/texts/messages.ts'
export { BOOK_CODES, type BookCode } from './messages.ts'
export {
  type BookCompany,
  type BookSettings,
  QUARTERS,
  type Quarter,
  readBookCompany,
  settingsProblems,
} from './settings.ts'
export type { BookSum } from './summary.ts'
