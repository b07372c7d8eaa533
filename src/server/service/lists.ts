/**
 * Lists of invoices: filters, order, page and total. Which index serves a page is decided here, from the counts that
 * are kept, because the two stores would guess differently, and both badly, for a company with a million invoices.
 */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { InvoiceRow } from '../store/invoices.ts'
import type { Reader } from '../store/store.ts'
import type { Direction, Status, Tables } from '../store/tables.ts'
import type { Call } from './call.ts'
import { normalTaxId } from './columns.ts'
import { summariesOf } from './summary.ts'

interface Listed {
  readonly direction: Direction
  readonly statuses?: readonly Status[] | undefined
  /** Newest first, as drafts and received invoices are; issued ones go by series. */
  readonly newestFirst?: boolean
  readonly query: Call['query']
}

type Query = SelectQueryBuilder<Tables, 'invoices', object>

interface Page {
  readonly limit: number
  readonly offset: number
}

const text = (value: Call['query'][string]): string | undefined =>
  value === undefined ? undefined : String(value)

/** Statuses of invoices that have no series and number yet: they stand at the end of the issued list. */
const UNNUMBERED: readonly Status[] = ['draft', 'queued']

/** Filters that find few rows through an index of their own. */
const SELECTIVE = ['number', 'external_ref', 'customer_tax_id', 'supplier_tax_id'] as const

const has = ({ query }: Listed, names: readonly string[]): boolean =>
  names.some((name) => query[name] !== undefined)
const hasDates = (listed: Listed): boolean => has(listed, ['issue_date_from', 'issue_date_to'])

/** Invoices of a kind. As literals, because partial indexes are chosen by them. */
function ofKind(db: Reader, companyId: string, { direction, statuses }: Listed): Query {
  const rows = db
    .selectFrom('invoices')
    .where('company_id', '=', companyId)
    .where(sql<boolean>`direction = ${sql.lit(direction)}`)
  if (statuses?.length === 1) return rows.where(sql<boolean>`status = ${sql.lit(statuses[0] as string)}`)
  return statuses ? rows.where('status', 'in', statuses) : rows
}

/** Filters are exact, dates inclusive, tax ids in their normal form (http-contract, "Every answer"). */
function filtered(start: Query, listed: Listed, withSeries = true): Query {
  const { query } = listed
  let rows = start
  const by = {
    document_series: withSeries ? text(query.series) : undefined,
    number: text(query.number),
    external_ref: text(query.external_ref),
    customer_tax_id: normalTaxId(text(query.customer_tax_id)) ?? undefined,
    supplier_tax_id: normalTaxId(text(query.supplier_tax_id)) ?? undefined,
  }
  for (const [column, value] of Object.entries(by))
    if (value !== undefined) rows = rows.where(column as 'number', '=', value)
  return between(rows, listed, sql<string>`issue_date`)
}

/** Within the dates of the filter. The expression decides whether the index of dates may be used. */
function between(start: Query, { query }: Listed, date: RawBuilder<string>): Query {
  let rows = start
  if (query.issue_date_from !== undefined) rows = rows.where(date, '>=', String(query.issue_date_from))
  if (query.issue_date_to !== undefined) rows = rows.where(date, '<=', String(query.issue_date_to))
  return rows
}

/** The sum of the counts of some statuses and a series. */
async function counted(
  db: Reader,
  companyId: string,
  { direction, query }: Listed,
  statuses?: readonly Status[],
): Promise<number> {
  let counts = db
    .selectFrom('invoice_counts')
    .select(({ fn }) => fn.sum('n').as('n'))
    .where('company_id', '=', companyId)
    .where('direction', '=', direction)
  if (statuses) counts = counts.where('status', 'in', statuses)
  if (query.series !== undefined) counts = counts.where('series', '=', String(query.series))
  const { n } = await counts.executeTakeFirstOrThrow()
  return Number(n ?? 0)
}

/** How many match. Nobody counts a million rows for a page, unless a filter is on what the counts do not know. */
async function totalOf(db: Reader, companyId: string, listed: Listed): Promise<number> {
  if (!has(listed, SELECTIVE) && !hasDates(listed)) return counted(db, companyId, listed, listed.statuses)
  const { n } = await filtered(ofKind(db, companyId, listed), listed)
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

const pageOf = (rows: Query, { limit, offset }: Page, newestFirst: boolean): Promise<InvoiceRow[]> =>
  inOrder(rows, newestFirst).selectAll().limit(limit).offset(offset).execute()

/** The rows are few: found first, put in order afterwards. */
async function fewPage(db: Reader, companyId: string, listed: Listed, page: Page): Promise<InvoiceRow[]> {
  const matched = filtered(ofKind(db, companyId, listed), listed).selectAll()
  const rows = db
    .with(
      (cte) => cte('matched').materialized(),
      () => matched,
    )
    .selectFrom('matched as invoices')
  return pageOf(rows as unknown as Query, page, listed.newestFirst ?? false)
}

/**
 * Of one series: those with a number first, straight from the order; then its drafts.
 */
async function seriesPage(db: Reader, companyId: string, listed: Listed, page: Page): Promise<InvoiceRow[]> {
  const statuses = listed.statuses?.filter((status) => !UNNUMBERED.includes(status))
  const isNumbered = statuses === undefined || statuses.length > 0
  const numbered = isNumbered
    ? await counted(db, companyId, listed, statuses ?? ['issued', 'sent', 'cancelled', 'received'])
    : 0
  const first =
    numbered > page.offset
      ? await pageOf(
          filtered(ofKind(db, companyId, { ...listed, statuses }), listed, false).where(
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
  const rest = filtered(ofKind(db, companyId, listed), listed).where('sort_series', '=', '1')
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
async function rowsOf(
  db: Reader,
  companyId: string,
  listed: Listed,
  page: Page,
  total: number,
): Promise<InvoiceRow[]> {
  if (total <= page.offset) return []
  if (has(listed, SELECTIVE)) return fewPage(db, companyId, listed, page)
  if (hasDates(listed)) {
    const all = await counted(db, companyId, listed, listed.statuses)
    if (total * DENSE < all) return fewPage(db, companyId, listed, page)
    const { issue_date_from, issue_date_to, ...query } = listed.query
    const scanned = between(filtered(ofKind(db, companyId, listed), { ...listed, query }), listed, NO_INDEX)
    return pageOf(scanned, page, listed.newestFirst ?? false)
  }
  if (listed.query.series !== undefined && !listed.newestFirst) return seriesPage(db, companyId, listed, page)
  return pageOf(filtered(ofKind(db, companyId, listed), listed), page, listed.newestFirst ?? false)
}

/** A page of a company's invoices with the number of all that match. */
export async function listInvoices({ app, company }: Call, listed: Listed) {
  const db = app.store.read
  const page = { limit: Number(listed.query.limit), offset: Number(listed.query.offset) }
  const total = await totalOf(db, company.id, listed)
  const rows = await rowsOf(db, company.id, listed, page, total)
  return { items: await summariesOf(db, company.id, rows), total, ...page }
}
