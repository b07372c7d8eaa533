/**
 * Stores the number of invoices in each list, by position in the list. A transaction that writes invoices inserts
 * notes: rows with its changes of the counts (`notes.ts`). Writers therefore do not wait for each other. A later
 * transaction adds the notes to the counts. Each list is counted per month, per day and per other span (`SPANS`). One
 * statement reads counts and notes, so it counts each invoice once. No request has to count a list, and a page far into
 * a list is found without reading the pages before it.
 */
import { type RawBuilder, sql } from 'kysely'
import { type Note, type Notes, SHARE_OF_NUMBERED } from './count-changes.ts'
import type { CompanyRow, Rows, Transaction, Tx } from './rows.ts'
import type { CountedList, Status } from './tables.ts'

type Cell = CompanyRow<'invoice_counts'>

/** Sizes of the batches of rows. With only a few different sizes, the databases can keep the few SQL texts prepared. */
const CHUNKS = [64, 32, 16, 8, 4, 2, 1]

function* chunksOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < all.length; ) {
    const size = CHUNKS.find((one) => one <= all.length - at) ?? 1
    yield all.slice(at, at + size)
    at += size
  }
}

/** Writes the count changes of a transaction (notes) as its last statement. Returns their number by company. */
export async function writeNotes(tx: Transaction, notes: Notes): Promise<ReadonlyMap<string, number>> {
  const written = new Map<string, number>()
  for (const [companyId, rows] of notes.rows()) {
    for (const chunk of chunksOf(rows)) await tx.of(companyId).insert('invoice_changes', chunk)
    written.set(companyId, rows.length)
  }
  return written
}

/** Maximum number of pending count changes (notes) of a company before they are added to the counts. */
const MAX_PENDING_NOTES = 256
/**
 * Number of count changes (notes) of each company that this process has written since it last added them to the counts.
 * The first note of a company after the start also triggers an addition, because other processes may have left notes.
 */
const pendingNotes = new Map<string, number>()

/** Increases the number of a company's pending count changes. Returns whether to add them to the counts now. */
export function addPendingNotes(companyId: string, notes: number): boolean {
  const sum = (pendingNotes.get(companyId) ?? MAX_PENDING_NOTES) + notes
  pendingNotes.set(companyId, sum < MAX_PENDING_NOTES ? sum : 0)
  return sum >= MAX_PENDING_NOTES
}

/** Maximum number of count changes per transaction. On the embedded database, more would delay other requests. */
const MAX_NOTES = 1000

/** Adds pending count changes (notes) to the counts and deletes them. Several processes may do so at the same time. */
export async function addNotesToCounts(tx: Tx): Promise<void> {
  const query = tx.lock('invoice_changes').selectAll().limit(MAX_NOTES)
  const changes = await (tx.locks ? query.skipLocked() : query).execute()
  if (changes.length === 0) return
  const cells = new Map<string, Cell>()
  for (const change of changes)
    for (const cell of countCellsOf(change)) {
      const key = JSON.stringify([cell.span, cell.place, cell.part, cell.day, cell.status])
      cells.set(key, { ...cell, n: (cells.get(key)?.n ?? 0) + cell.n })
    }
  // Writes in a fixed order, so that concurrent processes do not deadlock.
  const sorted = [...cells]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, cell]) => (cell.n === 0 ? [] : cell))
  for (const chunk of chunksOf(sorted))
    await tx.upsert('invoice_counts', chunk, (on) =>
      on.doUpdateSet(({ ref, eb }) => ({ n: eb(ref('invoice_counts.n'), '+', ref('excluded.n')) })),
    )
  for (const chunk of chunksOf(changes.map(({ change_id }) => change_id)))
    await tx.delete('invoice_changes').where('change_id', 'in', chunk).execute()
  // The zero is a literal, because the partial index depends on it.
  await tx.delete('invoice_counts').where(sql<boolean>`n = 0`).execute()
}

/** How one column of a count is computed: from a count change (note), and in SQL. */
interface Part {
  readonly of: (note: Note) => string
  readonly sql: RawBuilder<string>
}

