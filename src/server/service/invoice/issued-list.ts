/** Issued invoices by series, newest date first, then by number; after them what has no number yet, by id. */
import type { Paged } from '../../shapes/parameters.ts'
import { type Between, type CountsWanted, countsBy } from '../../store/counts.ts'
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

const FIRST_DAY = '-01'
const LAST_DAY = '-31'
const monthOf = (day: string): string => day.slice(0, 7)

/** The counts of some days: of whole months, and of the days of those that are cut. */
export function countsOfDays({ from, to }: Between): CountsWanted[] {
  const [first, last] = [
    from === undefined ? undefined : monthOf(from),
    to === undefined ? undefined : monthOf(to),
  ]
  if (first !== undefined && first === last) return [{ span: 'numbered_day', place: { from, to } }]
  return [
    ...(first === undefined
      ? []
      : [{ span: 'numbered_day', place: { from, to: `${first}${LAST_DAY}` } } as const]),
    {
      span: 'numbered_month',
      place: {
        // A month is before its days, and what is after it by code point before the next month.
        from: first === undefined ? undefined : `${first}~`,
        to:
          last === undefined
            ? undefined
            : `${last.slice(0, -1)}${String.fromCharCode(last.charCodeAt(6) - 1)}~`,
      },
    } as const,
    ...(last === undefined
      ? []
      : [{ span: 'numbered_day', place: { from: `${last}${FIRST_DAY}`, to } } as const]),
  ]
}

/** The statuses and the series of the filter, in counts that have the series in `part`. */
const within = ({ query, status }: Listed) => ({ status, part: only(query.series) })

const newestFirst = (counts: ReadonlyMap<string, number>): Steps => [...counts].sort(byCodePoint).reverse()

/** The day of a series at which a place in it is. */
async function dayAt(
  db: Rows,
  listed: Listed,
  series: string,
  offset: number,
): Promise<{ readonly day: string; readonly offset: number }> {
  const filters = { status: listed.status, part: only(series) }
  const days = daysOf(listed)
  const wanted: CountsWanted[] = days ? countsOfDays(days) : [{ span: 'numbered_month' }]
  const steps = newestFirst(
    await countsBy(
      db,
      'place',
      wanted.map((one) => ({ ...one, ...filters })),
    ),
  )
  const found = stepAt(steps, offset)
  const [[place] = ['']] = found.rest
  if (place.length !== 7) return { day: place, offset: found.offset }
  const ofMonth = await countsBy(db, 'place', [
    { span: 'numbered_day', place: { from: place, to: `${place}${LAST_DAY}` }, ...filters },
  ])
  const inMonth = stepAt(newestFirst(ofMonth), found.offset)
  return { day: inMonth.rest[0]?.[0] ?? '', offset: inMonth.offset }
}

/** Rows of one series from a place on. */
async function seriesRows(db: Rows, listed: Listed, series: string, page: Paged): Promise<InvoiceRow[]> {
  const { from, to } = daysOf(listed) ?? {}
  const start = page.offset <= NEAR ? undefined : await dayAt(db, listed, series, page.offset)
  const last = start?.day ?? to
  let rows = inPlace(db, listed, { series: false, dates: false }).where('sort_series', '=', `0${series}`)
  if (last !== undefined) rows = rows.where('sort_date', '<=', last)
  if (from !== undefined) rows = rows.where('sort_date', '>=', from)
  return pageOf(db, rows, listed, { limit: page.limit, offset: start?.offset ?? page.offset })
}

/** Rows with a number from a place on. */
async function numberedRows(db: Rows, listed: Listed, series: Steps, page: Paged): Promise<InvoiceRow[]> {
  const { rest, offset } = stepAt(series, page.offset)
  const found: InvoiceRow[] = []
  for (const [at, [code]] of rest.entries()) {
    const limit = page.limit - found.length
    if (limit <= 0) break
    if (at > 0 && !hasDates(listed)) {
      // Without dates all that comes after a series stands in one piece.
      const after = inPlace(db, listed)
        .where('sort_series', '>', `0${rest[at - 1]?.[0]}`)
        .where('sort_series', '<', '1')
      return [...found, ...(await pageOf(db, after, listed, { limit, offset: 0 }))]
    }
    found.push(...(await seriesRows(db, listed, code, { limit, offset: at === 0 ? offset : 0 })))
  }
  return found
}

/** By code point after all ids: what has a number and no series, which comes after them. */
const AFTER_IDS = '~'

/** Rows without a number from a place on. */
async function draftRows(db: Rows, listed: Listed, page: Paged): Promise<InvoiceRow[]> {
  const shares = await countsBy(db, 'place', [
    { span: 'draft_share', day: daysOf(listed), ...within(listed) },
  ])
  const steps = [...shares].sort(byCodePoint)
  const { rest, offset } = stepAt(steps, page.offset)
  const [[first] = ['']] = rest
  const unnumbered = () => inPlace(db, listed).where('sort_series', '=', '1').where('sort_date', '=', '')
  const ids = unnumbered().where('sort_number', '=', '').where('invoice_id', '>=', first)
  const found = first === AFTER_IDS ? [] : await pageOf(db, ids, listed, { limit: page.limit, offset })
  if (!shares.has(AFTER_IDS)) return found
  const before = first === AFTER_IDS ? 0 : sumOf(rest.map(([, n]) => n)) - (shares.get(AFTER_IDS) ?? 0)
  const numbered = unnumbered().where('sort_number', '>', '')
  const left = { limit: page.limit - found.length, offset: Math.max(0, offset - before) }
  return [...found, ...(await pageOf(db, numbered, listed, left))]
}

/** A page of the issued kind. */
export async function issuedPage(db: Rows, listed: Listed, page: Paged): Promise<Page> {
  const days = daysOf(listed)
  const wanted: CountsWanted[] = days ? countsOfDays(days) : [{ span: 'numbered', place: only('') }]
  const counted = await countsBy(
    db,
    'part',
    wanted.map((one) => ({ ...one, ...within(listed) })),
  )
  const drafts = await countsBy(db, 'part', [
    { span: 'draft', place: only(''), day: days, ...within(listed) },
  ])
  const series: Steps = [...counted].sort(byCodePoint)
  const numbered = sumOf(counted.values())
  const total = numbered + sumOf(drafts.values())
  if (total <= page.offset) return { rows: [], total }
  if (days && total <= FEW) return { rows: await fewPage(db, listed, page), total }
  const rows = numbered > page.offset ? await numberedRows(db, listed, series, page) : []
  const rest = { limit: page.limit - rows.length, offset: Math.max(0, page.offset - numbered) }
  if (rest.limit > 0 && numbered < total) rows.push(...(await draftRows(db, listed, rest)))
  return { rows, total }
}
