/** Lists of invoices: filters, order, page and total. */
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Call } from '../http/route.ts'
import type { Reader } from '../store/store.ts'
import type { Direction, Status, Tables } from '../store/tables.ts'
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

const text = (value: Call['query'][string]): string | undefined => (value === undefined ? undefined : String(value))

/** Filters are exact, dates inclusive, tax ids in their normal form (http-contract, "Every answer"). */
function filtered<Q extends Query>(start: Q, { query }: Listed): Q {
  let rows = start as Query
  const by = {
    document_series: text(query.series),
    number: text(query.number),
    external_ref: text(query.external_ref),
    customer_tax_id: normalTaxId(text(query.customer_tax_id)) ?? undefined,
    supplier_tax_id: normalTaxId(text(query.supplier_tax_id)) ?? undefined,
  }
  for (const [column, value] of Object.entries(by))
    if (value !== undefined) rows = rows.where(column as 'number', '=', value)
  if (query.issue_date_from !== undefined) rows = rows.where('issue_date', '>=', String(query.issue_date_from))
  if (query.issue_date_to !== undefined) rows = rows.where('issue_date', '<=', String(query.issue_date_to))
  return rows as Q
}

/** Filters that the counts do not know. */
const BEYOND_COUNTS = ['number', 'external_ref', 'customer_tax_id', 'supplier_tax_id', 'issue_date_from', 'issue_date_to']

/** Totals come from counts that are kept, where the filters allow it: nobody counts a million rows for a page. */
async function totalOf(db: Reader, companyId: string, listed: Listed, base: () => Query): Promise<number> {
  const { direction, statuses, query } = listed
  if (BEYOND_COUNTS.some((name) => query[name] !== undefined)) {
    const { n } = await filtered(base(), listed)
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  }
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

/** A page of a company's invoices with the number of all that match. */
export async function listInvoices({ app, company }: Call, listed: Listed) {
  const db = app.store.read
  const { direction, statuses, newestFirst = false, query } = listed
  const limit = Number(query.limit)
  const offset = Number(query.offset)
  const base = (): Query => {
    let rows = db.selectFrom('invoices').where('company_id', '=', company.id)
    // As literals: partial indexes are chosen by them.
    rows = rows.where(sql<boolean>`direction = ${sql.lit(direction)}`)
    if (statuses?.length === 1) rows = rows.where(sql<boolean>`status = ${sql.lit(statuses[0] as string)}`)
    else if (statuses) rows = rows.where('status', 'in', statuses)
    return rows as Query
  }
  const ordered = newestFirst
    ? filtered(base(), listed).orderBy('created_at', 'desc').orderBy('invoice_id')
    : filtered(base(), listed).orderBy('sort_series').orderBy('sort_date', 'desc').orderBy('sort_number').orderBy('invoice_id')
  const rows = await ordered.selectAll().limit(limit).offset(offset).execute()
  const total = await totalOf(db, company.id, listed, base)
  return { items: await summariesOf(db, company.id, rows), total, limit, offset }
}
