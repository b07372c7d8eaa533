/**
 * Lists of invoices: filters, order, page and total. Nothing is counted and nothing passed over for a page: how many
 * there are, and where it begins, is known from the counts that are kept. Only what they do not know, a number or
 * somebody's tax id, is counted in its index.
 */
import type { Paged } from '../../shapes/parameters.ts'
import type { InvoicePage } from '../../shapes/schemas.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { issuedPage } from './issued-list.ts'
import { fewPage, foundBy, type Listed, type Page, pageOf } from './list-query.ts'
import { newestPage } from './newest-list.ts'
import { summariesOf } from './summary.ts'

/** What an invoice is found by. */
const FOUND_BY = ['number', 'external_ref'] as const
/** Whose invoices they are: an index has them in the order of the list. */
const OF_SOMEBODY = ['customer_tax_id', 'supplier_tax_id'] as const

const has = ({ query }: Listed, names: readonly (keyof Listed['query'])[]): boolean =>
  names.some((name) => query[name] !== undefined)

async function foundPage(db: Rows, listed: Listed, page: Paged): Promise<Page> {
  const { n } = await foundBy(db, listed)
    .select(({ fn }) => fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  const total = Number(n)
  if (total <= page.offset) return { rows: [], total }
  // An issued number and a reference are of one invoice; all else an index has in the order of the list.
  const isFew = listed.direction === 'issued' && has(listed, FOUND_BY)
  const found = foundBy(db, listed)
  return { rows: await (isFew ? fewPage(db, listed, page, found) : pageOf(db, found, listed, page)), total }
}

/** A page of a company's invoices with the number of all that match. */
export async function listInvoices({ store }: Pick<Call, 'store'>, listed: Listed): Promise<InvoicePage> {
  const { limit, offset } = listed.query
  const page = { limit, offset }
  const { issue_date_from: from, issue_date_to: to } = listed.query
  if (from !== undefined && to !== undefined && from > to) return { items: [], total: 0, ...page }
  const pageIn = has(listed, [...FOUND_BY, ...OF_SOMEBODY])
    ? foundPage
    : listed.newestFirst
      ? newestPage
      : issuedPage
  const { rows, total } = await pageIn(store, listed, page)
  return { items: await summariesOf(store, rows), total, ...page }
}
