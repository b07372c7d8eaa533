/**
 * Rows of the annual book of investment goods: goods bought in the year, and goods of earlier years whose deduction is
 * still regularised (arts. 107 to 110 Ley 37/1992).
 */

import { percentOf, toMinor, toNumber } from '#core/money/index.ts'
import { replacedBy } from '../fiscal/correction.ts'
import { truncate } from '../fiscal/fiscal-party.ts'
import {
  type Context,
  type Entry,
  identityInSameBook,
  identityOf,
  MAX_NAME,
  type Row,
  withoutBlankCells,
} from './book-entry.ts'
import type { InvestmentGood } from './book-settings.ts'
import type { BoughtGood } from './received-book.ts'
import { originalOf } from './replaced-entries.ts'

const SHARED = [
  'activity_code',
  'activity_type',
  'iae',
  'issue_date',
  'number',
  'id_type',
  'country',
  'id',
  'name',
]
/** Number of years of regularisation, including the year of the first use (art. 107.Uno and Tres). */
const YEARS = 5
const YEARS_OF_REAL_ESTATE = 10
/** Number of percentage points that the pro rata may differ without a regularisation. */
const TOLERATED = 10

const boughtRow = ({ entry, row, deductibleBy }: BoughtGood, year: number, context: Context): Row => {
  const replaced = replacedBy(entry.block)
  const asset = entry.facts.asset ?? originalOf(entry, context)?.facts.asset
  const { definitive_pro_rata, pro_rata = 100, agreement } = context.company.books
  const percent = definitive_pro_rata ?? pro_rata
  if (!asset) context.refuse('books.asset_type', '/invoice/lines', { invoice: entry.label })
  return withoutBlankCells({
    ...Object.fromEntries(SHARED.map((name) => [name, row[name]])),
    year,
    period: '4T',
    asset_type: asset?.type,
    start_of_use: asset?.start_of_use ?? row.operation_date ?? replaced?.issueDate ?? row.issue_date,
    base: row.base,
    rate: row.rate,
    initial_pro_rata: percent,
    initial_deductible: toNumber(deductibleBy(percent)),
    agreement,
  })
}

function keptRow(good: InvestmentGood, year: number, { company }: Context): Row {
  const { definitive_pro_rata, pro_rata = 100, agreement, activity } = company.books
  const percent = definitive_pro_rata ?? pro_rata
  const tax = toMinor(good.tax)
  const before = percentOf(tax, good.initial_pro_rata)
  const now = percentOf(tax, percent)
  const years = good.real_estate ? YEARS_OF_REAL_ESTATE : YEARS
  const isRegularised = Math.abs(percent - good.initial_pro_rata) > TOLERATED
  return withoutBlankCells({
    year,
    period: '4T',
    activity_code: activity.code,
    activity_type: activity.type,
    iae: activity.iae,
    asset_type: good.type,
    start_of_use: good.start_of_use,
    issue_date: good.issue_date,
    number: good.number,
    id: good.supplier_tax_id,
    name: truncate(good.supplier_name, MAX_NAME),
    base: good.base,
    rate: good.rate,
    initial_pro_rata: good.initial_pro_rata,
    initial_deductible: toNumber(before),
    pro_rata: percent,
    deductible: toNumber(now),
    regularisation: isRegularised ? toNumber(percentOf(now - before, 100 / years)) : 0,
    disposal_date: good.disposal?.date,
    disposal_number: good.disposal?.number,
    agreement,
  })
}

/**
 * Returns the rows of a year. Omits a good of an earlier year if its invoice was replaced in this year: the row of the
 * replacing invoice includes it.
 */
export function investmentRows(
  bought: readonly BoughtGood[],
  entries: readonly Entry[],
  year: number,
  context: Context,
): Row[] {
  const replaced = new Set(
    entries.flatMap((entry) => {
      const { number } = (context.quarterIn(entry.day) && replacedBy(entry.block)) || {}
      return number === undefined || entry.isIssued ? [] : [identityInSameBook(entry, number)]
    }),
  )
  const kept = (context.company.books.investment_goods ?? []).filter(
    ({ start_of_use, real_estate, number, supplier_tax_id }) => {
      const first = Number(start_of_use.slice(0, 4))
      const isWatched = first < year && year < first + (real_estate ? YEARS_OF_REAL_ESTATE : YEARS)
      return isWatched && !replaced.has(identityOf(number ?? '', supplier_tax_id ?? ''))
    },
  )
  return [
    ...kept.map((good) => keptRow(good, year, context)),
    ...bought.map((good) => boughtRow(good, year, context)),
  ]
}