const part = (sql: RawBuilder<string>, of: Part['of']): Part => ({ of, sql })
const NONE = part(sql<string>`''`, () => '')
const SERIES = part(sql<string>`series`, ({ series }) => series)
const SHARE = part(sql<string>`share`, ({ share }) => share)
const DAY = part(sql<string>`day`, ({ day }) => day)
const MONTH = part(sql<string>`substr(day, 1, 7)`, ({ day }) => day.slice(0, 7))
const CREATED_MONTH = part(sql<string>`substr(created, 1, 7)`, ({ created }) => created.slice(0, 7))
const CREATED_DAY = part(sql<string>`substr(created, 1, 10)`, ({ created }) => created.slice(0, 10))
const CREATED_MINUTE = part(sql<string>`created`, ({ created }) => created)

interface Span {
  readonly list: CountedList
  readonly place: Part
  readonly part: Part
  readonly day: Part
}

const span = (list: CountedList, place: Part, part = NONE, day = NONE): Span => ({ list, place, part, day })

/**
 * The spans for which invoices are counted. Spans whose name ends in `_dated` also have the date of the invoice, by
 * which the list can be filtered.
 */
const SPANS = {
  numbered: span('numbered', NONE, SERIES),
  numbered_month: span('numbered', MONTH, SERIES),
  numbered_day: span('numbered', DAY, SERIES),
  draft: span('draft', NONE, SERIES, DAY),
  draft_share: span('draft', SHARE, SERIES, DAY),
  draft_month: span('draft', CREATED_MONTH),
  draft_month_dated: span('draft', CREATED_MONTH, NONE, DAY),
  draft_day: span('draft', CREATED_DAY),
  draft_day_dated: span('draft', CREATED_DAY, NONE, DAY),
  draft_minute_dated: span('draft', CREATED_MINUTE, NONE, DAY),
  draft_series: span('draft', SERIES, CREATED_DAY),
  draft_series_dated: span('draft', SERIES, CREATED_DAY, DAY),
  received_month: span('received', CREATED_MONTH),
  received_month_dated: span('received', CREATED_MONTH, NONE, DAY),
  received_day: span('received', CREATED_DAY),
  received_day_dated: span('received', CREATED_DAY, NONE, DAY),
  received_minute_dated: span('received', CREATED_MINUTE, NONE, DAY),
  received_series: span('received', SERIES, CREATED_DAY),
  received_series_dated: span('received', SERIES, CREATED_DAY, DAY),
}

export type SpanName = keyof typeof SPANS
const NAMES = Object.keys(SPANS) as SpanName[]

/** Returns the counts that a count change (note) affects. */
export const countCellsOf = (change: Note): Cell[] =>
  NAMES.filter((span) => SPANS[span].list === change.list).map((span) => {
    const { place, part, day } = SPANS[span]
    const { status, n } = change
    return { span, place: place.of(change), part: part.of(change), day: day.of(change), status, n }
  })

