/** Formats the sums of the books as a table for people. */
import type { Locale } from '#core/invoice/index.ts'
import { BOOKS, type BookSum, TITLES } from '#records/books/index.ts'
import { table } from '../terminal/terminal-table.ts'

/** Returns one line per book, regime key, operation and rate. */
export function summaryText(sums: readonly BookSum[], locale: Locale): string {
  const decimals = (value: number): string =>
    locale === 'es' ? value.toFixed(2).replace('.', ',') : value.toFixed(2)
  const line = ({ book, key, operation, rate, surcharge_rate: extra, ...sum }: BookSum): string[] => [
    BOOKS[locale][book],
    key,
    operation,
    `${decimals(rate)}${extra === 0 ? '' : ` + ${decimals(extra)}`}`,
    String(sum.rows),
    ...[sum.base, sum.tax, sum.surcharge, sum.deductible, sum.total].map(decimals),
  ]
  const aligns = TITLES.en.map((_, column) => (column < 3 ? 'left' : 'right') as 'left' | 'right')
  return `${table([[...TITLES[locale]], ...sums.map(line)], aligns).join('\n')}\n`
}
