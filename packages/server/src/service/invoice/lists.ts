/**
 * Lists of invoices: filters, order, page and total. The total and the start of a page come from stored counts, so a
 * request neither counts nor skips many rows. Only matches by number, reference or tax id are counted, in an index.
 */
import type { PageQuery } from '../../shapes/parameter-shapes.ts'
import type { InvoicePage } from '../../shapes/schemas.ts'
import { type CountQuery, countsBy, type Range } from '../../store/counts.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { summariesOf } from './invoice-summary.ts'
import {
  hasDates,
  type InvoiceListRequest,
  MAX_SKIPPED,
  matchingInOrder,
  pageOf,
  readSmallResultPage,
  selectByIdentifier,
} from './list-query.ts'

/** A page of invoices, with the number of all matching invoices. */
interface Page {
  readonly rows: readonly InvoiceRow[]
  readonly total: number
}

/** Maximum number of rows that are sorted after reading. Sorting so few is faster than reading in list order. */
const MAX_SORTED = 500

/** The number of rows in each step of a list, in list order. A step is a series, month, day or minute. */
type Steps = readonly (readonly [name: string, n: number])[]

const sumOf = (counts: Iterable<number>): number => {
  let sum = 0
  for (const n of counts) sum += n
  return sum
}

/** Sorts in the order of both databases: by code point, which equals the order of the UTF-8 bytes. */
const inOrder = (counts: ReadonlyMap<string, number>): Steps =>
  [...counts].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))

const newestFirst = (counts: ReadonlyMap<string, number>): Steps => inOrder(counts).toReversed()

/** Returns the step (series, month, day or minute) that contains an offset of the list, and the offset within it. */
function stepAt(steps: Steps, offset: number): { readonly step: string; readonly offset: number } {
  let left = offset
  for (const [step, n] of steps) {
    if (left < n) return { step, offset: left }
    left -= n
  }
  return { step: '', offset: left }
}

/**
 * Reads rows from an offset. With a date filter, each step is read separately, because many rows that do not match may
 * lie between two steps. Without a date filter, all rows match, so `rowsAt` also reads the steps after its own.
 */
async function rowsFrom(
  listed: InvoiceListRequest,
  steps: Steps,
  { limit, offset }: PageQuery,
  rowsAt: (step: string, page: PageQuery, n: number) => Promise<readonly InvoiceRow[]>,
): Promise<InvoiceRow[]> {
  const found: InvoiceRow[] = []
  let left = offset
  for (const [step, n] of steps) {
    if (left >= n) {
      left -= n
      continue
    }
    found.push(...(await rowsAt(step, { limit: limit - found.length, offset: left }, n)))
    if (found.length >= limit || !hasDates(listed)) break
    left = 0
  }
  return found
}

/** Returns the date range of the filter. Invoices without a date never match. */
const daysOf = (listed: InvoiceListRequest): Range | undefined =>
  hasDates(listed) ? { from: listed.query.issue_date_from ?? '0', to: listed.query.issue_date_to } : undefined

/** Returns the range that contains only this value. */
const only = (value: string | undefined): Range | undefined =>
  value === undefined ? undefined : { from: value, to: value }

/** Returns a text that sorts after everything that begins with `text`. */
const endOf = (text: string): string => `${text}~`

const LAST_DAY = '-31'

/** Returns the counts that cover a date range: whole months, and single days of the first and last month. */
function countsOfDays({ from, to }: Range): CountQuery[] {
  const [first, last] = [from?.slice(0, 7), to?.slice(0, 7)]
  if (first !== undefined && first === last) return [{ span: 'numbered_day', place: { from, to } }]
  const months: CountQuery = {
    span: 'numbered_month',
    place: {
      // `2026-03~` sorts after all days of March and before `2026-04`.
      from: first && endOf(first),
      to: last && endOf(`${last.slice(0, -1)}${String.fromCharCode(last.charCodeAt(6) - 1)}`),
    },
  }
  return [
    ...(first === undefined
      ? []
      : [{ span: 'numbered_day', place: { from, to: first + LAST_DAY } } as const]),
    months,
    ...(last === undefined ? [] : [{ span: 'numbered_day', place: { from: `${last}-01`, to } } as const]),
  ]
}

