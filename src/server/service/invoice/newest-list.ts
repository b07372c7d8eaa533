/** Drafts and received invoices: the newest first, then by id. */
import type { Paged } from '../../shapes/parameters.ts'
import { type CountsWanted, countsBy } from '../../store/counts.ts'
import type { InvoiceRow } from '../../store/invoices.ts'
import type { Rows } from '../../store/store.ts'
import {
  byCodePoint,
  daysOf,
  FEW,
  fewPage,
  hasDates,
  inPlace,
  type Listed,
  NEAR,
  only,
  type Page,
  pageOf,
  type Steps,
  stepAt,
  sumOf,
} from './list-query.ts'

const newestFirst = (counts: ReadonlyMap<string, number>): Steps => [...counts].sort(byCodePoint).reverse()

/** By code point after every moment that begins with it. */
const endOf = (moment: string): string => `${moment}~`

/** The next finer steps of a list below one of its steps: the days of a month, the minutes of a day. */
async function stepsIn(db: Rows, listed: Listed, moment: string): Promise<Steps> {
  const list = listed.direction === 'received' ? 'received' : 'draft'
  const step = moment === '' ? 'month' : 'day'
  const wanted: CountsWanted = {
    span:
      moment.length === 10
        ? `${list}_minute_dated`
        : hasDates(listed)
          ? `${list}_${step}_dated`
          : `${list}_${step}`,
    place: moment === '' ? undefined : { from: moment, to: endOf(moment) },
    day: daysOf(listed),
    status: listed.status,
  }
  return newestFirst(await countsBy(db, 'place', [wanted]))
}

/** The days on which invoices of a series were entered. */
async function daysOfSeries(db: Rows, listed: Listed): Promise<Steps> {
  const list = listed.direction === 'received' ? 'received' : 'draft'
  const wanted: CountsWanted = {
    span: hasDates(listed) ? `${list}_series_dated` : `${list}_series`,
    place: only(listed.query.series),
    day: daysOf(listed),
    status: listed.status,
  }
  return newestFirst(await countsBy(db, 'part', [wanted]))
}

/** Rows that were entered within some steps, which follow each other. */
async function rowsWithin(db: Rows, listed: Listed, steps: Steps, page: Paged): Promise<InvoiceRow[]> {
  const [[first] = ['']] = steps
  if (!hasDates(listed))
    return pageOf(db, inPlace(db, listed).where('created_at', '<=', endOf(first)), listed, page)
  // Between two steps that have what is looked for there may be many that have none.
  const found: InvoiceRow[] = []
  for (const [at, [moment]] of steps.entries()) {
    const limit = page.limit - found.length
    if (limit <= 0) break
    const rows = inPlace(db, listed)
      .where('created_at', '>=', moment)
      .where('created_at', '<=', endOf(moment))
    found.push(...(await pageOf(db, rows, listed, { limit, offset: at === 0 ? page.offset : 0 })))
  }
  return found
}

/** Rows from a place on, in steps that are as fine as they need be. */
async function rowsFrom(db: Rows, listed: Listed, steps: Steps, page: Paged): Promise<InvoiceRow[]> {
  const found: InvoiceRow[] = []
  const { rest, offset } = stepAt(steps, page.offset)
  for (const [at, [moment, n]] of rest.entries()) {
    const part = { limit: page.limit - found.length, offset: at === 0 ? offset : 0 }
    if (part.limit <= 0) break
    const isNear = moment.length >= 10 && Math.min(n, part.offset) <= NEAR
    const isFine = isNear || listed.query.series !== undefined || moment.length === 16
    if (isFine) return [...found, ...(await rowsWithin(db, listed, rest.slice(at), part))]
    const finer = await stepsIn(db, listed, moment)
    // Without dates the rows follow each other beyond the step, too.
    if (!hasDates(listed)) return [...found, ...(await rowsFrom(db, listed, finer, part))]
    found.push(...(await rowsFrom(db, listed, finer, part)))
  }
  return found
}

/** A page of drafts or of received invoices. */
export async function newestPage(db: Rows, listed: Listed, page: Paged): Promise<Page> {
  const steps =
    listed.query.series === undefined ? await stepsIn(db, listed, '') : await daysOfSeries(db, listed)
  const total = sumOf(steps.map(([, n]) => n))
  if (total <= page.offset) return { rows: [], total }
  if (total <= FEW && (hasDates(listed) || listed.query.series !== undefined))
    return { rows: await fewPage(db, listed, page), total }
  if (!hasDates(listed) && page.offset <= NEAR)
    return { rows: await pageOf(db, inPlace(db, listed), listed, page), total }
  return { rows: await rowsFrom(db, listed, steps, page), total }
}