/** A range of texts in code point order, including both ends. If an end is missing, the range is unbounded there. */
export interface Range {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Selects counts of one span within ranges. */
export interface CountQuery {
  readonly span: SpanName
  readonly place?: Range | undefined
  readonly part?: Range | undefined
  readonly day?: Range | undefined
  readonly status?: Status | undefined
}

/** Translates a range into SQL comparisons. */
function boundsOf({ from, to }: Range = {}): (readonly ['=' | '>=' | '<=', string])[] {
  if (from !== undefined && from === to) return [['=', from]]
  return [
    ...(from === undefined ? [] : [['>=', from] as const]),
    ...(to === undefined ? [] : [['<=', to] as const]),
  ]
}

/** Sums counts by `place` or `part`. One statement reads counts and notes, so that each note is counted once. */
export async function countsBy(
  rows: Rows,
  by: 'place' | 'part',
  wanted: readonly CountQuery[],
): Promise<Map<string, number>> {
  const queries = wanted.map(({ span, place, part, day, status }) => {
    const at = SPANS[span]
    const within = [
      [place, sql<string>`place`, at.place.sql],
      [part, sql<string>`part`, at.part.sql],
      [day, DAY.sql, DAY.sql],
    ] as const
    let counts = rows
      .select('invoice_counts')
      .select(({ fn }) => [by === 'place' ? 'place as name' : 'part as name', fn.sum<number>('n').as('n')])
      .where('span', '=', sql.lit<string>(span))
    let changes = rows
      .select('invoice_changes')
      .select(({ fn }) => [at[by].sql.as('name'), fn.sum<number>('n').as('n')])
      .where('list', '=', sql.lit<CountedList>(at.list))
    if (status !== undefined) {
      counts = counts.where('status', '=', status)
      changes = changes.where('status', '=', status)
    }
    for (const [between, counted, change] of within)
      for (const [operator, bound] of boundsOf(between)) {
        counts = counts.where(counted, operator, bound)
        changes = changes.where(change, operator, bound)
      }
    return { counts: counts.groupBy('name'), changes: changes.groupBy('name') }
  })
  const [first, ...others] = queries
  if (!first) return new Map()
  const found = await others
    .reduce(
      (all, { counts, changes }) => all.unionAll(counts).unionAll(changes),
      first.counts.unionAll(first.changes),
    )
    .execute()
  const sums = new Map<string, number>()
  for (const { name, n } of found) sums.set(name, (sums.get(name) ?? 0) + Number(n))
  for (const [name, n] of sums) if (n === 0) sums.delete(name)
  return sums
}

const LISTS: Readonly<Record<CountedList, RawBuilder<boolean>>> = {
  numbered: sql`direction = 'issued' and sort_series <> '1'`,
  draft: sql`direction = 'issued' and sort_series = '1'`,
  received: sql`direction = 'received'`,
}

/** The columns of a count change (note), computed from the row of the invoice. */
const NOTE_COLUMNS = [
  sql<string>`coalesce(document_series, '')`.as('series'),
  sql<string>`coalesce(issue_date, '')`.as('day'),
  sql<string>`substr(created_at, 1, 16)`.as('created'),
  sql<string>`case when sort_number = '' then substr(invoice_id, 1, 2) else ${sql.lit(SHARE_OF_NUMBERED)} end`.as(
    'share',
  ),
] as const

/** A count that differs from the actual number of invoices. */
export interface WrongCount {
  readonly span: SpanName
  readonly list: CountedList
  readonly place: string
  readonly part: string
  readonly day: string
  readonly status: Status
  readonly counted: number
  readonly present: number
}

/** Returns the counts that, with their pending notes, differ from the actual number of invoices. */
export async function wrongCounts(rows: Rows, span: SpanName): Promise<readonly WrongCount[]> {
  const { list, place, part, day } = SPANS[span]
  const step = [place.sql.as('place'), part.sql.as('part'), day.sql.as('day')] as const
  const [one, none] = [sql<number>`1`, sql<number>`0`]
  const invoices = rows
    .select('invoices')
    .select([...NOTE_COLUMNS, 'status'])
    .where(LISTS[list])
  const all = rows
    .select('invoice_counts')
    .select(['place', 'part', 'day', 'status', 'n as counted', none.as('present')])
    .where('span', '=', sql.lit<string>(span))
    .unionAll(
      rows
        .select('invoice_changes')
        .select([...step, 'status', 'n as counted', none.as('present')])
        .where('list', '=', sql.lit<CountedList>(list)),
    )
    .unionAll(rows.found(invoices).select([...step, 'status', none.as('counted'), one.as('present')]))
  const found = await rows
    .found(all)
    .select(['place', 'part', 'day', 'status'])
    .select([sql<number>`sum(counted)`.as('counted'), sql<number>`sum(present)`.as('present')])
    .groupBy(['place', 'part', 'day', 'status'])
    .having(sql<boolean>`sum(counted) <> sum(present)`)
    .orderBy('place')
    .execute()
  return found.map((row) => ({
    span,
    list,
    ...row,
    counted: Number(row.counted),
    present: Number(row.present),
  }))
}

/** Returns the number of stored counts for each span. */
export async function countedSteps(rows: Rows): Promise<ReadonlyMap<SpanName, number>> {
  const found = await rows
    .select('invoice_counts')
    .select(({ fn }) => ['span', fn.countAll().as('n')])
    .groupBy('span')
    .execute()
  const sizes = new Map(found.map(({ span, n }) => [span, Number(n)]))
  return new Map(NAMES.map((span) => [span, sizes.get(span) ?? 0]))
}