/** Returns the day, within a series, that contains an offset. */
async function dayAt(db: Rows, listed: InvoiceListRequest, series: string, offset: number) {
  const filters = { status: listed.status, part: only(series) }
  const count = async (wanted: readonly CountQuery[]) =>
    newestFirst(
      await countsBy(
        db,
        'place',
        wanted.map((one) => ({ ...one, ...filters })),
      ),
    )
  const days = daysOf(listed)
  const found = stepAt(await count(days ? countsOfDays(days) : [{ span: 'numbered_month' }]), offset)
  const { step: month } = found
  if (month.length !== 7) return found
  return stepAt(
    await count([{ span: 'numbered_day', place: { from: month, to: month + LAST_DAY } }]),
    found.offset,
  )
}

/** Reads rows of one series from an offset. */
async function seriesRows(
  db: Rows,
  listed: InvoiceListRequest,
  series: string,
  page: PageQuery,
): Promise<InvoiceRow[]> {
  const { from, to } = daysOf(listed) ?? {}
  const start = page.offset <= MAX_SKIPPED ? undefined : await dayAt(db, listed, series, page.offset)
  const last = start?.step ?? to
  let rows = matchingInOrder(db, listed, { series: false, dates: false }).where(
    'sort_series',
    '=',
    `0${series}`,
  )
  if (last !== undefined) rows = rows.where('sort_date', '<=', last)
  if (from !== undefined) rows = rows.where('sort_date', '>=', from)
  return pageOf(db, rows, listed, { limit: page.limit, offset: start?.offset ?? page.offset })
}

/** Reads numbered rows from an offset. */
const numberedRows = (
  db: Rows,
  listed: InvoiceListRequest,
  series: Steps,
  page: PageQuery,
): Promise<InvoiceRow[]> =>
  rowsFrom(listed, series, page, async (code, part) => {
    const found = await seriesRows(db, listed, code, part)
    if (hasDates(listed) || code === series.at(-1)?.[0]) return found
    // Without a date filter, the rows of all later series follow directly.
    const after = matchingInOrder(db, listed)
      .where('sort_series', '>', `0${code}`)
      .where('sort_series', '<', '1')
    return [...found, ...(await pageOf(db, after, listed, { limit: part.limit - found.length, offset: 0 }))]
  })

/** Name of the step that contains the numbered invoices without a series. It sorts after all ids. */
const AFTER_IDS = '~'

/** The filters by status and series, for counts whose column `part` is the series. */
const within = ({ query, status }: InvoiceListRequest) => ({ status, part: only(query.series) })

/** Reads rows without a number from an offset. */
async function draftRows(
  db: Rows,
  listed: InvoiceListRequest,
  { limit, offset }: PageQuery,
): Promise<InvoiceRow[]> {
  const shares = await countsBy(db, 'place', [
    { span: 'draft_share', day: daysOf(listed), ...within(listed) },
  ])
  const start = stepAt(inOrder(shares), offset)
  const isAfterIds = start.step === AFTER_IDS
  const unnumbered = () =>
    matchingInOrder(db, listed).where('sort_series', '=', '1').where('sort_date', '=', '')
  const ids = unnumbered().where('sort_number', '=', '').where('invoice_id', '>=', start.step)
  const found = isAfterIds ? [] : await pageOf(db, ids, listed, { limit, offset: start.offset })
  if (!shares.has(AFTER_IDS)) return found
  const numbered = unnumbered().where('sort_number', '>', '')
  const left = { limit: limit - found.length, offset: isAfterIds ? start.offset : 0 }
  return [...found, ...(await pageOf(db, numbered, listed, left))]
}

/** Reads a page of issued invoices by series, newest date first, then number. Invoices without number come last. */
async function issuedPage(db: Rows, listed: InvoiceListRequest, page: PageQuery): Promise<Page> {
  const days = daysOf(listed)
  const wanted: CountQuery[] = days ? countsOfDays(days) : [{ span: 'numbered', place: only('') }]
  const counted = await countsBy(
    db,
    'part',
    wanted.map((one) => ({ ...one, ...within(listed) })),
  )
  const drafts = await countsBy(db, 'part', [
    { span: 'draft', place: only(''), day: days, ...within(listed) },
  ])
  const numbered = sumOf(counted.values())
  const total = numbered + sumOf(drafts.values())
  if (total <= page.offset) return { rows: [], total }
  if (days && total <= MAX_SORTED) return { rows: await readSmallResultPage(db, listed, page), total }
  const rows = numbered > page.offset ? await numberedRows(db, listed, inOrder(counted), page) : []
  const rest = { limit: page.limit - rows.length, offset: Math.max(0, page.offset - numbered) }
  if (rest.limit > 0 && numbered < total) rows.push(...(await draftRows(db, listed, rest)))
  return { rows, total }
}

