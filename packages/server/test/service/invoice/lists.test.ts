/** Lists return the same rows, order and total as a plain query, after any changes. */

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { temporaryFolder } from '#test/folders.ts'
import { sized } from '#test/size.ts'
import { verifyCounts } from '../../../admin/verify/verify-counts.ts'
import { Report } from '../../../admin/verify/verify-report.ts'
import type { InvoiceListRequest } from '../../../src/service/invoice/list-query.ts'
import { listInvoices } from '../../../src/service/invoice/lists.ts'
import { addNotesToCounts } from '../../../src/store/counts.ts'
import {
  deleteInvoice,
  findInvoice,
  type InvoiceRow,
  insertInvoice,
  sortColumnsOf,
  updateInvoice,
} from '../../../src/store/invoices.ts'
import { openStore, type Store, type Tx } from '../../../src/store/store.ts'

const COMPANY = 'a-company'
const OTHER = 'another'

/** Outside the basic plane, the order by UTF-16 differs from that by code point. */
const SERIES = ['A', 'B', 'a', 'ñandú', '\u{1f9fe}', '\uff21', '0']
const PARTIES = ['B00000000', 'B11111111', 'B22222222', null]
const DAYS = [
  '2025-12-31',
  '2026-01-01',
  '2026-01-15',
  '2026-01-31',
  '2026-02-01',
  '2026-02-28',
  '2026-03-07',
]
const MINUTES = [
  '2026-01-31T23:59',
  '2026-02-01T00:00',
  '2026-02-01T00:01',
  '2026-02-01T17:30',
  '2026-03-07T08:00',
]

const digits = (n: number, width: number): string => n.toString(16).padStart(width, '0')
const series = fc.constantFrom(...SERIES)
const day = fc.constantFrom(...DAYS)
const party = fc.constantFrom(...PARTIES)
const id = fc
  .tuple(fc.nat(0xffff_ffff), fc.nat(0xffff))
  .map(([high, low]) => `${digits(high, 8)}-0000-4000-8000-${digits(low, 12)}`)
const created = fc
  .tuple(fc.constantFrom(...MINUTES), fc.nat(3))
  .map(([minute, at]) => `${minute}:0${at}.000000`)

const basic = fc.record({
  invoice_id: id,
  created_at: created,
  document_series: series,
  customer_tax_id: party,
  supplier_tax_id: party,
  external_ref: fc.constantFrom(null, 'R1', 'R2', 'R3'),
  day,
  number: fc.nat(30).map((n) => `N${n}`),
})
type Basic = typeof basic extends fc.Arbitrary<infer Value> ? Value : never

const EMPTY: Omit<InvoiceRow, 'invoice_id' | 'direction' | 'status' | 'created_at' | 'updated_at'> = {
  imported: 0,
  document_series: null,
  series: null,
  number: null,
  issue_date: null,
  issue_year: null,
  fiscal_date: null,
  external_ref: null,
  supplier_tax_id: null,
  supplier_name: null,
  customer_tax_id: null,
  customer_name: null,
  currency: 'EUR',
  total_base: 0,
  total_tax: 0,
  total: 0,
  has_errors: 0,
  cancellation_gap: null,
  corrected_number: null,
  ...sortColumnsOf({ series: null, issue_date: null, number: null }),
}

/** The changes of an issue to a row: its number and its position in the order. */
const numbered = ({ invoice_id, number, document_series, day: issue_date }: Basic) => {
  const placed = { series: document_series, number: `${number}/${invoice_id}`, issue_date }
  return { ...placed, document_series, ...sortColumnsOf(placed) }
}

const rowOf = (from: Basic, kind: 'draft' | 'imported' | 'received'): InvoiceRow => {
  const { invoice_id, created_at, document_series, customer_tax_id, supplier_tax_id } = from
  const own = { ...EMPTY, invoice_id, created_at, updated_at: created_at, document_series }
  if (kind === 'received')
    return {
      ...own,
      direction: 'received',
      status: Number.parseInt(invoice_id.slice(-1), 16) > 11 ? 'draft' : 'received',
      document_series: document_series === '0' ? null : document_series,
      number: from.number,
      issue_date: from.day,
      // Supplier, number and year identify an invoice. The year is not listed, so it can keep them distinct.
      issue_year: invoice_id,
      external_ref: from.external_ref,
      supplier_tax_id,
    }
  const issued = { ...own, direction: 'issued' as const, customer_tax_id, external_ref: `R-${invoice_id}` }
  return kind === 'draft'
    ? { ...issued, status: 'draft' }
    : { ...issued, status: 'issued', imported: 1, ...numbered(from) }
}

const DOCUMENT = { sent: '{}', canonical: null, errors: '[]' }

type Change = (
  tx: Tx,
  pick: (direction: string, statuses: readonly string[]) => Promise<InvoiceRow | undefined>,
) => Promise<unknown>
const DRAFT = ['draft']
const IN_FORCE = ['issued', 'sent']

const insertion = (kind: 'draft' | 'imported' | 'received') =>
  basic.map(
    (from): Change =>
      async (tx) => {
        if (!(await findInvoice(tx, from.invoice_id))) await insertInvoice(tx, rowOf(from, kind), DOCUMENT)
      },
  )
