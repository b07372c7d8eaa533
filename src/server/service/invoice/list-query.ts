/** What a list of invoices is asked for, and the rows of a page of it. */
import { type RawBuilder, sql } from 'kysely'
import type { InvoiceQuery, Paged } from '../../shapes/parameters.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Rows, Select } from '../../store/store.ts'
import type { Direction, Status } from '../../store/tables.ts'
import { normalTaxId } from './columns.ts'

export interface Listed {
  readonly direction: Direction
  readonly status?: Status | undefined
  /** Newest first, as drafts and received invoices are; issued ones go by series. */
  readonly newestFirst?: boolean
  readonly query: InvoiceQuery
}

type Query = Select<'invoices'>

/** So many rows are passed over sooner than the counts say where to begin. */
export const NEAR = 200

/** Which filters are looked at: the counts have seen to the others. */
interface AppliedFilters {
  readonly series?: boolean
  readonly dates?: boolean
}

export const hasDates = ({ query }: Listed): boolean =>
  query.issue_date_from !== undefined || query.issue_date_to !== undefined

/** Invoices of a kind. As literals, because partial indexes are chosen by them. */
function ofKind(db: Rows, { direction, status }: Listed): Query {
  const rows = db.select('invoices').where(sql<boolean>`direction = ${sql.lit(direction)}`)
  return status === undefined ? rows : rows.where(sql<boolean>`status = ${sql.lit<string>(status)}`)
}

/** A date that no index knows: the order's is to be used. That of a draft stays null, and no filter meets it. */
const NO_INDEX = sql<string>`(issue_date || '')`
const DATE = sql<string>`issue_date`

const FILTERED = ['document_series', 'number', 'external_ref', 'customer_tax_id', 'supplier_tax_id'] as const

/** Filters are exact, dates inclusive, tax ids in their normal form (http-contract, "Every answer"). */
function filtered(
  start: Query,
  { query }: Listed,
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

/** All that match, to be found by whatever index has them. */
const matching = (db: Rows, listed: Listed): Query => filtered(ofKind(db, listed), listed, {}, DATE)

/** All that match, to be read in the order of the list. */
export const matchingInOrder = (db: Rows, listed: Listed, applied: AppliedFilters = {}): Query =>
  filtered(ofKind(db, listed), listed, applied, NO_INDEX)

/**
 * All that match, to be found by what is looked for: a number, a reference, somebody's tax id. The other filters are
 * put so that no index serves them; those of somebody's invoices have their columns, too.
 */
export function foundBy(db: Rows, { direction, status, query }: Listed): Query {
  let rows = filtered(ofKind(db, { direction, query }), { direction, query }, { series: false }, NO_INDEX)
  if (status !== undefined) rows = rows.where(sql<string>`(status || '')`, '=', status)
  if (query.series !== undefined) rows = rows.where(sql<string>`(document_series || '')`, '=', query.series)
  return rows
}

const inOrder = (rows: Query, { newestFirst }: Listed): Query =>
  newestFirst
    ? rows.orderBy('created_at', 'desc').orderBy('invoice_id')
    : rows.orderBy('sort_series').orderBy('sort_date', 'desc').orderBy('sort_number').orderBy('invoice_id')

/** A page of some rows, in the order of the list. */
export async function pageOf(
  db: Rows,
  rows: Query,
  listed: Listed,
  { limit, offset }: Paged,
): Promise<InvoiceRow[]> {
  if (limit <= 0) return []
  const ordered = inOrder(rows, listed)
  if (offset <= NEAR) return ordered.selectAll().limit(limit).offset(offset).execute()
  // What is passed over is read in the index alone.
  const found = await ordered.select('invoice_id').limit(limit).offset(offset).execute()
  if (found.length === 0) return []
  const ids = found.map(({ invoice_id }) => invoice_id)
  return inOrder(db.select('invoices').where('invoice_id', 'in', ids), listed)
    .selectAll()
    .execute()
}

/** A page of rows that are few: found first, put in order afterwards. */
export const fewPage = (
  db: Rows,
  listed: Listed,
  page: Paged,
  few = matching(db, listed),
): Promise<InvoiceRow[]> => pageOf(db, db.foundFirst('invoices', few.selectAll()), listed, page)
