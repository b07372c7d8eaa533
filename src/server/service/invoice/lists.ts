/**
 * Lists of invoices: filters, order, page and total. Which index serves a page is decided here, from the counts that
 * are kept, because the two stores would guess differently, and both badly, for a company with a million invoices.
 */
import { type RawBuilder, sql } from 'kysely'
import type { InvoiceQuery, Paged } from '../../shapes/parameters.ts'
import type { InvoicePage } from '../../shapes/schemas.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Rows, Select } from '../../store/store.ts'
import type { Direction, Status } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { normalTaxId } from './columns.ts'
import { summariesOf } from './summary.ts'

interface Listed {
  readonly direction: Direction
  readonly statuses?: readonly Status[] | undefined
  /** Newest first, as drafts and received invoices are; issued ones go by series. */
  readonly newestFirst?: boolean
  readonly query: InvoiceQuery
}

type Query = Select<'invoices'>

/** Statuses of invoices that have no series and number yet: they stand at the end of the issued list. */
const UNNUMBERED: readonly Status[] = ['draft', 'queued']

/** Filters that find few rows through an index of their own. */
const SELECTIVE = ['number', 'external_ref', 'customer_tax_id', 'supplier_tax_id'] as const

const has = ({ query }: Listed, names: readonly (keyof InvoiceQuery)[]): boolean =>
  names.some((name) => query[name] !== undefined)
const hasDates = (listed: Listed): boolean => has(listed, ['issue_date_from', 'issue_date_to'])

/** Invoices of a kind. As literals, because partial indexes are chosen by them. */
function ofKind(db: Rows, { direction, statuses }: Listed): Query {
  const rows = db.select('invoices').where(sql<boolean>`direction = ${sql.lit(direction)}`)
  if (statuses?.length === 1) return rows.where(sql<boolean>`status = ${sql.lit(statuses[0] as string)}`)
  return statuses ? rows.where('status', 'in', statuses) : rows
}

/** Filters are exact, dates inclusive, tax ids in their normal form (http-contract, "Every answer"). */
function filtered(start: Query, listed: Listed, withSeries = true): Query {
  const { query } = listed
  let rows = start
  const by = {
    document_series: withSeries ? query.series : undefined,
    number: query.number,
    external_ref: query.external_ref,
    customer_tax_id: normalTaxId(query.customer_tax_id) ?? undefined,
    supplier_tax_id: normalTaxId(query.supplier_tax_id) ?? undefined,
  }
  for (const [column, value] of Object.entries(by))
    if (value !== undefined) rows = rows.where(column as 'number', '=', value)
  return between(rows, listed, sql<string>`issue_date`)
}

/** Within the dates of the filter. The expression decides whether the index of dates may be used. */
function between(start: Query, { query }: Listed, date: RawBuilder<string>): Query {
  let rows = start
  if (query.issue_date_from !== undefined) rows = rows.where(date, '>=', query.issue_date_from)
  if (query.issue_date_to !== undefined) rows = rows.where(date, '<=', query.issue_date_to)
  return rows
}

/** The sum of the counts of some statuses and a series. */
async function counted(
  db: Rows,
  { direction, query }: Listed,
  statuses?: readonly Status[],
): Promise<number> {
  let counts = db
    .select('invoice_counts')
    .select(({ fn }) => fn.sum('n').as('n'))
    .where('direction', '=', direction)
  if (statuses) counts = counts.where('status', 'in', statuses)
  if (query.series !== undefined) counts = counts.where('series', '=', query.series)
  const { n } = await counts.executeTakeFirstOrThrow()
  return Number(n ?? 0)
}

/** How many match. Nobody counts a million rows for a page, unless a filter is on what the counts do not know. */
async function totalOf(db: Rows, listed: Listed): Promise<number> {
  if (!has(listed, SELECTIVE) && !hasDates(listed)) return counted(db, listed, listed.statuses)
  const { n } = await filtered(ofKind(db, listed), listed)
    .select(({ fn }) => fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

const inOrder = <Q extends Query>(rows: Q, newestFirst: boolean): Q =>
  (newestFirst
    ? rows.orderBy('created_at', 'desc').orderBy('invoice_id')
    : rows
        .orderBy('sort_series')
        .orderBy('sort_date', 'desc')
        .orderBy('sort_number')
        .orderBy('invoice_id')) as Q

const pageOf = (rows: Query, { limit, offset }: Paged, newestFirst: boolean): Promise<InvoiceRow[]> =>
  inOrder(rows, newestFirst).selectAll().limit(limit).offset(offset).execute()

/** The rows are few: found first, put in order afterwards. */
async function fewPage(db: Rows, listed: Listed, page: Paged): Promise<InvoiceRow[]> {
  const matched = filtered(ofKind(db, listed), listed).selectAll()
  return pageOf(db.foundFirst('invoices', matched), page, listed.newestFirst ?? false)
}

/**
 * Of one series: those with a number first, straight from the order; then its drafts.
 */
async function seriesPage(db: Rows, listed: Listed, page: Paged): Promise<InvoiceRow[]> {
  const statuses = listed.statuses?.filter((status) => !UNNUMBERED.includes(status))
  const isNumbered = statuses === undefined || statuses.length > 0
  const numbered = isNumbered
    ? await counted(db, listed, statuses ?? ['issued', 'sent', 'cancelled', 'received'])
    : 0
  const first =
    numbered > page.offset
      ? await pageOf(
          filtered(ofKind(db, { ...listed, statuses }), listed, false).where(
            'sort_series',
            '=',
            `0${listed.query.series}`,
          ),
          page,
          false,
        )
      : []
  const wanted = page.limit - first.length
  if (wanted === 0) return first
  const rest = filtered(ofKind(db, listed), listed).where('sort_series', '=', '1')
  return [
    ...first,
    ...(await pageOf(rest, { limit: wanted, offset: Math.max(0, page.offset - numbered) }, false)),
  ]
}

/** Of a date range that covers more than this part of the invoices, the order finds a page sooner than the dates. */
const DENSE = 20

/** A date that no index knows, so that the order's is used. That of a draft stays null, and no filter meets it. */
const NO_INDEX = sql<string>`(issue_date || '')`

/** The rows of a page. */
async function rowsOf(db: Rows, listed: Listed, page: Paged, total: number): Promise<InvoiceRow[]> {
  if (total <= page.offset) return []
  if (has(listed, SELECTIVE)) return fewPage(db, listed, page)
  if (hasDates(listed)) {
    const all = await counted(db, listed, listed.statuses)
    if (total * DENSE < all) return fewPage(db, listed, page)
    const query = { ...listed.query, issue_date_from: undefined, issue_date_to: undefined }
    const scanned = between(filtered(ofKind(db, listed), { ...listed, query }), listed, NO_INDEX)
    return pageOf(scanned, page, listed.newestFirst ?? false)
  }
  if (listed.query.series !== undefined && !listed.newestFirst) return seriesPage(db, listed, page)
  return pageOf(filtered(ofKind(db, listed), listed), page, listed.newestFirst ?? false)
}

/** A page of a company's invoices with the number of all that match. */
export async function listInvoices({ store }: Call, listed: Listed): Promise<InvoicePage> {
  const { limit, offset } = listed.query
  const page = { limit, offset }
  const total = await totalOf(store, listed)
  const rows = await rowsOf(store, listed, page, total)
  return { items: await summariesOf(store, rows), total, ...page }
}
