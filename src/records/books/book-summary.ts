/** Sums of the books by regime key, operation and rate. */
import { toMinor, toNumber } from '#core/money/index.ts'
import type { Row } from './book-entry.ts'

/** A sum of rows with the same regime key, operation and rates. Amounts are in euros. */
export interface BookSum {
  readonly book: 'issued' | 'received'
  readonly key: string
  /** S1 … N2 or E1 … E6; in the book of received invoices `ISP` for reverse charge, otherwise empty. */
  readonly operation: string
  readonly rate: number
  readonly surcharge_rate: number
  readonly rows: number
  readonly total: number
  readonly base: number
  readonly tax: number
  readonly surcharge: number
  /** Deductible tax; 0 in the book of issued invoices. */
  readonly deductible: number
}

const SUMMED = ['total', 'base', 'tax', 'surcharge', 'deductible'] as const

/**
 * Returns the cells of a row to add to the sums. The row of a later deduction repeats base and tax, so only its
 * deduction counts.
 */
const countedOf = (row: Row): Row =>
  row.deduction_year === undefined ? row : { deductible: row.deductible ?? 0 }

/**
 * Returns the sums of a book, ordered by regime key, operation and rate. Rows of collections and payments have no
 * amounts to sum; rows of type F3 are skipped, because they repeat operations of simplified invoices.
 */
export function sumsOf(book: BookSum['book'], rows: readonly Row[]): BookSum[] {
  const sums = new Map<string, BookSum>()
  for (const row of rows) {
    if (row.payment_date !== undefined || row.invoice_type === 'F3') continue
    const operation = String(row.qualification ?? row.exemption ?? (row.reverse_charge === 'S' ? 'ISP' : ''))
    const names = {
      book,
      key: String(row.key),
      operation,
      rate: Number(row.rate ?? 0),
      surcharge_rate: Number(row.surcharge_rate ?? 0),
    }
    const id = [names.key, operation, String(names.rate).padStart(6, '0'), names.surcharge_rate].join('|')
    const known = sums.get(id)
    const counted = countedOf(row)
    const added = SUMMED.map((name) => [
      name,
      toNumber(toMinor(known?.[name] ?? 0) + toMinor(Number(counted[name] ?? 0))),
    ])
    sums.set(id, { ...names, rows: (known?.rows ?? 0) + 1, ...Object.fromEntries(added) } as BookSum)
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one)
}