const change = (
  direction: string,
  statuses: readonly string[],
  changes: (from: Basic, row: InvoiceRow) => Partial<InvoiceRow>,
) =>
  basic.map(
    (from): Change =>
      async (tx, pick) => {
        const row = await pick(direction, statuses)
        if (row) await updateInvoice(tx, row, changes(from, row))
      },
  )
const removal = (direction: string, statuses: readonly string[]): fc.Arbitrary<Change> =>
  fc.constant(async (tx, pick) => {
    const row = await pick(direction, statuses)
    if (row) await deleteInvoice(tx, row)
  })

const aChange = fc.oneof(
  insertion('draft'),
  insertion('imported'),
  insertion('received'),
  change('issued', DRAFT, ({ document_series }) => ({ document_series })),
  change('issued', DRAFT, () => ({ status: 'queued' })),
  change('issued', ['queued'], () => ({ status: 'draft' })),
  change('issued', DRAFT, (from, { invoice_id }) => ({
    status: 'issued',
    ...numbered({ ...from, invoice_id }),
  })),
  change('issued', IN_FORCE, () => ({ status: 'sent' })),
  change('issued', IN_FORCE, () => ({ status: 'cancelled' })),
  change('issued', IN_FORCE, (from, { invoice_id }) => numbered({ ...from, invoice_id })),
  change('received', ['draft', 'received'], ({ day: issue_date, document_series }) => ({
    issue_date,
    document_series,
  })),
  change('received', ['draft', 'received'], (_, { status }) => ({
    status: status === 'draft' ? 'received' : 'draft',
  })),
  removal('issued', DRAFT),
  removal('issued', IN_FORCE),
  removal('received', ['draft', 'received']),
)

/** A filter that is present once in a number of times. */
const once = <T>(times: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })
const query = fc.record({
  series: once(3, series),
  number: once(8, fc.constantFrom('N1', 'N2')),
  external_ref: once(8, fc.constantFrom('R1', 'R2')),
  party: once(5, fc.constantFrom('B00000000', 'ES-B11111111')),
  issue_date_from: once(3, fc.constantFrom(...DAYS, '2026-02-10')),
  issue_date_to: once(3, fc.constantFrom(...DAYS, '2026-02-10')),
  limit: fc.constantFrom(1, 7, 50, 500),
  offset: fc.oneof(fc.nat(30), fc.noBias(fc.integer({ min: 201, max: 800 }))),
})
const aList = fc
  .tuple(
    fc.constantFrom<
      readonly [
        InvoiceListRequest['direction'],
        boolean,
        readonly (InvoiceListRequest['status'] | undefined)[],
      ]
    >(
      ['issued', false, [undefined, undefined, 'draft', 'queued', 'issued', 'sent', 'cancelled']],
      ['issued', true, ['draft']],
      ['received', true, [undefined, 'received', 'draft', 'cancelled']],
    ),
    fc.nat(),
    query,
  )
  .map(
    ([[direction, newestFirst, statuses], at, { party: taxId, ...filters }]): InvoiceListRequest => ({
      direction,
      newestFirst,
      status: statuses[at % statuses.length],
      query: { ...filters, [direction === 'issued' ? 'customer_tax_id' : 'supplier_tax_id']: taxId },
    }),
  )

/** The list as a plain query: all matches, sorted and counted. */
async function plainly(store: Store, { direction, status, newestFirst, query: asked }: InvoiceListRequest) {
  let rows = store.of(COMPANY).find('invoices', { direction })
  const equal = {
    status,
    document_series: asked.series,
    number: asked.number,
    external_ref: asked.external_ref,
    customer_tax_id: asked.customer_tax_id?.replace('ES-', ''),
    supplier_tax_id: asked.supplier_tax_id?.replace('ES-', ''),
  }
  for (const [column, value] of Object.entries(equal))
    if (value !== undefined) rows = rows.where(column as 'number', '=', value)
  if (asked.issue_date_from !== undefined) rows = rows.where('issue_date', '>=', asked.issue_date_from)
  if (asked.issue_date_to !== undefined) rows = rows.where('issue_date', '<=', asked.issue_date_to)
  const { n } = await rows.select(({ fn }) => fn.countAll().as('n')).executeTakeFirstOrThrow()
  const ordered = newestFirst
    ? rows.orderBy('created_at', 'desc').orderBy('invoice_id')
    : rows.orderBy('sort_series').orderBy('sort_date', 'desc').orderBy('sort_number').orderBy('invoice_id')
  const page = await ordered.select('invoice_id').limit(asked.limit).offset(asked.offset).execute()
  return { total: Number(n), ids: page.map(({ invoice_id }) => invoice_id) }
}

const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return (state >>> 8) % below
  }
}