/** Returns the steps by time of entry: months, days of a month, minutes of a day, or the days of a series. */
async function entriesIn(db: Rows, listed: InvoiceListRequest, timestamp = ''): Promise<Steps> {
  const { series } = listed.query
  const list = listed.direction === 'received' ? 'received' : 'draft'
  const step = series !== undefined ? 'series' : timestamp === '' ? 'month' : 'day'
  const wanted: CountQuery = {
    span:
      timestamp.length === 10
        ? `${list}_minute_dated`
        : hasDates(listed)
          ? `${list}_${step}_dated`
          : `${list}_${step}`,
    place: only(series) ?? (timestamp === '' ? undefined : { from: timestamp, to: endOf(timestamp) }),
    day: daysOf(listed),
    status: listed.status,
  }
  return newestFirst(await countsBy(db, series === undefined ? 'place' : 'part', [wanted]))
}

/** Reads rows from an offset. Divides a step into finer steps until only few rows must be skipped. */
const enteredRows = (
  db: Rows,
  listed: InvoiceListRequest,
  steps: Steps,
  page: PageQuery,
): Promise<InvoiceRow[]> =>
  rowsFrom(listed, steps, page, async (timestamp, part, n) => {
    const isNear = timestamp.length >= 10 && Math.min(n, part.offset) <= MAX_SKIPPED
    const isFine = isNear || listed.query.series !== undefined || timestamp.length === 16
    if (!isFine) return enteredRows(db, listed, await entriesIn(db, listed, timestamp), part)
    const rows = matchingInOrder(db, listed)
    const begun = hasDates(listed) ? rows.where('created_at', '>=', timestamp) : rows
    return pageOf(db, begun.where('created_at', '<=', endOf(timestamp)), listed, part)
  })

/** Reads a page of drafts or received invoices: newest first, then by id. */
async function newestPage(db: Rows, listed: InvoiceListRequest, page: PageQuery): Promise<Page> {
  const steps = await entriesIn(db, listed)
  const total = sumOf(steps.map(([, n]) => n))
  if (total <= page.offset) return { rows: [], total }
  if (total <= MAX_SORTED && (hasDates(listed) || listed.query.series !== undefined))
    return { rows: await readSmallResultPage(db, listed, page), total }
  if (!hasDates(listed) && page.offset <= MAX_SKIPPED)
    return { rows: await pageOf(db, matchingInOrder(db, listed), listed, page), total }
  return { rows: await enteredRows(db, listed, steps, page), total }
}

/** Filters that match few invoices. */
const FOUND_BY = ['number', 'external_ref'] as const
/** Filters by a party's tax id. Their indexes are in list order. */
const PARTY_FILTERS = ['customer_tax_id', 'supplier_tax_id'] as const

const hasFilter = (
  { query }: InvoiceListRequest,
  names: readonly (keyof InvoiceListRequest['query'])[],
): boolean => names.some((name) => query[name] !== undefined)

async function foundPage(db: Rows, listed: InvoiceListRequest, page: PageQuery): Promise<Page> {
  const total = await db.countOf(selectByIdentifier(db, listed))
  if (total <= page.offset) return { rows: [], total }
  // An issued invoice's number or reference is unique. The indexes of the other filters are in list order.
  const isFew = listed.direction === 'issued' && hasFilter(listed, FOUND_BY)
  const found = selectByIdentifier(db, listed)
  return {
    rows: await (isFew ? readSmallResultPage(db, listed, page, found) : pageOf(db, found, listed, page)),
    total,
  }
}

/** Returns a page of a company's invoices, with the number of all matching invoices. */
export async function listInvoices(
  { store }: Pick<Call, 'store'>,
  listed: InvoiceListRequest,
): Promise<InvoicePage> {
  const { limit, offset, issue_date_from: from, issue_date_to: to } = listed.query
  const page = { limit, offset }
  if (from !== undefined && to !== undefined && from > to) return { items: [], total: 0, ...page }
  const pageIn = hasFilter(listed, [...FOUND_BY, ...PARTY_FILTERS])
    ? foundPage
    : listed.newestFirst
      ? newestPage
      : issuedPage
  const { rows, total } = await pageIn(store, listed, page)
  return { items: await summariesOf(store, rows), total, ...page }
}
