/** Builds the three books of a period from canonical invoices. */

import type { Locale, ValidationItem } from '#core/invoice/index.ts'
import { itemCollectorOf, type ListCode } from '#core/messages/index.ts'
import { replacedBy } from '../fiscal/correction.ts'
import {
  type BookInvoice,
  type Context,
  type Entry,
  entryOf,
  identityInSameBook,
  identityOf,
  type NotBooked,
  quarterOf,
  type Row,
} from './book-entry.ts'
import { BOOK_CODES, type BookCode } from './book-messages.ts'
import type { BookCompany, Quarter } from './book-settings.ts'
import { type BookSum, sumsOf } from './book-summary.ts'
import { investmentRows } from './investment.ts'
import { issuedRows } from './issued-book.ts'
import { receivedRows } from './received-book.ts'
import { replacementsOf, simplifiedReplacedBy } from './replaced-entries.ts'

export interface BooksInput {
  readonly company: BookCompany
  readonly year: number
  /** The last quarter of the books, which begin on 1 January. */
  readonly until: Quarter
  /**
   * Invoices of the period, and the invoices of other periods that the books need: replaced invoices, and invoices of
   * earlier years with payments or deductions in the period.
   */
  readonly invoices: readonly BookInvoice[]
  /** Known invoices that are not in the books. A correction by substitution of such an invoice reverses no amounts. */
  readonly notBooked?: readonly NotBooked[]
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

export type BookItem = ValidationItem<BookCode | ListCode>

export interface VatBooks {
  readonly issued: readonly Row[]
  readonly received: readonly Row[]
  /** Empty before the fourth quarter, because the book of investment goods is annual. */
  readonly investment: readonly Row[]
  readonly sums: readonly BookSum[]
}

/** The books with their warnings, or the errors because of which there are no books. */
export type BooksResult =
  | { readonly ok: true; readonly books: VatBooks; readonly items: readonly BookItem[] }
  | { readonly ok: false; readonly items: readonly BookItem[] }

const { compare } = new Intl.Collator('es', { numeric: true })

/** Returns a function that compares rows by the named cells, in this order. */
const by =
  (...names: readonly string[]) =>
  (a: Row, b: Row): number =>
    names.map((name) => compare(String(a[name] ?? ''), String(b[name] ?? ''))).find((one) => one !== 0) ?? 0

/** Assigns reception numbers to the received invoices of the year, in the order of their reception. */
function assignReceptionNumbers(entries: readonly Entry[], { quarterIn }: Context): void {
  const ordered = entries
    .filter(({ isIssued }) => !isIssued)
    .sort((a, b) => compare(a.day, b.day) || compare(a.issueDate, b.issueDate) || compare(a.number, b.number))
  let last = 0
  for (const entry of ordered)
    entry.receptionNumber =
      entry.facts.reception_number ?? (quarterIn(entry.day) ? String(++last) : undefined)
}

/**
 * Returns the VAT books of issued invoices, received invoices and investment goods, as rows of the official format.
 *
 * An invoice has one row per rate, regime key and qualification. Its rows add up to its total without withholding. The
 * settings `company.books` must be valid (`settingsProblems`). If the books cannot contain one of the invoices, no book
 * is returned, because it would be incomplete.
 *
 * Source: arts. 62 to 66 RD 1624/1992; AEAT, formato electrónico de los libros registro.
 */
export function vatBooks({
  company,
  year,
  until,
  invoices,
  notBooked = [],
  locale = 'en',
}: BooksInput): BooksResult {
  const found = itemCollectorOf(BOOK_CODES, locale)
  const known = new Map<string, readonly Entry[]>()
  let replacements: ReadonlyMap<Entry, Entry> = new Map()
  let exchanges: ReadonlyMap<Entry, Entry> = new Map()
  const context: Context = {
    company,
    refuse: found.refuse,
    warn: found.warn,
    quarterIn: (day) => {
      const period = quarterOf(day)
      return day.slice(0, 4) === String(year) && period <= until ? { year, period } : undefined
    },
    find: (like, number, issueDate) => {
      const found = known.get(identityInSameBook(like, number)) ?? []
      return (
        found.find((one) => one.issueDate === issueDate) ?? (issueDate === undefined ? found[0] : undefined)
      )
    },
    replacementOf: (entry) => replacements.get(entry),
    exchangeOf: (entry) => exchanges.get(entry),
    notBooked: (entry, { number, issueDate }) =>
      notBooked.find(
        (one) =>
          (one.direction === 'issued') === entry.isIssued &&
          identityOf(one.number, entry.isIssued ? undefined : (one.supplier_tax_id ?? '')) ===
            identityInSameBook(entry, number) &&
          (one.issue_date === issueDate || one.issue_date === null || issueDate === undefined),
      )?.status,
  }
  for (const invoice of invoices) {
    const entry = entryOf(invoice, context)
    if (!entry) continue
    const identity = identityInSameBook(entry)
    const others = known.get(identity) ?? []
    // A supplier may use the same invoice number in several years.
    const other = others.find(({ issueDate }) => issueDate.slice(0, 4) === entry.issueDate.slice(0, 4))
    if (other) found.refuse('books.twice', '', { invoice: entry.number, files: [other.label, entry.label] })
    known.set(identity, [...others, entry])
  }
  const entries = [...known.values()].flat()
  replacements = replacementsOf(entries, context.find, ({ block }) => replacedBy(block))
  exchanges = replacementsOf(entries, context.find, simplifiedReplacedBy)
  assignReceptionNumbers(entries, context)
  const issued = entries.filter(({ isIssued }) => isIssued).flatMap((entry) => issuedRows(entry, context))
  const bought = entries.filter(({ isIssued }) => !isIssued).map((entry) => receivedRows(entry, context))
  const received = bought.flatMap(({ rows }) => rows)
  const goods = bought.flatMap((one) => one.goods)
  const investment = until === '4T' ? investmentRows(goods, entries, year, context) : []
  if (found.items.length > 0) return { ok: false, items: [...found.items, ...found.warnings] }
  const books = {
    issued: issued.sort(by('period', 'issue_date', 'series', 'number')),
    received: received.sort(by('period', 'reception_number', 'number')),
    investment: investment.sort(by('start_of_use', 'number')),
    sums: [...sumsOf('issued', issued), ...sumsOf('received', received)],
  }
  return { ok: true, books, items: found.warnings }
}
