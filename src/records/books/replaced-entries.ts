/**
 * Amounts that a correction by substitution reverses: those in the books for the replaced invoice (calculation page,
 * section 11). A replaced invoice has no forced accrual, and its goods are not in the book of investment goods.
 */

import { FARMERS_OR_EXPORT, isMarginKey } from '#core/invoice/terms.ts'
import { toNumber } from '#core/money/index.ts'
import { isTaxAtRates, type ReplacedInvoice, type ReversedAmounts, replacedBy } from '../fiscal/correction.ts'
import { accrualOf as accrualOfChain } from '../sii/record/accrual.ts'
import type { SiiPayment } from '../sii/record/payments-record.ts'
import { namesRecipient } from '../sii/record/received-breakdown.ts'
import { type Context, type Entry, negated, type Row, splitNumber, withoutBlankCells } from './book-entry.ts'

/** Returns the invoice of these books that an entry replaces, unless an earlier correction has already replaced it. */
export function originalOf(entry: Entry, { find, replacementOf }: Context): Entry | undefined {
  const replaced = replacedBy(entry.block)
  const original = replaced && find(entry, replaced.number, replaced.issueDate)
  return original && replacementOf(original) === entry ? original : undefined
}

/** Returns the simplified invoice that an invoice of type F3 names; undefined for other types. */
export function simplifiedReplacedBy({ block, facts }: Entry): ReplacedInvoice | undefined {
  const { number, issue_date } = block.additional_data?.related_invoice ?? {}
  return facts.type === 'F3' && number ? { number: number.trim(), issueDate: issue_date } : undefined
}

/**
 * Returns, for each replaced invoice, the first invoice that replaces it. `namedBy` returns the invoice that an entry
 * replaces.
 */
export function replacementsOf(
  entries: readonly Entry[],
  find: Context['find'],
  namedBy: (entry: Entry) => ReplacedInvoice | undefined,
): Map<Entry, Entry> {
  const found = new Map<Entry, Entry>()
  const ordered = [...entries].sort((a, b) =>
    a.issueDate < b.issueDate ? -1 : a.issueDate > b.issueDate ? 1 : 0,
  )
  for (const entry of ordered) {
    const replaced = namedBy(entry)
    const original = replaced && find(entry, replaced.number, replaced.issueDate)
    if (original && original !== entry && !found.has(original)) found.set(original, entry)
  }
  return found
}

/** Cells of the corrective invoice itself, which are not copied from the invoice that it replaces. */
const OWN_CELLS = ['series', 'operation_date', 'final_number', 'external_reference']

/**
 * Returns the type of the replaced invoice: F6 for the receipt of a farmer, F2 for a simplified invoice without
 * recipient, otherwise F1.
 */
function replacedType({ invoice_type: type, key }: Row, { block, isIssued }: Entry): string {
  if (type === 'R5') return namesRecipient(block) ? 'F1' : 'F2'
  if (!String(type).startsWith('R')) return String(type)
  return !isIssued && key === FARMERS_OR_EXPORT ? 'F6' : 'F1'
}

/**
 * Returns the row that reverses the amounts that a correction states, at its own rate; undefined if these are not
 * determined.
 */
function statedRow(entry: Entry, own: Row, stated: ReversedAmounts | undefined): Row | undefined {
  // Under a margin scheme, the correction does not state the price of the replaced invoice.
  if (!stated || isMarginKey(String(own.key)) || own.surcharge !== undefined) return undefined
  if (!isTaxAtRates(stated, [Number(own.rate)])) return undefined
  if (own.deductible !== undefined && own.deductible !== own.tax && own.deductible !== 0) return undefined
  const { corrective = {} } = entry.block.header
  const base = toNumber(stated.base)
  const tax = toNumber(stated.tax)
  const number = corrective.invoice_number?.trim() ?? ''
  const shared = Object.entries(own).filter(([name]) => !OWN_CELLS.includes(name))
  return negated(
    withoutBlankCells({
      ...Object.fromEntries(shared),
      ...(entry.isIssued ? splitNumber(number, corrective.invoice_series_code) : { number }),
      invoice_type: replacedType(own, entry),
      issue_date: corrective.invoice_issue_date,
      total: own.total === own.base ? base : toNumber(stated.base + stated.tax),
      base,
      tax,
      deductible: own.deductible === undefined || own.deductible === 0 ? own.deductible : tax,
    }),
  )
}

/**
 * Returns the rows that reverse the invoice that an entry replaces, in the period of the entry: the rows of that
 * invoice with negated amounts. If that invoice is not in these books, the rows reverse the amounts that the entry
 * states, if they are determined. Amounts that were never in the books are not reversed; an item names the invoice.
 */
export function reversedRows(
  entry: Entry,
  rows: readonly Row[],
  stated: ReversedAmounts | undefined,
  rowsOf: (replaced: Entry) => readonly Row[],
  context: Context,
): Row[] {
  const replaced = replacedBy(entry.block)
  const [own, ...more] = rows
  if (!own || !replaced) return []
  const { find, notBooked, refuse, warn } = context
  const extra = { invoice: entry.label, received: replaced.number }
  const path = '/invoice/header/corrective/invoice_number'
  const original = originalOf(entry, context)
  if (original) {
    const { year, period, reception_date, reception_number } = own
    return rowsOf(original).map((row) => {
      // The simplified invoices that an F3 replaces already declare its operation, and the VAT return ignores rows of
      // type F3. The reversal must be in the return, so its type is F1.
      const invoice_type = row.invoice_type === 'F3' ? 'F1' : row.invoice_type
      return withoutBlankCells({
        ...negated(row),
        invoice_type,
        year,
        period,
        reception_date,
        reception_number,
      })
    })
  }
  if (find(entry, replaced.number, replaced.issueDate)) {
    warn('books.replaced_twice', path, extra)
    return []
  }
  const reason = notBooked(entry, replaced)
  if (reason !== undefined) {
    warn('books.replaced_not_in_force', path, { ...extra, reason })
    return []
  }
  const row = more.length === 0 ? statedRow(entry, own, stated) : undefined
  if (row) return [row]
  refuse('books.corrected_unknown', path, extra)
  return []
}

/** Returns the simplified invoice of these books that an invoice of type F3 replaces. */
function ticketOf(entry: Entry, { find, exchangeOf }: Context): Entry | undefined {
  const exchanged = simplifiedReplacedBy(entry)
  const ticket = exchanged && find(entry, exchanged.number, exchanged.issueDate)
  return ticket && exchangeOf(ticket) === entry ? ticket : undefined
}

/** Returns an invoice and the invoices that it replaces, directly or indirectly, oldest first. Ends at a cycle. */
function chainOf(entry: Entry, context: Context): Entry[] {
  const chain = new Set<Entry>()
  let one: Entry | undefined = entry
  while (one && !chain.has(one)) {
    chain.add(one)
    one = ticketOf(one, context) ?? originalOf(one, context)
  }
  return [...chain].reverse()
}

/** Returns the forced accrual of an entry; null if there is none, or if its payments already include one. */
export function accrualOf(entry: Entry, context: Context): SiiPayment | null {
  const { exchangeOf, replacementOf } = context
  return accrualOfChain(
    chainOf(entry, context).map((one) => ({
      document: one.document,
      payments: one.payments,
      replacedOn: (exchangeOf(one) ?? replacementOf(one))?.issueDate,
    })),
  )
}
