/** Queries for the lists of invoices. */
import { type RawBuilder, sql } from 'kysely'
import type { InvoiceQuery, PageQuery } from '../../shapes/parameter-shapes.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Rows, Select } from '../../store/store.ts'
import type { Direction, Status } from '../../store/tables.ts'
import { normalTaxId } from './invoice-columns.ts'

export interface InvoiceListRequest {
  readonly direction: Direction
  readonly status?: Status | undefined
  /** Sorts by time of entry, newest first: the order of drafts and received invoices. Otherwise sorts by series. */
  readonly newestFirst?: boolean
  readonly query: InvoiceQuery
}

type Query = Select<'invoices'>

/** Maximum number of rows to skip without reading the counts first. Skipping up to this many is faster. */
export const MAX_SKIPPED = 200

/** Whether the query must filter by series and by date. If not, the caller already selects by these values. */
interface AppliedFilters {
  readonly series?: boolean
  readonly dates?: boolean
}

export const hasDates = ({ query }: InvoiceListRequest): boolean =>
  query.issue_date_from !== undefined || query.issue_date_to !== undefined

/** Selects invoices by direction and status. Both are SQL literals, because partial indexes depend on them. */
function ofKind(db: Rows, { direction, status }: InvoiceListRequest): Query {
  const rows = db.select('invoices').where(sql<boolean>`direction = ${sql.lit(direction)}`)
  return status === undefined ? rows : rows.where(sql<boolean>`status = ${sql.lit<string>(status)}`)
}

/** The date as an expression that no index covers, so that the database uses the index in list order. Keeps null. */
const NO_INDEX = sql<string>`(issue_date || '')`
const DATE = sql<string>`issue_date`

const FILTERED = ['document_series', 'number', 'external_ref', 'customer_tax_id', 'supplier_tax_id'] as const

/** Applies the filters: exact values, inclusive dates, normalised tax ids. */
function filtered(
  start: Query,
  { query }: InvoiceListRequest,
  { series = true, dates = true }: AppliedFilters,
  date: RawBuilder<string>,
) {
  let rows = start
  const by = {
    document_series: series ? query.series : undefined,
    number: query.number,
    external_ref: query.external_ref,
    customer_tax_id: normalTaxId(query.customer_tax_id) ?? undefined,
    supplier_tax_id: normalTaxId(query.supplier_tax_id) ?? undefined,
  }
  for (const column of FILTERED) if (by[column] !== undefined) rows = rows.where(column, '=', by[column])
  if (dates && query.issue_date_from !== undefined) rows = rows.where(date, '>=', query.issue_date_from)
  if (dates && query.issue_date_to !== undefined) rows = rows.where(date, '<=', query.issue_date_to)
  return rows
}

/** Selects all matching invoices; the database chooses the index. */
const matching = (db: Rows, listed: InvoiceListRequest): Query =>
  filtered(ofKind(db, listed), listed, {}, DATE)

/** Selects all matching invoices. The database reads them in list order. */
export const matchingInOrder = (db: Rows, listed: InvoiceListRequest, applied: AppliedFilters = {}): Query =>
  filtered(ofKind(db, listed), listed, applied, NO_INDEX)

/**
 * Selects invoices that match by number, reference or tax id. The other filters are written as expressions that no
 * index covers, so that the database uses the index of the number, reference or tax id. The indexes of tax ids also
 * contain the columns of the other filters.
 */
export function selectByIdentifier(db: Rows, { direction, status, query }: InvoiceListRequest): Query {
  let rows = filtered(ofKind(db, { direction, query }), { direction, query }, { series: false }, NO_INDEX)
  if (status !== undefined) rows = rows.where(sql<string>`(status || '')`, '=', status)
  if (query.series !== undefined) rows = rows.where(sql<string>`(document_series || '')`, '=', query.series)
  return rows
}

const inOrder = (rows: Query, { newestFirst }: InvoiceListRequest): Query =>
  newestFirst
    ? rows.orderBy('created_at', 'desc').orderBy('invoice_id')
    : rows.orderBy('sort_series').orderBy('sort_date', 'desc').orderBy('sort_number').orderBy('invoice_id')

/** Reads a page of rows in list order. */
export async function pageOf(
  db: Rows,
  rows: Query,
  listed: InvoiceListRequest,
  { limit, offset }: PageQuery,
): Promise<InvoiceRow[]> {
  if (limit <= 0) return []
  const ordered = inOrder(rows, listed)
  if (offset <= MAX_SKIPPED) return ordered.selectAll().limit(limit).offset(offset).execute()
  // Skipped rows are read from the index only.
  const found = await ordered.select('invoice_id').limit(limit).offset(offset).execute()
  if (found.length === 0) return []
  const ids = found.map(({ invoice_id }) => invoice_id)
  return inOrder(db.select('invoices').where('invoice_id', 'in', ids), listed)
    .selectAll()
    .execute()
}

/** Reads a page of a small result: finds all its rows first, then sorts them. */
export const readSmallResultPage = (
  db: Rows,
  listed: InvoiceListRequest,
  page: PageQuery,
  few = matching(db, listed),
): Promise<InvoiceRow[]> => pageOf(db, db.foundFirst('invoices', few.selectAll()), listed, page)