function lists(open: () => Promise<Store>): void {
  let store: Store
  beforeAll(async () => {
    store = await open()
    // Enough rows of each kind that a page of any list has many.
    const rows = fc.sample(basic, { numRuns: 2500, seed: 20_261_122 }).map((from, at) => ({
      ...from,
      invoice_id: createHash('sha256').update(String(at)).digest('hex').slice(0, 36),
    }))
    await store.transaction(async (all) => {
      for (const [at, from] of rows.entries()) {
        const tx = all.of(at % 40 === 0 ? OTHER : COMPANY)
        const kind = (['received', 'imported', 'imported', 'draft', 'received'] as const)[at % 5] ?? 'draft'
        if (!(await findInvoice(tx, from.invoice_id))) await insertInvoice(tx, rowOf(from, kind), DOCUMENT)
      }
    })
  }, 60_000)
  afterAll(() => store?.close())

  const countsAreRight = async (): Promise<void> => {
    for (const company of [COMPANY, OTHER]) {
      const report = new Report('en')
      await verifyCounts(store.of(company), report)
      expect(report.failures).toEqual([])
    }
  }

  it('any page of any list is right after any changes', async () => {
    let deep = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(aChange, fc.nat()), { maxLength: 12 }),
        fc.array(aList, { minLength: 8, maxLength: 8 }),
        fc.boolean(),
        async (changes, asked, adds) => {
          await store.of(COMPANY).transaction(async (tx) => {
            for (const [one, seed] of changes)
              await one(tx, async (direction, statuses) => {
                const found = await tx
                  .select('invoices')
                  .selectAll()
                  .where('direction', '=', direction as 'issued')
                  .where('status', 'in', statuses as readonly 'issued'[])
                  .orderBy('invoice_id')
                  .limit(1)
                  .offset(random(seed)(100))
                  .execute()
                return found[0]
              })
          })
          if (adds) await store.of(COMPANY).transaction(addNotesToCounts)
          for (const listed of asked) {
            const { items, total } = await listInvoices({ store: store.of(COMPANY) }, listed)
            const expected = await plainly(store, listed)
            expect({ total, ids: items.map(({ id: one }) => one) }, JSON.stringify(listed)).toEqual(expected)
            if (listed.query.offset > 200 && expected.ids.length > 0) deep++
          }
        },
      ),
      { numRuns: sized(12, 40, 1500) },
    )
    expect(deep).toBeGreaterThan(0)
    await countsAreRight()
  }, 600_000)

  it('every page of every list is right', async () => {
    for (const listed of fc.sample(aList, { numRuns: sized(4, 12, 100), seed: 7 })) {
      const filters = { ...listed.query, number: undefined, external_ref: undefined }
      const all: InvoiceListRequest = { ...listed, query: { ...filters, limit: 1_000_000, offset: 0 } }
      const expected = await plainly(store, all)
      const found: string[] = []
      for (let offset = 0; offset <= expected.total; offset += 97) {
        const page: InvoiceListRequest = { ...all, query: { ...filters, limit: 97, offset } }
        const { items, total } = await listInvoices({ store: store.of(COMPANY) }, page)
        expect(total).toBe(expected.total)
        found.push(...items.map(({ id: one }) => one))
      }
      expect(found, JSON.stringify(listed)).toEqual(expected.ids)
    }
  }, 600_000)

  it('notes that are added up during writes are neither lost nor counted twice', async () => {
    const rows = Array.from({ length: 240 }, (_, at) =>
      required(fc.sample(basic, { numRuns: 1, seed: at })[0]),
    ).map((from, at) => ({ ...from, invoice_id: `new-${at}` }))
    const before = (await listInvoices({ store: store.of(OTHER) }, everything)).total
    await Promise.all([
      ...rows.map((from) =>
        store
          .of(OTHER)
          .transaction((tx) =>
            insertInvoice(
              tx,
              { ...rowOf(from, 'draft'), invoice_id: from.invoice_id.replace(/^./, 'z') },
              DOCUMENT,
            ),
          ),
      ),
      ...Array.from({ length: 12 }, () => store.of(OTHER).transaction(addNotesToCounts)),
    ])
    expect((await listInvoices({ store: store.of(OTHER) }, everything)).total).toBe(before + rows.length)
    await countsAreRight()
  }, 60_000)

  it('counts of removed invoices are gone', async () => {
    const rows = await store.of(OTHER).select('invoices').selectAll().execute()
    await store.of(OTHER).transaction(async (tx) => {
      for (const row of rows) await deleteInvoice(tx, row)
    })
    for (let left = 1; left > 0; ) {
      await store.of(OTHER).transaction(addNotesToCounts)
      left = (await store.of(OTHER).select('invoice_changes').select('n').execute()).length
    }
    expect(await store.of(OTHER).select('invoice_counts').selectAll().execute()).toEqual([])
  })
}

const everything: InvoiceListRequest = {
  direction: 'issued',
  status: undefined,
  query: { limit: 1, offset: 0 } as InvoiceListRequest['query'],
}

describe('lists on the embedded database', () => {
  const folder = temporaryFolder()
  lists(() => openStore({ dataDir: folder }))
})

if (hasPostgres())
  describe('lists on PostgreSQL', () =>
    lists(async () => openStore({ dataDir: '', databaseUrl: await postgresDatabase() })))
else it.skip('lists on PostgreSQL: it is not installed here', () => {})
