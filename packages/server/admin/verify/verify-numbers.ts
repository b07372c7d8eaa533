/** Checks assigned numbers and the counters of their series, and reports gaps in the numbering. */
import { counterOf, numberOf } from '../../src/service/invoice/numbering.ts'
import type { Rows } from '../../src/store/store.ts'
import type { Row } from '../../src/store/tables.ts'
import { rowsInKeyOrder } from '../row-pages.ts'
import type { Report } from './verify-report.ts'

type SeriesRow = Row<'series'>

/** Number of counters per block, with one bit each. Eight million invoices of a series without gaps take a megabyte. */
const BLOCK = 65_536
const MOST_GAPS = 5

class Counters {
  readonly #blocks = new Map<number, Uint8Array>()
  lowest = Number.POSITIVE_INFINITY
  highest = 0

  add(counter: number): void {
    const at = Math.floor(counter / BLOCK)
    const block = this.#blocks.get(at) ?? new Uint8Array(BLOCK / 8)
    this.#blocks.set(at, block)
    const bit = counter % BLOCK
    block[bit >> 3] = (block[bit >> 3] ?? 0) | (1 << (bit & 7))
    this.lowest = Math.min(this.lowest, counter)
    this.highest = Math.max(this.highest, counter)
  }

  /** Yields the first and last counter of each gap, from the lowest counter up to, but excluding, `end`. */
  *gaps(end: number): Generator<readonly [number, number]> {
    let free = this.lowest
    const blocks = [...this.#blocks].sort(([a], [b]) => a - b)
    for (const [at, block] of blocks)
      for (let bit = 0; bit < BLOCK; bit++) {
        if (((block[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) continue
        const counter = at * BLOCK + bit
        if (counter > free) yield [free, counter - 1]
        free = counter + 1
      }
    if (free < end) yield [free, end - 1]
  }
}

interface Dated {
  readonly counter: number
  readonly number: string
  readonly date: string
}

/** Finds numbers of a series whose date is earlier than that of the previous number. */
class Dates {
  #last: Dated | undefined
  #first: (Dated & { readonly before: Dated }) | undefined
  #count = 0

  /** Adds a number. Numbers are added in text order, so only numbers of the same length have consecutive counters. */
  add(next: Dated): void {
    const before = this.#last
    if (before && next.counter === before.counter + 1 && next.date < before.date) {
      this.#count++
      this.#first ??= { ...next, before }
    }
    this.#last = next
  }

  report(report: Report, series: string): void {
    if (!this.#first) return
    const { number, date, before } = this.#first
    report.note('date_falls', {
      series,
      number,
      date,
      before: before.number,
      before_date: before.date,
      count: this.#count,
    })
  }
}

function verifySeries(
  report: Report,
  series: SeriesRow,
  counters: Counters | undefined,
  today: string,
): void {
  const { series_code, next_number, last_date } = series
  report.checked('series')
  if (last_date !== null && last_date > today)
    report.note('date_held', { series: series_code, last_date, today })
  if (!counters) return
  if (counters.highest >= next_number)
    report.fail(
      'counter_behind',
      { kind: 'series', id: series_code },
      { next: numberOf(series, next_number), number: numberOf(series, counters.highest) },
    )
  let count = 0
  for (const [first, last] of counters.gaps(Number(next_number)))
    if (++count <= MOST_GAPS)
      report.note('gap', {
        series: series_code,
        first: numberOf(series, first),
        last: numberOf(series, last),
        count: last - first + 1,
      })
  if (count > MOST_GAPS) report.note('more_gaps', { series: series_code, count: count - MOST_GAPS })
}

export async function verifyNumbers(db: Rows, report: Report, today: string): Promise<void> {
  const rows = await db.select('series').selectAll().execute()
  const series = new Map(rows.map((row) => [row.series_code, row]))
  const counters = new Map<string, Counters>()
  const dates = new Map<string, Dates>()
  const numbers = db
    .select('numbers', { invoices: 'invoice_id' })
    .select([
      'numbers.number',
      'numbers.series_code',
      'numbers.invoice_id',
      'invoices.number as invoice_number',
      'invoices.issue_date',
      'invoices.imported',
    ])
  for await (const {
    number,
    series_code,
    invoice_id,
    invoice_number,
    issue_date,
    imported,
  } of rowsInKeyOrder(numbers, 'numbers.number')) {
    report.checked('numbers')
    // The number of a deleted invoice stays assigned, without an invoice.
    if (invoice_id !== null && invoice_number !== number)
      report.fail('number_unassigned', { kind: 'invoice', id: invoice_id }, { number })
    const known = series.get(series_code)
    if (!known) {
      report.fail('series_missing', { kind: 'series', id: series_code }, { number })
      continue
    }
    const counter = counterOf(known, number)
    if (counter === null) continue
    const held = counters.get(series_code) ?? new Counters()
    counters.set(series_code, held)
    held.add(counter)
    // Dates of imported invoices come from another clock, so they are not compared.
    if (issue_date === null || imported === 1) continue
    const dated = dates.get(series_code) ?? new Dates()
    dates.set(series_code, dated)
    dated.add({ counter, number, date: issue_date })
  }
  for (const row of rows) verifySeries(report, row, counters.get(row.series_code), today)
  for (const [series, dated] of dates) dated.report(report, series)
}
